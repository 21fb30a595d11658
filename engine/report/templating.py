"""Posts as templates that a director may override: Jinja2 over BBCode, where every value is escaped unless it is code already.

A template of the game's own folder, `templates/NAME.bbcode`, goes before ours. It is run in a sandbox: a folder that was handed
over can write a strange post, and do nothing else. What each template is given stands in `engine.report.templatewords`.
"""

from __future__ import annotations

import difflib
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from engine.game import Game
from engine.report.safe import escape_bbcode
from engine.report.templatewords import Template, list_names
from engine.textfile import read_text
from scraper.errors import UsageError
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["FOLDER", "MOST_STEPS", "NAMES", "Code", "Template", "check_folder", "check_templates", "render"]

FOLDER = "templates"
_OURS = Path(__file__).parent / FOLDER
# What lies in a folder without being a template: files that a system or an editor leaves there, and a note to oneself.
_ASIDE = re.compile(r"\.|desktop\.ini$|thumbs\.db$|.*~$|readme", re.IGNORECASE)
# So many lines of a template are run for one post: more is a loop that does not end.
MOST_STEPS = 500_000
_UNDEFINED = re.compile(r"'(\w+)' is undefined")
_NO_PART = re.compile(r"'.+ object' has no attribute '(\w+)'")


NAMES = tuple(f"{template}.bbcode" for template in Template)


class Code(str):
    """BBCode that is written as it stands; any other text is shown to the letter, and escaped where the two are joined."""

    __slots__ = ()

    def __add__(self, other: str) -> Code:
        return Code(f"{self!s}{_write(other)}")

    def __radd__(self, other: str) -> Code:
        return Code(f"{_write(other)}{self!s}")

    def strip(self, chars: str | None = None, /) -> Code:
        return Code(str(self).strip(chars))


class _EndlessError(Exception):
    """A template runs on and on."""


def render(template: Template, game: Game, /, **values: object) -> str:
    """A post from its template. UsageError names the file and line of a template that is broken, and what is wrong.

    Whatever a template leaves out, a post that is `provisional` is marked.
    """
    from jinja2 import TemplateSyntaxError

    check_folder(game)
    name = f"{template}.bbcode"
    try:
        with _bounded():
            text = _make_environment(game).get_template(name).render(**values)
    except UsageError:
        raise
    except TemplateSyntaxError as error:
        raise _broken(error.filename or name, error.lineno, error.message or "") from None
    except Exception as error:
        # Whatever a template of his own does wrong; an error of ours is none of the director's.
        place = _find_line(error, game)
        if place is None:
            raise
        raise _broken(*place, _explain(error, values)) from None
    own = game.path.parent / FOLDER / name
    if not text.strip() and own.is_file():
        raise _broken(str(own), 1, phrase("它什么也没有写"))
    mark = str(values.get("provisional") or "")
    return text if mark in text else f"{text.rstrip()}\n[color=red][b]【{escape_bbcode(mark)}】[/b][/color]\n"


def check_folder(game: Game) -> None:
    """UsageError for a file of the game's templates folder that no post is made from: a slip in a name would do nothing."""
    folder = game.path.parent / FOLDER
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name in NAMES or not path.is_file() or _ASIDE.match(path.name):
            continue
        near = difflib.get_close_matches(path.name.lower().split(".")[0], [*Template], 1, 0.6)
        fix = phrase("改名为 {near}.bbcode", near=near[0]) if near else phrase("模板的名字有 {names}", names=listing(NAMES))
        raise UsageError(phrase("{path}: 没有叫这个名字的模板，它不起作用。改法：{fix}，或把它移走。", path=path, fix=fix))


def check_templates(game: Game) -> int:
    """Read each template of the game's own folder before a post hangs on it; returns how many there are.

    UsageError for the first that is broken, or uses a name that it is not given.
    """
    from jinja2 import TemplateSyntaxError, meta, nodes

    check_folder(game)
    environment, found = _make_environment(game), 0
    for template in Template:
        path = game.path.parent / FOLDER / f"{template}.bbcode"
        if not path.is_file():
            continue
        found += 1
        try:
            tree = environment.parse(read_text(path), path.name, str(path))
            environment.compile(tree, path.name, str(path))
        except TemplateSyntaxError as error:
            raise _broken(str(path), error.lineno, error.message or "") from None
        known = list_names(template)
        strange = meta.find_undeclared_variables(tree) - {*known, *environment.globals}
        for one in tree.find_all(nodes.Name):
            if one.name in strange:
                raise _broken(str(path), one.lineno, _unknown(one.name, known))
    return found


def _find_line(error: Exception, game: Game) -> tuple[str, int] | None:
    """The file and line of the director's template in which an error arose; None for an error of ours."""
    own = {str(game.path.parent / FOLDER / name) for name in NAMES}
    places = [(frame.filename, frame.lineno or 1) for frame in traceback.extract_tb(error.__traceback__)]
    return next((place for place in reversed(places) if place[0] in own), None)


