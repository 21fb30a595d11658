"""Sentences that remember what they were made of, so that the terminal can say them in another language.

A phrase is written once, in the language of its room (boards in English, games in Chinese), and is a plain `str` to all who
only pass it on. The language is chosen where it is printed, from a catalogue that is handed in: nothing here knows one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

Lookup = Callable[[str], str]
"""Finds a template's translation; the template itself where there is none."""


class Phrase(str):
    """A sentence, with the template it was filled from and the values by name; values may be phrases themselves."""

    __slots__ = ("parameters", "template")

    template: str
    parameters: Mapping[str, object]


def phrase(template: str, /, **parameters: object) -> Phrase:
    """The sentence of a template (`str.format` fields by name) and its values.

    Catalogues are made from the calls of this function, so that its template is always a literal (or one of two, by a condition).
    """
    return fill(template, parameters)


def fill(template: str, parameters: Mapping[str, object]) -> Phrase:
    """As `phrase`, of a template that a registry holds; it must be in the catalogues by another way."""
    made = Phrase(template.format_map(parameters))
    made.template, made.parameters = template, parameters
    return made


def both(chinese: str, english: str) -> Phrase:
    """A text that has both its languages with it: the catalogue of English takes the second.

    It is for what registries hold side by side, where a plain text must not lose the other language on its way.
    """
    return phrase("{chinese}", chinese=chinese, english=english)


class Listing(Phrase):
    """Texts one after the other, parted as the language parts them; the parameters are the texts, by their places."""

    __slots__ = ()


# What stands between two texts of a list, and between two sentences in one line.
_BETWEEN = phrase("、")
_NEXT = phrase("；")


def listing(texts: Iterable[object]) -> Listing:
    """Texts in a list: 甲、乙 in Chinese; the texts may be phrases."""
    return _join(_BETWEEN, texts)


def chain(texts: Iterable[object]) -> Listing:
    """Sentences in one line, parted by semicolons; they may be phrases."""
    return _join(_NEXT, texts)


def run_on(texts: Iterable[object]) -> Phrase:
    """Texts one right after the other; they may be phrases."""
    values = {f"text{place}": text for place, text in enumerate(texts)}
    made = Phrase("".join(map(str, values.values())))
    made.template, made.parameters = "".join(f"{{{name}}}" for name in values), values
    return made


def lines(texts: Iterable[object]) -> Listing:
    """Texts each on a line of its own; they may be phrases."""
    return _join("\n", texts)


def _join(between: str, texts: Iterable[object]) -> Listing:
    items = tuple(texts)
    made = Listing(between.join(map(str, items)))
    made.template, made.parameters = str(between), {str(place): item for place, item in enumerate(items)}
    return made


def translate(text: object, lookup: Lookup) -> str:
    """A text in the language of a catalogue: a phrase (or an error made of one) is filled anew from its
    translated template, another text stays.

    What a catalogue has wrong (a field that the phrase has no value for) never hides what there is to say: such a sentence is
    told as the source has it.
    """
    if isinstance(text, BaseException) and text.args:
        text = text.args[0]
    if not isinstance(text, Phrase):
        return str(text)
    values = {
        name: translate(value, lookup) if isinstance(value, Phrase | BaseException) else value
        for name, value in text.parameters.items()
    }
    if isinstance(text, Listing):
        return lookup(text.template).join(map(str, values.values()))
    if not text.template:
        return ""
    try:
        return lookup(text.template).format_map(values)
    except (LookupError, ValueError, TypeError, AttributeError):
        return text.template.format_map(values)
