"""Checks Podium episodes from saved mails alone: verify_episode.py [END ...] FILE.eml ... (docs/record-format.md)"""

import hmac
import json
import sys
from email import message_from_bytes, policy, utils
from hashlib import sha256
from pathlib import Path

checks, missing, letters, records, used, sent = [], [], {}, {}, {}, {}
ends = [each.lower() for each in sys.argv[1:] if len(each) == 64 and "." not in each]
sys.excepthook = lambda _, error, __: print(f"NO: {name} is not as Podium writes it: {error!r}")
for name in [each for each in sys.argv[1:] if each.lower() not in ends]:
    mail = message_from_bytes(Path(name).read_bytes(), policy=policy.default)
    when = utils.mktime_tz(utils.parsedate_tz(mail["Date"]))
    text = mail.get_body(("plain", "html")).get_content().replace("\r", "")
    for part in [each for each in mail.walk() if (each.get_filename() or "").endswith(".jsonl")]:
        code, record = part.get_filename()[:-6], json.loads(part.get_payload(decode=True).splitlines()[0])
        checks += [(records.setdefault(code, record) == record, f"{code}: two records have different first lines")]
    if mail["X-Podium-Commitment"]:
        code, (number, _, end) = str(mail["X-Podium-Episode"]), str(mail["X-Podium-Chain"] or "0").partition(" ")
        letters.setdefault(code, []).append((name, mail, when, text, [int(number), end]))
        used.setdefault(end, {}).setdefault(int(number), {})[code] = when
    elif not mail["X-Podium-Kind"]:
        said = [row[1] for row in map(str.split, text.lower().split("\n")) if row[:-1] in (["confirm"], ["ready"])]
        sent.setdefault(utils.parseaddr(mail["From"])[1].lower(), []).append((when, str(mail["Message-ID"]), said))
for code, record in sorted((code, records[code]) for code in letters.keys() & records.keys()):
    served, chain = "chain" in record, record.get("chain", {"n": 0, "end": "", "link": "", "given": []})
    seed, given = bytes.fromhex(record["seed"]), "\n".join(chain["given"])
    players, game = record["players"], record["game"].replace("-", " ")
    for name, mail, when, text, told in letters[code]:
        lists = [each.strip("\n") for each in text.split("\n\n") if each.lstrip("\n").startswith("<")]
        flat, seat = " ".join(text.lower().split()), int(mail["X-Podium-Seat"] or 0)
        own = sorted(each for each in sent.get(utils.parseaddr(mail["To"])[1].lower(), []) if seat and each[0] <= when)
        gave, _, word = dict(enumerate(chain["given"], 1)).get(seat, "").partition(" ")
        words = own and (own[-1][2] or ["", *(each for _, _, said in own for each in said)])
        checks += [(told == [chain["n"], chain["end"]], f"{code}: {name} and the record name different links")]
        checks += [(lists == [given][:served], f"{code}: {name} lists something else than the record")]
        checks += [(not own or gave in [each[1] for each in own], f"{code}: {name} lists no mail of its reader's")]
        checks += [(not own or word.lower() in words, f"{code}: {name} lists another word than its reader wrote")]
        checks += [(sha256(seed).hexdigest() == mail["X-Podium-Commitment"], f"{code}: the commitment is not kept")]
        missing += [f"{code}: {name} lists not its reader's last mail" for each in own[-1:] if each[1] != gave]
        missing += [f"{code}: {name} does not name {each}" for each in (game, *players) if each.lower() not in flat]
    link = made = bytes.fromhex(chain["link"])
    for _ in range(min(chain["n"], 10_000)):
        made = sha256(made).digest()
    follows = hmac.digest(link, given.encode(), "sha256") == seed and len(chain["given"]) == len(players)
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
