"""Checks episodes of a Podium season from saved mails alone: python3 verify_episode.py [END ...] FILE.eml ...

Give the published ends, and the first letter and the result of each episode, of one contestant or several.
Status 0: all holds. 1: something does not. 2: all holds, but of links in between no letter is here."""

import hashlib
import hmac
import json
import sys
from email import message_from_bytes, policy
from email.utils import parsedate_to_datetime
from pathlib import Path

wrong, missing, firsts, records, used = [], [], {}, {}, {}
ends = [each.lower() for each in sys.argv[1:] if len(each) == 64 and "." not in each]


def check(holds, sentence):
    wrong.extend([] if holds else [f"NO: {sentence}"])


for name in [each for each in sys.argv[1:] if each.lower() not in ends]:
    mail = message_from_bytes(Path(name).read_bytes(), policy=policy.default)
    code = str(mail["X-Podium-Episode"])
    if mail["X-Podium-Commitment"]:
        firsts.setdefault(code, []).append((name, mail))
    for part in [each for each in mail.walk() if (each.get_filename() or "").endswith(".jsonl")]:
        header = json.loads(part.get_payload(decode=True).splitlines()[0])
        check(records.setdefault(code, header) == header, f"{code}: two records have different first lines")
for code, letters in firsts.items():
    record = records.get(code, {"seed": ""})
    chain, seed = record.get("chain", {"n": "", "end": "", "link": "", "given": []}), bytes.fromhex(record["seed"])
    check(code in records, f"{code}: its result is missing")
    for name, mail in letters:
        number, _, end = str(mail["X-Podium-Chain"]).partition(" ")
        check(number.isdigit() and chain["end"], f"{code}: {name} or the record names no chain")
        if number.isdigit():
            used.setdefault(end, {}).setdefault(int(number), {})[code] = parsedate_to_datetime(mail["Date"])
        check(end in (ends or [end]), f"{code}: {name} names an end that was not published")
        check([number, end] == [str(chain["n"]), chain["end"]], f"{code}: {name} and the record name different links")
        check(hashlib.sha256(seed).hexdigest() == mail["X-Podium-Commitment"], f"{code}: the commitment is not kept")
        blocks = mail.get_body(("plain",)).get_content().replace("\r", "").split("\n\n")
        listed = "\n".join(chain["given"]) in [block.strip("\n") for block in blocks]
        check(listed, f"{code}: {name} lists something else than the record")
    link = made = bytes.fromhex(chain["link"])
    for _ in range(min(chain["n"] or 0, 10_000)):
        made = hashlib.sha256(made).digest()
    check(made.hex() == chain["end"], f"{code}: the link does not lead to the end of the chain")
    made = hmac.new(link, "\n".join(chain["given"]).encode(), "sha256").digest()
    check(made == seed, f"{code}: the seed does not follow from the link and what was given")
for end, links in used.items():
    began = [min(links[number].values()) for number in sorted(links)]
    check(began == sorted(began), f"the links of {end} were not used in order")
    for number in range(1, max(links) + 1):
        codes = sorted(links.get(number, {}))
        check(len(codes) < 2, f"link {number} of {end} served {' and '.join(codes)}")
        missing += [] if codes else [f"link {number} of {end}: no letter of it is here"]
check(firsts, "no first letter of an episode is here")
print("\n".join([*wrong, *missing, f"{len(firsts)} episodes: {'not all' if wrong else 'all that is here'} holds"]))
sys.exit(1 if wrong else 2 if missing else 0)