def _explain(error: Exception, values: dict[str, object]) -> str:
    from jinja2 import TemplateNotFound

    if isinstance(error, _EndlessError):
        return phrase("循环太长，写不完")
    if isinstance(error, RecursionError):
        return phrase("它一层层套着自己")
    if unknown := _UNDEFINED.fullmatch(str(error)):
        return _unknown(unknown[1], values)
    if part := _NO_PART.fullmatch(str(error)):
        return phrase("前面的值没有 {name} 这一项", name=part[1])
    if isinstance(error, TemplateNotFound):
        return phrase("没有 {name} 这个模板", name=error.name or "")
    # What a rule of ours forbids is a phrase; the library's own words stand as they are.
    return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)


def _unknown(name: str, known: Iterable[str]) -> str:
    return phrase("没有 {name} 这个变量，可以用的有 {names}", name=name, names=listing(known))


def _broken(path: str, line: int, problem: str) -> UsageError:
    return UsageError(
        phrase(
            "{path}:{line}: 模板写得不对（{problem}）。改法：改这一行，或删去这个文件，就用原来的模板。",
            path=path,
            line=line,
            problem=problem,
        )
    )


@contextmanager
def _bounded() -> Iterator[None]:
    """Count the lines of templates that are run, and end what goes beyond."""
    left = MOST_STEPS

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith(".bbcode"):
            return None
        if event == "line":
            left -= 1
            if left < 0:
                raise _EndlessError
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)


def _find(game: Game, name: str) -> Path:
    """The director's own template, else ours."""
    own = game.path.parent / FOLDER / name
    return own if own.is_file() else _OURS / name


def _make_environment(game: Game) -> Environment:
    from jinja2 import FunctionLoader, StrictUndefined, TemplateNotFound, nodes, pass_context
    from jinja2.exceptions import SecurityError
    from jinja2.filters import make_attrgetter
    from jinja2.sandbox import ImmutableSandboxedEnvironment
    from jinja2.visitor import NodeTransformer

    class Marker(NodeTransformer):
        """What a template says itself is code, and stays so where it is put beside a value."""

        def visit_Const(self, node: nodes.Const) -> nodes.Expr:
            return _filter(node, _OWN) if isinstance(node.value, str) else node

        def visit_Concat(self, node: nodes.Concat) -> nodes.Expr:
            parts = [self.visit(part) for part in node.nodes]
            return _filter(nodes.List(parts, lineno=node.lineno), "join")

        def visit_Include(self, node: nodes.Include) -> nodes.Include:
            return node

        def visit_Extends(self, node: nodes.Extends) -> nodes.Extends:
            return node

        def visit_Import(self, node: nodes.Import) -> nodes.Import:
            return node

        def visit_FromImport(self, node: nodes.FromImport) -> nodes.FromImport:
            return node

    def _filter(node: nodes.Expr, name: str) -> nodes.Filter:
        return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno, environment=environment)

    class Sandbox(ImmutableSandboxedEnvironment):
        """Runs nothing that reaches outside, and makes no text of a size that nobody asked for."""

        intercepted_binops = frozenset(("*", "**", "%"))
        # What a macro or a block gives was written already.
        concat = staticmethod(lambda parts: Code("".join(parts)))

        def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
            tree: nodes.Template = Marker().visit(super()._parse(source, name, filename))
            return tree

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if operator == "**" or not all(isinstance(one, int | float) for one in (left, right)):
                raise SecurityError(phrase("{operator} 只能用于数", operator=operator))
            return super().call_binop(context, operator, left, right)

        def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
            return attr not in _WIDE and super().is_safe_attribute(obj, attr, value)

    def load(name: str) -> tuple[str, str, Callable[[], bool]]:
        if name not in NAMES:
            raise TemplateNotFound(name)
        path = _find(game, name)
        return read_text(path), str(path), lambda: True

    environment = Sandbox(
        loader=FunctionLoader(load),
        undefined=StrictUndefined,
        finalize=_write,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )

    # With a context, so that none of them is worked out while a template is compiled, where code would be taken for text.
    @pass_context
    def join(context: object, value: Iterable[object], between: str = "", attribute: str | int | None = None) -> Code:
        parts = value if attribute is None else map(make_attrgetter(environment, attribute), value)
        return Code(_write(between).join(map(_write, parts)))

    @pass_context
    def replace(context: object, value: object, old: object, new: object, count: int = -1) -> str:
        if not isinstance(value, Code):
            return str(value).replace(str(old), str(new), count)
        return Code(str(value).replace(str(old), _write(new), count))

    @pass_context
    def own(context: object, value: str) -> Code:
        return Code(value)

    environment.filters.update({"join": join, "replace": replace, _OWN: own})
    for name in _WIDE & environment.filters.keys():
        del environment.filters[name]
    return environment


# The filter behind every text that stands in a template; no name that a template can write.
_OWN = "its own"
# What makes a text as wide as a number says.
_WIDE = frozenset(("center", "ljust", "rjust", "zfill", "expandtabs", "format", "format_map", "indent", "wordwrap"))


def _write(value: object) -> str:
    return value if isinstance(value, Code) else escape_bbcode(str(value))
