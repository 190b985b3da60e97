"""What is tapped, and what a record says of it."""

from tests.rows import every
from tests.wire.recorded import holds

ALWAYS = "always strongest first, this round"


@every(
    ("tapped", "said", "is_held"),
    [
        (["place Kc", "attack Kc Js"], ["place Kc", "attack Kc Js"], True),
        (["place Kc", "attack Kc Js"], ["attack Kc Js", "place Kc"], False),
        (["place Kc"], ["place Kc", "attack Kc Js"], False),
        (["place 10h"], ["place Th"], True),
        (["attack Kc Js", ALWAYS], ["attack Kc Js", "order Td 8h"], True),
        (["attack Kc Js", ALWAYS, "cancel", "attack Kc Js", ALWAYS], ["attack Kc Js", "order Td 8h"], True),
        (["order 10d 8h", "continue all", "hold"], ["order Td 8h", "hold"], True),
        (["order 10d 8h", "continue all", "hold"], ["order Td 8h", "continue all", "hold"], True),
        (["continue all", "hold", "fortify"], ["hold", "fortify"], False),
        (["attack Kc Js", "cancel", "hold"], ["hold"], True),
        (["attack Kc Js", "cancel", "hold"], ["attack Kc Js", "hold"], True),
        (["attack Kc Js", "cancel", "hold"], ["attack Kc Js", "attack Kc Js", "hold"], False),
    ],
)
def test_what_is_tapped_stands_in_the_record(tapped: list[str], said: list[str], is_held: bool) -> None:
    assert holds("GC-1.jsonl", [f"{each}\r" for each in tapped], said, 1) is is_held
