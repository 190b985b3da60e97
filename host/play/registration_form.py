"""Pure: the form of a registration. In: the lines that somebody typed. Out: name, nickname and hometown, as far as plain.

Labels are looked for first, then sentences about oneself in what is left. What is unclear stays unset.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from host.engine.grammar import is_polite
from host.engine.words import first_names, pattern
from host.play.form_words import as_name, as_nickname, as_place, fold, label_pattern, words
from host.play.prose import Form, is_whole_name, read_sentences, sentence_end

MAX_FIELD = 100
"""Characters of a value."""
MOST_LINES = 60
LONGEST_LINE = 500
"""Characters of a line that are read."""
_ASIDE = pattern(r"\([^()]*\)")
_COLON = pattern(
    r"(?: (?:at|in|on) [^\s:=]{1,30}|/(?:state|country|region|province))?[ \t*_]*(?:[:=]|\.{4,60}:?)[ \t*_]*"
)
_DASH = pattern(r"[ \t*_]*(?:\t| - |  )[ \t*_]*")
_HEAD = pattern(r"[*>\s]*(?:from|von|de|da|od)[ \t*]*:[^;<]*<[^<>\s@]{1,80}@[^<>\s@]{1,120}>[\s*]*")
"""The sender's line of a mail that was forwarded."""
_BULLET = pattern(r"[*•\-> \t_]*")
_OTHER_LABEL = pattern(r"[,;|/][ \t]*[^\W\d][\w ]{0,24}:(?=\s|$)")
_INNER_NICKNAME = pattern(r"(?<=\w) [\"“”]([^\"“”]{1,40})[\"“”] (?=\w)")
_TWO = pattern(r"\s(?:and|und|et|&|\+)\s+(?=[^\W\d_])")
_TWO_NAMED = pattern(r"(?<!\w)([^\W\d_]\w++(?: [^\W\d_]\w++)?) (?:and|&|\+) ([^\W\d_]\w+)")
_KIN = pattern(
    r"\bmy (?:dear |late |little |old |best |elder |younger )?(?:husband|wife|spouse|partner|fianc\we+|girlfriend|boyfriend|son"
    r"|daughter|child|kid|mother|father|mom|mum|mam|dad|parent|brother|sister|twin|grand\w+|aunt|uncle|cousin|niece|nephew"
    r"|friend|neighbou?r|roommate|colleague)\b|\b(?:both|two|three) of us\b"
)
"""Somebody beside the writer."""
_ANY_ADDRESS = pattern(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_ADDRESS = pattern(r"<[^<>\s@]{1,80}@[^<>\s@]{1,120}>")


def read_form(lines: Sequence[str]) -> Form:
    """The fields of a registration: `Label: value`, one a line or several, the value on the next line, or in sentences.

    Text in parentheses is ignored.
    """
    values, rest = _labelled(lines)
    return _form(values, read_sentences(rest))


def unlabelled(lines: Sequence[str]) -> list[str]:
    """The lines and parts of lines that stand behind no label."""
    return _labelled(lines)[1]


def names_another(lines: Sequence[str], own: Collection[str]) -> bool:
    """Does a registration speak of somebody else who is to play: a second name, kin, an address that is none of `own`?"""
    text = "\n".join(each[:LONGEST_LINE] for each in lines[:MOST_LINES])
    if _KIN.search(fold(text)) or any(each.lower() not in own for each in _ANY_ADDRESS.findall(text)):
        return True
    names = {values["name"] for line in text.split("\n") if "name" in (values := _labelled([line])[0])}
    if len(names) > 1 or any(map(_TWO.search, names)):
        return True
    return any(
        one[0].isupper() and two[0].isupper() and not first_names().isdisjoint(fold(f"{one} {two}").split())
        for one, two in _TWO_NAMED.findall(text)
    )


def correction_in(lines: Sequence[str]) -> Form:
    """Reads what somebody corrects of what is known of them: `name Mike Ray`, `call me Lolo`, any label of a form.

    `I'm Ann` and `I live in Boise` correct nothing, since they may be told for another reason.
    """
    values, rest = _labelled(lines)
    return _form(values, read_sentences(rest, is_correction=True))


def _form(values: dict[str, str], said: Form) -> Form:
    name = _TWO.split(_whole_name(values))[0].strip()
    form = Form(name or said.name, values.get("nickname", said.nickname), values.get("hometown", said.hometown))
    inner = _INNER_NICKNAME.search(form.name)
    if inner:
        whole = _INNER_NICKNAME.sub(" ", form.name)
        form = replace(form, name=whole, nickname=form.nickname or inner[1].strip())
    return Form(as_name(form.name), as_nickname(form.nickname), as_place(form.hometown))


def _whole_name(values: dict[str, str]) -> str:
    """The name, of several labels where a form parts it."""
    name, given, surname = (values.get(each, "") for each in ("name", "given", "surname"))
    other = values.get("apelido", "")
    if other and " " in (name or given):
        values.setdefault("nickname", other)
    elif other:
        surname = surname or other
    if given and name and fold(given) not in fold(name).split():
        surname = surname or name
        name = ""
    whole = given or name
    return " ".join(each for each in (name or given, surname if " " not in whole or given else "") if each)


def _labelled(lines: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The values that stand behind labels, and the lines and parts of lines that do not."""
    values: dict[str, str] = {}
    rest: list[str] = []
    waiting: str | None = None
    empty: set[str] = set()
    for line in _join_asides([each[:LONGEST_LINE] for each in lines[:MOST_LINES]]):
        plain = _ASIDE.sub("", line)
        found = [] if _HEAD.fullmatch(fold(plain)) else _labels_of(plain)
        before = plain[: found[0][1]] if found else plain
        if waiting and before.strip(" *\t"):
            is_below_form = waiting != "name" and "name" in empty and is_whole_name(before)
            if _is_value(before) and not is_below_form:
                values.setdefault(waiting, _clean(before))
                before = ""
            waiting = None
        if before.strip():
            rest.append(before)
        for at, (field, _, start) in enumerate(found):
            end = found[at + 1][1] if at + 1 < len(found) else len(plain)
            value, left = _cut(plain[start:end])
            rest.extend([left] if left else [])
            waiting = None
            if value and fold(value) not in words("none") and not _is_talk(value):
                values.setdefault(field, value)
            elif not value and field not in values:
                waiting = field
                empty.add(field)
    return values, rest


def _labels_of(line: str) -> list[tuple[str, int, int]]:
    """The labels in a line: each field, where its label begins, and where its value does."""
    folded = fold(line)
    found: list[tuple[str, int, int]] = []
    for match in label_pattern().finditer(folded):
        field = str(match.lastgroup)
        colon = _COLON.match(folded, match.end())
        if colon and (not field.startswith("short_") or _begins_part(folded[: match.start()])):
            found.append((_field(field), match.start(), colon.end()))
    return found or _bare_label(line, folded)


def _field(group: str) -> str:
    return "nickname" if group == "asked" else group.removeprefix("short_")


def _begins_part(before: str) -> bool:
    """Does a new part of the line begin behind this? At its beginning, after a sign, a dash or a gap."""
    bare = before.rstrip("*•>-_ \t")
    gap = before[len(bare) :]
    return not bare or bare[-1] in ",;|/." or "  " in gap or "-" in gap or "\t" in gap


def _bare_label(line: str, folded: str) -> list[tuple[str, int, int]]:
    """A label without a colon at the beginning of a line: alone, before a dash, or right before a plain value."""
    begin = _BULLET.match(folded)
    match = label_pattern().match(folded, begin.end() if begin else 0)
    if not match:
        return []
    field, behind = str(match.lastgroup), line[match.end() :]
    dash = _DASH.match(line.replace("–", "-").replace("—", "-"), match.end())
    if dash and behind.strip():
        return [(_field(field), match.start(), dash.end())]
    is_plain = not behind.strip(" *") or (behind.startswith(" ") and _is_plain_value(behind))
    return [(_field(field), match.start(), match.end())] if is_plain and not field.startswith("short_") else []


def _is_plain_value(text: str) -> bool:
    """Is it up to four words that may be a name or a place, and nothing else?"""
    found = fold(text).strip(" .").split()
    if not found or len(found) > 4 or re.search(r"[^\w\s'’.,-]|\d", text):
        return False
    bare = {each.strip(".,") for each in found}
    return (
        not bare & (words("stops") | words("no_value"))
        and not is_polite(text)
        and not label_pattern().search(fold(text))
    )


def _is_talk(value: str) -> bool:
    return value.endswith("?") or (" " in value and not words("talk").isdisjoint(fold(value).split()))


def _is_value(line: str) -> bool:
    """May this line be the value of the label above it, and not the next thing that is said?"""
    found = fold(line).replace(",", " ").split()
    is_said = (is_polite(line) and line.isascii()) or line.rstrip().endswith("!")
    return not is_said and len(found) <= 6 and not _is_talk(line.strip())


def _cut(text: str) -> tuple[str, str]:
    """A value, and what is said behind it on the same line."""
    other = _OTHER_LABEL.search(text)
    value = text[: other.start()] if other else text
    end = sentence_end(value)
    return _clean(value[:end]), value[end:].strip(" .*")


def _join_asides(lines: Sequence[str]) -> list[str]:
    """A parenthesis that a mail program wrapped over two lines is one."""
    joined: list[str] = []
    for line in lines:
        if joined and joined[-1].count("(") > joined[-1].count(")"):
            joined[-1] += " " + line
        else:
            joined.append(line)
    return joined


def _clean(value: str) -> str:
    value = _ADDRESS.sub("", re.sub(r"[\x00-\x1f\x7f]", "", value)).strip(" *\t,;|/_").strip('"“”„«»')
    value = value[1:-1] if value.startswith("[") and value.endswith("]") else value
    value = value.removesuffix(" -").rstrip()
    value = value[:-1] if value.endswith(".") and sentence_end(value + " ") < len(value) + 1 else value
    return value[:MAX_FIELD].strip()
