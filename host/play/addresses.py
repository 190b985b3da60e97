"""Pure: which addresses deliver to one mailbox. In: addresses. Out: those that do, beside one another.

The host decides what that means: a family may share a mailbox, and nobody is refused for it.
"""

from collections.abc import Iterable

_WITHOUT_DOTS = frozenset(("gmail.com", "googlemail.com"))
"""Where dots before the @ do not count, and both names are one."""


def mailbox_of(address: str) -> str:
    """An address as its mailbox: without a tag behind a plus, and without dots where they do not count."""
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _WITHOUT_DOTS:
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def alike(addresses: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each address that shares its mailbox the others that do."""
    boxes: dict[str, list[str]] = {}
    for each in dict.fromkeys(addresses):
        boxes.setdefault(mailbox_of(each), []).append(each)
    return {each: tuple(other for other in box if other != each) for box in boxes.values() for each in box if box[1:]}
