"""A scenario: one TOML file with players, facts, a ledger and what must come of them (contract: "A scenario").

It is the engine's own deck: `bansha replay FILE.toml` runs one, a test runs all. An alternative is the same case under other
switches, facts or lines, with its own expectations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from zoneinfo import ZoneInfo

from engine.gamefile import Section, suggest
from engine.ledger import Event, Phase, PhaseKind, parse_ledger
from engine.play.start import Given, GivenError
from engine.play.table import Player, Table, make_table
from engine.ruleset import RuleSet
from engine.rulesets import UnknownRuleSet, find_playable
from engine.scenario_sounds import Breach, WrittenPost, read_breaches, read_posts
from engine.switches import Value, read_switches, switch_policy
from engine.tomlfile import read_toml
from scraper.errors import GameFileError
from scraper.phrases import listing, phrase

ZONE = ZoneInfo("Asia/Shanghai")

_EXPECTED = (
    "out",
    "sheriff",
    "lost",
    "winner",
    "chanted",
    "souls",
    "refused",
    "notices",
    "lost_skills",
    "votes",
    "last_words",
    "breaches",
)


@dataclass(frozen=True, slots=True)
class Expect:
    """What must come of a case; None is not compared.

    `out` are seats with their causes ("" leaves it unchecked), `sheriff` those of whom one must be it (none: nobody is),
    `notices` the addressee and the parts of one message, `votes` the weighted votes by phase and target, `breaches` those of all
    posts.
    """

    out: tuple[tuple[str, str], ...] | None = None
    sheriff: tuple[str, ...] | None = None
    lost: tuple[str, ...] | None = None
    winner: tuple[str, ...] | None = None
    chanted: frozenset[str] | None = None
    souls: frozenset[str] | None = None
    refused: tuple[str, ...] | None = None
    notices: tuple[tuple[str, tuple[str, ...]], ...] | None = None
    lost_skills: frozenset[str] | None = None
    votes: Mapping[str, Mapping[str, int]] | None = None
    last_words: tuple[str, ...] | None = None
    breaches: tuple[Breach, ...] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One run of a scenario: the file's own, or one of its alternatives. `given.phase` None begins where the ledger does."""

    name: str
    title: str
    ruleset: RuleSet
    players: tuple[Player, ...]
    seed: str
    switches: Mapping[str, Value]
    chosen: tuple[str, ...]
    given: Given
    events: tuple[Event, ...]
    expect: Expect
    posts: tuple[WrittenPost, ...] = ()
    spare: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    clans: tuple[int, ...] = ()

    def seat_table(self) -> Table:
        """The table of this case, under its switches."""
        policy = switch_policy(self.ruleset.vote, self.switches, void_counts_as_vote=True)
        assert self.ruleset.play is not None
        play = self.ruleset.play(self.switches, policy)
        return make_table(play, self.players, self.seed, spare=self.spare, faces=self.faces, clans=self.clans)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A file: what it is about, the clause that it rests on, and its cases, the file's own first.

    `tags` are the switches that change what comes out when they are turned.
    """

    path: Path
    id: str
    title: str
    basis: str
    clause: str
    cases: tuple[Case, ...]
    tags: tuple[str, ...] = ()


def load_scenario(path: Path) -> Scenario:
    """Read a scenario; GameFileError names the line that is wrong, LedgerError the line of the ledger."""
    file = read_toml(path)
    root = Section(file, (), file.values)
    root.allow(
        *("id", "title", "ruleset", "basis", "clause", "ledger", "seed", "source", "note", "tags"),
        *("given", "switches", "player", "expect", "alternative", "post", "spare", "faces", "clans"),
    )
    root.need("id", "ruleset")
    ruleset = _read_ruleset(root)
    switches = root.table("switches")
    players = tuple(_read_player(section, ruleset) for section in root.tables("player"))
    base = Case(
        name=root.text("id"),
        title=root.text("title"),
        ruleset=ruleset,
        players=players,
        seed=root.text("seed"),
        switches=read_switches(switches, ruleset.switches, ruleset.title, need_all=False),
        chosen=tuple(switches.values),
        given=Given(),
        events=(),
        expect=Expect(),
        posts=read_posts(root.tables("post")),
        spare=_read_cards(root, "spare", ruleset) or _read_cards(root.table("given"), "spare", ruleset),
        faces=_read_cards(root, "faces", ruleset) or _read_cards(root.table("given"), "faces", ruleset),
        clans=_read_clans(root, players),
    )
    own = _read_case(root, root, base, players)
    cases = [own]
    for place, section in enumerate(root.tables("alternative"), 1):
        section.allow("title", "switches", "given", "ledger", "expect", "basis", "clause", "seed", "note")
        cases.append(_read_alternative(section, root, own, place))
    return Scenario(
        path,
        base.name,
        base.title,
        root.choice("basis", ("text", "default"), "text"),
        root.text("clause"),
        tuple(cases),
        _read_tags(root, cases),
    )


def _read_tags(root: Section, cases: list[Case]) -> tuple[str, ...]:
    """`tags` of a file; without them the switches that it sets in one of its cases."""
    known = [switch.name for switch in cases[0].ruleset.switches]
    tags = root.texts("tags")
    for tag in tags:
        if tag not in known:
            raise root.error(
                "tags", phrase("{title} 没有开关 {tag!r}", title=cases[0].ruleset.title, tag=tag), suggest(tag, known)
            )
    return tags if "tags" in root.values else tuple(dict.fromkeys(name for case in cases for name in case.chosen))


def _read_ruleset(root: Section) -> RuleSet:
    try:
        return find_playable(root.name("ruleset"))
    except UnknownRuleSet as unknown:
        raise root.error("ruleset", unknown.problem, unknown.fix) from None


def _read_cards(section: Section, key: str, ruleset: RuleSet) -> tuple[str, ...]:
    """Cards that no seat was dealt: those that were left over (spare), or that lie aside to be borrowed (faces)."""
    cards = []
    for written in section.texts(key):
        role = ruleset.role(written)
        if role is None:
            known = [word for known in ruleset.roles for word in (known.name, *known.aliases)]
            raise section.error(
                key, phrase("{title} 没有 {written!r} 这个身份", title=ruleset.title, written=written), suggest(written, known)
            )
        cards.append(role)
    return tuple(cards)


def _read_clans(section: Section, players: tuple[Player, ...]) -> tuple[int, ...]:
    """clans = [[names of the first], [names of the second]], or each player's clan: which he is of; () where they are drawn."""
    rows = [list(row) for row in _rows(section, "clans")]
    told = [player.text("clan") for player in section.tables("player")]
    if not rows and any(told):
        rows = [[one.name for one, clan in zip(players, told, strict=True) if clan == name] for name in sorted(set(told) - {""})]
    if not rows:
        return ()
    found = {name: number for number, names in enumerate(rows) for name in names}
    missing = [player.name for player in players if player.name not in found]
    if len(rows) != 2 or missing:
        raise section.error(
            "clans",
            phrase("两个宗族要写全所有玩家，缺 {value}", value=listing(missing) or phrase("一个宗族")),
            phrase('clans = [["甲"], ["乙"]]'),
        )
    return tuple(found[player.name] for player in players)


