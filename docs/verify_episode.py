"""Checks Podium episodes from saved mails alone: verify_episode.py [END ...] FILE.eml ... (docs/record-format.md)"""

import hmac
import json
import re
import sys
from email import message_from_bytes, policy, utils
from hashlib import sha256
from pathlib import Path

checks, missing, letters, records, used, sent = [], [], {}, {}, {}, {}
ends = [each.lower() for each in sys.argv[1:] if len(each) == 64 and "." not in each]
sys.excepthook = lambda _, error, __: print(f"NO: {name} is not as Podium writes it: {error!r}")
for name in [each for each in sys.argv[1:] if each.lower() not in ends]:
    mail = message_from_bytes(Path(name).read_bytes(), policy=policy.default)
    when, body = utils.mktime_tz(utils.parsedate_tz(mail["Date"])), mail.get_body(("plain", "html"))
    text = body.get_payload(decode=True).decode("utf-8", "replace").replace("\r", "") if body else ""
    for part in [each for each in mail.walk() if (each.get_filename() or "").endswith(".jsonl")]:
        code, record = part.get_filename()[:-6], json.loads(part.get_payload(decode=True).splitlines()[0])
        checks += [(records.setdefault(code, record) == record, f"{code}: two records have different first lines")]
    if mail["X-Podium-Commitment"]:
        code, (number, _, end) = str(mail["X-Podium-Episode"]), str(mail["X-Podium-Chain"] or "0").partition(" ")
        letters.setdefault(code, []).append((name, mail, when, text, [int(number), end]))
        used.setdefault(end, {}).setdefault(int(number), {})[code] = when
    elif not mail["X-Podium-Kind"]:
        said = re.findall(r"\b(?:confirm|ready)\b\W{0,9}([\w-]{1,40})", re.sub("<[^>]*>", " ", text).lower())
        sent.setdefault(utils.parseaddr(mail["From"])[1].lower(), {})[str(mail["Message-ID"]).strip()] = (when, said)
for code, record in sorted((code, records[code]) for code in letters.keys() & records.keys()):
    served, chain = "chain" in record, record.get("chain", {"n": 0, "end": "", "link": "", "given": []})
    seed, given = bytes.fromhex(record["seed"]), "\n".join(chain["given"])
    for name, mail, when, text, told in letters[code]:
        lists = [each.strip("\n") for each in text.split("\n\n") if each.lstrip("\n").startswith("<")]
        own, seat = sent.get(utils.parseaddr(mail["To"])[1].lower(), {}), int(mail["X-Podium-Seat"] or 0)
        lines = chain["given"][seat - 1 : seat] if seat else chain["given"]
        gave, _, word = next((each for each in lines if each.split(" ")[0] in own), "").partition(" ")
        latest = max(((at, each) for each, (at, _) in own.items() if at <= when), default=(0, ""))[1]
        checks += [(told == [chain["n"], chain["end"]], f"{code}: {name} and the record name different links")]
        checks += [(lists == [given][:served], f"{code}: {name} lists something else than the record")]
        checks += [(gave or not (own and seat), f"{code}: {name} lists no mail of its reader's")]
        checks += [(not word or any(word.lower() in each[1] for each in own.values()), f"{code}: {name}: another word")]
        checks += [(sha256(seed).hexdigest() == mail["X-Podium-Commitment"], f"{code}: the commitment is not kept")]
        is_theirs = gave and gave == latest and (word or not own[gave][1])
        missing += [f"{code}: compare by hand what {name} lists"] if sent and served and not is_theirs else []
    link = made = bytes.fromhex(chain["link"])
    for _ in range(min(chain["n"], 10_000)):
        made = sha256(made).digest()
    follows = hmac.digest(link, given.encode(), "sha256") == seed and len(chain["given"]) == len(record["players"])
    checks += [(made.hex() == chain["end"] and served == (chain["n"] > 0), f"{code}: link does not lead to the end")]
    checks += [(follows or not served, f"{code}: the seed does not follow from the link and a line of each seat")]
missing += [f"{code}: its first letter or its result is not here" for code in sorted(letters.keys() ^ records.keys())]
missing += [f"{code}: no chain served it, so its seed was drawn" for code in used.pop("", {}).get(0, {})]
missing += ["give the published end, too: else another chain is not noticed"] if used and not ends else []
for end, links in used.items():
    began, games = [t for n in sorted(links) for t in links[n].values()], {each[:2] for n in links for each in links[n]}
    checks += [(len(games) < 2 and (not ends or end in ends), f"the end {end} was not published for {sorted(games)}")]
    checks += [(began == sorted(began)[: len(links)], f"the links of {end} were not used in order, each once")]
    missing += [f"link {n} of {end}: no letter of it is here" for n in range(1, max(links)) if n not in links]
wrong = [f"NO: {sentence}" for holds, sentence in [*checks, (letters, "no first letter is here")] if not holds]
print("\n".join([*wrong, *missing, f"{len(letters)} episodes: {'not all' if wrong else 'all that is here'} holds"]))
sys.exit(1 if wrong else 2 if missing else 0)
