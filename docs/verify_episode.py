"""Checks episodes of a Podium season from saved mails alone: python3 verify_episode.py [END ...] FILE.eml ...

Give the published ends, first letters and results. Status 0: all holds. 1: not all. 2: all that is here, not all is."""

import hashlib
import hmac
import json
import sys
from email import message_from_bytes, policy
from email.utils import mktime_tz, parsedate_tz
from pathlib import Path

checks, missing, letters, records, used = [], [], {}, {}, {}
ends = [each.lower() for each in sys.argv[1:] if len(each) == 64 and "." not in each]
sys.excepthook = lambda _, error, __: print(f"NO: {name} is not as Podium writes it: {error!r}")
for name in [each for each in sys.argv[1:] if each.lower() not in ends]:
    mail = message_from_bytes(Path(name).read_bytes(), policy=policy.default)
    for part in [each for each in mail.walk() if (each.get_filename() or "").endswith(".jsonl")]:
        code, record = part.get_filename()[:-6], json.loads(part.get_payload(decode=True).splitlines()[0])
        checks += [(records.setdefault(code, record) == record, f"{code}: two records have different first lines")]
    if mail["X-Podium-Commitment"]:
        code, (number, _, end) = str(mail["X-Podium-Episode"]), str(mail["X-Podium-Chain"] or "0").partition(" ")
        letters.setdefault(code, []).append((name, mail, [int(number), end]))
        used.setdefault(end, {}).setdefault(int(number), {})[code] = mktime_tz(parsedate_tz(mail["Date"]))
for code in sorted(letters.keys() & records.keys()):
    record, is_served = records[code], "chain" in records[code]
    chain = record.get("chain", {"n": 0, "end": "", "link": "", "given": []})
    seed, given, players = bytes.fromhex(record["seed"]), "\n".join(chain["given"]), record["players"]
    for name, mail, told in letters[code]:
        text = mail.get_body(("plain",)).get_content().replace("\r", "")
        lists = [each.strip("\n") for each in text.split("\n\n") if each.lstrip("\n").startswith("<")]
        flat, game = " ".join(text.lower().split()), record["game"].replace("-", " ")
        is_named = all(each.lower() in flat for each in (game, *players))
        checks += [
            (is_named, f"{code}: {name} tells another game or other players than the record"),
            (told == [chain["n"], chain["end"]], f"{code}: {name} and the record name different links"),
            (lists == [given][:is_served], f"{code}: {name} lists something else than the record"),
            (hashlib.sha256(seed).hexdigest() == mail["X-Podium-Commitment"], f"{code}: the commitment is not kept"),
        ]
    link = made = bytes.fromhex(chain["link"])
    for _ in range(min(chain["n"], 10_000)):
        made = hashlib.sha256(made).digest()
    does_lead, made = made.hex() == chain["end"], hmac.new(link, given.encode(), "sha256").digest()
    checks += [
        (does_lead and is_served == (chain["n"] > 0), f"{code}: the link does not lead to the end of the chain"),
        (len(chain["given"]) == is_served * len(players), f"{code}: not each seat gave one line"),
        (made == seed or not is_served, f"{code}: the seed does not follow from the link and what was given"),
    ]
missing += [f"{code}: its first letter or its result is not here" for code in sorted(letters.keys() ^ records.keys())]
missing += [f"{code}: no chain served it, so its seed was drawn" for code in used.pop("", {}).get(0, {})]
missing += ["give the published end, too: else another chain is not noticed"] if used and not ends else []
for end, links in used.items():
    began = [min(links[number].values()) for number in sorted(links)]
    checks += [(not ends or end in ends, f"the end {end} was not published")]
    checks += [(began == sorted(began), f"the links of {end} were not used in order")]
    checks += [(len(codes) < 2, f"link {n} of {end} served {' and '.join(codes)}") for n, codes in links.items()]
    missing += [f"link {n} of {end}: no letter of it is here" for n in range(1, max(links)) if n not in links]
wrong = [f"NO: {sentence}" for holds, sentence in [*checks, (letters, "no first letter is here")] if not holds]
print("\n".join([*wrong, *missing, f"{len(letters)} episodes: {'not all' if wrong else 'all that is here'} holds"]))
sys.exit(1 if wrong else 2 if missing else 0)