def _read_player(section: Section, ruleset: RuleSet) -> Player:
    section.allow("name", "role", "number", "vest", "aliases", "games", "account", "uid", "camp", "person", "clan")
    section.need("name", "role")
    written = section.name("role")
    role = ruleset.role(written)
    if role is None:
        known = [word for known in ruleset.roles for word in (known.name, *known.aliases)]
        raise section.error(
            "role", phrase("{title} 没有 {written!r} 这个身份", title=ruleset.title, written=written), suggest(written, known)
        )
    return Player(
        section.name("name"),
        role,
        section.integer("number", least=1),
        section.texts("aliases"),
        section.integer("games"),
        section.name("vest") if "vest" in section.values else None,
    )


def _read_case(section: Section, root: Section, base: Case, players: tuple[Player, ...]) -> Case:
    """The parts that an alternative may have of its own: ledger, given, expect."""
    events = base.events
    if "ledger" in section.values:
        text = section.values["ledger"]
        if not isinstance(text, str):
            raise section.wrong("ledger", phrase("多行文字"), phrase('ledger = """\\n夜1 狼甲 杀人 9\\n"""'))
        events = parse_ledger(text, ZONE, f"{section.file.name} ledger")
    given = _read_given(section.table("given"), base.given) if "given" in section.values else base.given
    case = replace(base, given=given, events=events, expect=read_expect(section.table("expect")))
    _check_players(root, case)
    return case


def _read_alternative(section: Section, root: Section, own: Case, place: int) -> Case:
    switches = section.table("switches")
    merged = Section(section.file, switches.path, {**root.table("switches").values, **switches.values})
    case = replace(
        own,
        name=f"{own.name} ({place})",
        title=section.text("title", own.title),
        seed=section.text("seed", own.seed),
        switches=read_switches(merged, own.ruleset.switches, own.ruleset.title, need_all=False),
        chosen=tuple(merged.values),
    )
    return _read_case(section, root, case, own.players)


