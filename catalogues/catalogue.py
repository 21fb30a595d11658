"""The catalogues: which sentences the source holds, and what each language says for them.

A sentence stands in the source in the language of its room: boards in English, games and commands in Chinese. Each language's
catalogue needs a translation for the sentences of the other one. What registries hold in both languages side by side
(`catalogues.pairs`) is taken over from there.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from catalogues.pairs import Pair
from engine.language import DOMAIN, FOLDER, LOCALES

ROOT = Path(__file__).parent.parent
PACKAGES = ("scraper", "tally", "engine")
# Calls whose first argument is a sentence of the catalogue.
MARKS = ("phrase", "_")
_CHINESE = re.compile("[\u3400-\u9fff]")
# Chinese words, or the full-width punctuation around them; 「」 are the quotes of both languages.
_OF_CHINESE = re.compile("[\u3400-\u9fff\u3001\u3002\uff01-\uff5e]")


def read_source(root: Path = ROOT) -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Every sentence of the source with the files that hold it, in the order of the files; no lines, which would change daily."""
    found: dict[str, list[tuple[str, int]]] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for text in (*_marked(tree), *(_commands(tree) if name.startswith("engine/cli/") else ())):
                places = found.setdefault(text, [])
                if (name, 0) not in places:
                    places.append((name, 0))
    return {text: tuple(places) for text, places in found.items()}


def _marked(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS and node.args:
            texts = [node.args[0].body, node.args[0].orelse] if isinstance(node.args[0], ast.IfExp) else [node.args[0]]
            yield from (text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str))


def _commands(tree: ast.Module) -> Iterator[str]:
    """What `--help` says of a command is its docstring: those of the public functions of engine/cli that begin in Chinese."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            text = inspect.cleandoc(ast.get_docstring(node) or "")
            if _CHINESE.match(text):
                yield text


def read_catalogue(language: str) -> Catalog:
    """The catalogue of a language as it is kept; an empty one where there is none yet."""
    path = _path(language, "po")
    if not path.is_file():
        return Catalog(LOCALES[language], DOMAIN, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, LOCALES[language], DOMAIN)


def update(catalogue: Catalog, source: Mapping[str, tuple[tuple[str, int], ...]], pairs: Iterable[Pair]) -> None:
    """Make a catalogue hold the source's sentences and no others.

    Translations are kept, none is guessed; those of pairs are what their registry has, whatever stood in the catalogue.
    """
    kept = {(str(message.id), message.context): message.string for message in catalogue if message.id}
    for text, context in kept:
        catalogue.delete(text, context)
    for text, places in source.items():
        catalogue.add(text, kept.get((text, None), ""), places)
    english = catalogue.locale is not None and catalogue.locale.language == "en"
    for pair in pairs:
        catalogue.add(pair.chinese, pair.english if english else "", ((pair.file, 0),), context=pair.context)


def find_missing(catalogue: Catalog, language: str) -> tuple[str, ...]:
    """The sentences that a language has no words for: those in the other language without a translation.

    The Chinese of a pair is Chinese, even where it has none but names and codes.
    """
    return tuple(
        str(message.id)
        for message in catalogue
        if message.id
        and not message.string
        and is_foreign(str(message.id), language)
        and not (language == "zh" and message.context)
    )


def is_foreign(text: str, language: str) -> bool:
    """Whether a sentence of the source is in the other language; one without any words is in none."""
    chinese = _OF_CHINESE.search(text) is not None
    return chinese if language == "en" else not chinese and re.search("[A-Za-z]{2}", re.sub(r"\{[^}]*\}", "", text)) is not None


def write_catalogue(catalogue: Catalog, language: str) -> None:
    """Save a catalogue as text, without dates: the same sentences are the same bytes."""
    path = _path(language, "po")
    path.parent.mkdir(parents=True, exist_ok=True)
    out = io.BytesIO()
    write_po(out, catalogue, width=130, omit_header=True, sort_output=False, include_lineno=False)
    header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n\n'
    path.write_bytes((header + out.getvalue().decode("utf-8")).encode("utf-8"))


def compile_catalogue(catalogue: Catalog, language: str) -> None:
    """Save a catalogue in the form that is read when a command runs."""
    _path(language, "mo").write_bytes(compiled(catalogue))


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue in the form that is read when a command runs."""
    when = datetime(2000, 1, 1, tzinfo=UTC)
    bare = Catalog(catalogue.locale, DOMAIN, "", "bansha", "", creation_date=when, revision_date=when, fuzzy=False)
    for message in catalogue:
        if message.id and message.string:
            bare.add(message.id, message.string, context=message.context)
    out = io.BytesIO()
    write_mo(out, bare)
    return out.getvalue()


def read_compiled(language: str) -> bytes:
    """The compiled catalogue as it is kept."""
    return _path(language, "mo").read_bytes()


def _path(language: str, ending: str) -> Path:
    return FOLDER / LOCALES[language] / "LC_MESSAGES" / f"{DOMAIN}.{ending}"