def _check_players(root: Section, case: Case) -> None:
    try:
        case.seat_table()
    except ValueError as error:
        raise root.error("player", str(error), phrase("改 [[player]] 的 name、role 或 number")) from None


def _read_given(section: Section, base: Given) -> Given:
    """The facts at the start, laid over those of the file."""
    section.allow(
        "phase", "sheriff", "lovers", "chanted", "out", "used", "lost", "souls", "published", "barred", "cursed", "spare", "faces"
    )
    phase = base.phase
    if "phase" in section.values:
        text = section.text("phase")
        if text[:1] not in tuple(PhaseKind) or not text[1:].isdigit():
            raise section.error("phase", phrase("{text!r} 不是阶段", text=text), phrase('写 夜N 或 日N，如 phase = "日3"'))
        phase = Phase(PhaseKind(text[0]), int(text[1:]))
    lovers = _names(section, "lovers", base.lovers)
    if len(lovers) not in (0, 2):
        raise section.error(
            "lovers", phrase("情侣有 {lovers} 人", lovers=len(lovers)), phrase('写两名玩家，如 lovers = ["饺子", "包子"]')
        )
    out = (
        tuple((row[0], row[1] if len(row) > 1 else "") for row in _rows(section, "out")) if "out" in section.values else base.out
    )
    used = tuple(" ".join(row) for row in _rows(section, "used")) if "used" in section.values else base.used
    return Given(
        phase=phase,
        sheriff=section.text("sheriff", base.sheriff),
        lovers=lovers,
        chanted=_names(section, "chanted", base.chanted),
        out=out,
        used=used,
        lost=_names(section, "lost", base.lost),
        barred=_names(section, "barred", base.barred),
        souls=_names(section, "souls", base.souls),
        published=_names(section, "published", base.published),
        cursed=_names(section, "cursed", base.cursed),
    )


def _names(section: Section, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
    return section.texts(key) if key in section.values else default


def _rows(section: Section, key: str) -> list[tuple[str, ...]]:
    """A list of lists of texts; a text alone is a list of one."""
    value = section.values.get(key, [])
    if not isinstance(value, list):
        raise section.wrong(key, phrase("一列"), phrase('{key} = [["长老", "指杀"]]', key=key))
    rows = []
    for item in value:
        row = item if isinstance(item, list) else [item]
        if not row or not all(isinstance(part, str) for part in row):
            raise section.wrong(key, phrase("一列文字"), phrase('{key} = [["长老", "指杀"]]', key=key))
        rows.append(tuple(row))
    return rows


def read_expect(section: Section) -> Expect:
    """[expect] of a scenario, or [outcome] of a recorded case."""
    section.allow(*_EXPECTED)
    values = section.values
    sheriff = None
    if "sheriff" in values:
        sheriff = (
            section.texts("sheriff") if isinstance(values["sheriff"], list) else tuple(filter(None, [section.text("sheriff")]))
        )

    def some(key: str) -> tuple[str, ...] | None:
        return section.texts(key) if key in values else None

    def group(key: str) -> frozenset[str] | None:
        return frozenset(section.texts(key)) if key in values else None

    return Expect(
        out=tuple((row[0], row[1] if len(row) > 1 else "") for row in _rows(section, "out")) if "out" in values else None,
        sheriff=sheriff,
        lost=some("lost"),
        winner=some("winner"),
        chanted=group("chanted"),
        souls=group("souls"),
        refused=some("refused"),
        notices=tuple((row[0], tuple(" ".join(row[1:]).split())) for row in _rows(section, "notices"))
        if "notices" in values
        else None,
        lost_skills=group("lost_skills"),
        votes=_read_votes(section) if "votes" in values else None,
        last_words=some("last_words"),
        breaches=read_breaches(section, "breaches") if "breaches" in values else None,
    )


def _read_votes(section: Section) -> dict[str, dict[str, int]]:
    votes = section.table("votes")
    found = {}
    for phase in votes.values:
        counts = votes.table(phase)
        found[phase] = {target: counts.integer(target) or 0 for target in counts.values}
    return found


def given_error(scenario_path: Path, error: GivenError) -> GameFileError:
    """A fact of [given] that cannot be, as an error of the file."""
    return GameFileError(
        phrase(
            "{scenario_path}: given.{key}: {problem}。改法：写 [[player]] 里的名字。",
            scenario_path=scenario_path,
            key=error.key,
            problem=error.problem,
        )
    )
