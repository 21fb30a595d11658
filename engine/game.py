"""game.toml: one game as the director wrote it, checked whole, so that nothing later meets a wrong file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from engine.calendar import Calendar, find_length, read_calendar
from engine.dayrules import DAY_RULES
from engine.days import find_seats, read_days, read_piper_out
from engine.gamefile import Section
from engine.ledger import PhaseKind
from engine.players import read_directors, read_seats
from engine.ruleset import RuleSet
from engine.rulesets import UnknownRuleSet, find_ruleset
from engine.secrets import NO_SECRETS, Secrets, load_secrets
from engine.sounds.speech import Speech, read_speech
from engine.switches import Value, read_switches, switch_policy
from engine.tomlfile import read_toml
from engine.votefacts import Round, read_facts, read_targets
from engine.votetable import FILE as VOTE_TABLE
from scraper.errors import BanshaError
from scraper.phrases import phrase
from tally.calendar import DayLength
from tally.day import Day
from tally.finding import Finding
from tally.policy import CardPolicy, TargetKind, VotePolicy
from tally.roster import Roster, Target


@dataclass(frozen=True, slots=True)
class Forum:
    """Where the game is played: the board's address ("" where the file names none), its zone, cookies, pace in seconds, and the
    version of the mobile API that is read instead of pages (None: pages)."""

    url: str
    zone: ZoneInfo
    cookies: Path | None
    interval: float
    api: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One game: its players, its days in order, its rules after every switch. Times are aware, in `zone`.

    `points` are the penalty points of each offence, where the director gives any. `length` is how long days are, None where
    nothing says so. `days` hold the facts that the file gives; `declared` tells, for the days on which the file says so, whether
    a speed-up holds, `piper_out` when the piper's exit was published. `rounds` are the further votes of days, `untold` the seats
    that are out on a day while nobody has told which number or vest went with them, `noted` what is to be said of a day's facts.
    `elevator` is the order of the characters in the 电梯楼, where the director has settled one.
    `secrets` are the director's, and nothing of them is for an output. `ended` tells that the game is over: everything is public.
    """

    path: Path
    title: str
    ruleset: RuleSet
    zone: ZoneInfo
    zone_name: str
    roster: Roster
    days: tuple[Day, ...]
    declared: Mapping[int, bool]
    policy: VotePolicy
    switches: Mapping[str, Value]
    forum: Forum
    calendar: Calendar
    cards: CardPolicy
    points: Mapping[str, int]
    speech: Speech
    given: Mapping[str, object]
    seed_commitment: str
    piper_out: datetime | None = None
    ended: bool = False
    exposed_secrets: bool = False
    length: DayLength | None = None
    secrets: Secrets = NO_SECRETS
    rounds: Mapping[int, tuple[Round, ...]] = field(default_factory=dict)
    untold: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    elevator: tuple[str, ...] = ()
    noted: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict)

    @property
    def database(self) -> Path:
        """The archive beside the game file: game.toml has game.db."""
        return self.path.with_suffix(".db")

    @property
    def ledger(self) -> Path:
        """The ledger beside the game file, which need not exist."""
        return self.path.parent / "ledger.txt"

    @property
    def vote_table(self) -> Path:
        """The votes that stand on no board, beside the game file; they need not exist."""
        return self.path.parent / VOTE_TABLE

    def day(self, number: int) -> Day | None:
        """The day of that number; None where the file has none."""
        return next((day for day in self.days if day.number == number), None)


def load_game(
    path: Path,
    *,
    switches: Mapping[str, object] | None = None,
    cards: Mapping[str, object] | None = None,
    before_days: bool = False,
) -> Game:
    """Read and check a game file (and the secrets beside it); GameFileError names file, line, key and the fix.

    A folder means the game.toml in it. `switches` and `cards` are laid over what the file says there. With `before_days` the
    file need not have a day yet: a game that was dealt, and whose first day has not been opened.
    """
    if path.is_dir():
        path = path / "game.toml"
    file = read_toml(path)
    for table, laid_over in (("switches", switches), ("cards", cards)):
        written = file.values.get(table, {})
        if laid_over and isinstance(written, dict):
            file.values[table] = {**written, **laid_over}
    root = Section(file, (), file.values)
    root.allow("game", "switches", "forum", "player", "day", "calendar", "cards", "speech", "given")
    for key, header in (("game", "[game]"), ("player", "[[player]]")):
        if not root.values.get(key):
            raise root.error(
                "",
                phrase("缺少 {header}", header=header),
                phrase("另起一行写 {header}，下面写它的键；`bansha demo --dir 文件夹` 里有一份完整的示例", header=header),
            )
    if not root.values.get("day") and not before_days:
        raise root.error(
            "", phrase("还没有哪一天"), phrase("bansha day {folder} 1 --vote 投票帖的地址 --opens 开门的时刻", folder=path.parent)
        )
    game = root.table("game")
    game.allow("title", "ruleset", "timezone", "directors", "seed_commitment", "vests", "elevator", "ended")
    game.need("ruleset")
    ruleset = _read_ruleset(game)
    zone_name, zone = _read_zone(game, "timezone", "Asia/Shanghai")
    forum = _read_forum(root.table("forum"), zone_name, path.parent)
    seats = read_seats(root.tables("player"), zone)
    directors = read_directors(game, seats)
    carding = root.table("cards")
    chosen = read_switches(root.table("switches"), ruleset.switches, ruleset.title)
    names = {word: seat.name for seat in seats for word in (*seat.aliases, seat.name)}
    calendar = read_calendar(root.table("calendar"))
    length = find_length(ruleset.id, calendar)
    known = length if calendar.written else None
    days, declared = read_days(root.tables("day"), names, zone, forum.url, ruleset, known)
    secrets = load_secrets(path.parent, ruleset, tuple(seat.name for seat in seats))
    policy = switch_policy(ruleset.vote, chosen, void_counts_as_vote=carding.boolean("void_counts_as_vote", True))
    if "vests" in game.values and policy.target is not TargetKind.VEST:
        raise game.error("vests", phrase("{title} 投票不写马甲", title=ruleset.title), phrase("删去 vests"))
    roster = Roster(
        tuple(replace(seat, role=secrets.roles.get(seat.name)) for seat in seats),
        directors,
        _read_targets(game, ruleset, len(seats), secrets, before_deal=before_days),
    )
    told = read_facts(root.tables("day"), days, names, zone, forum.url, policy, roster, secrets, chosen)
    return Game(
        path=path,
        title=game.text("title") or path.resolve().parent.name,
        ruleset=ruleset,
        zone=zone,
        zone_name=zone_name,
        roster=roster,
        days=told.days,
        declared=declared,
        policy=policy,
        switches=chosen,
        forum=forum,
        calendar=calendar,
        length=length,
        cards=_read_cards(carding, DAY_RULES[ruleset.id].points),
        points=_read_points(carding.table("points")),
        speech=read_speech(root.table("speech"), ruleset.id),
        given=_read_given(root.table("given"), names, named=policy.target in (TargetKind.CHARACTER, TargetKind.SEAT)),
        seed_commitment=game.text("seed_commitment"),
        elevator=find_seats(game, "elevator", game.texts("elevator"), names),
        ended=game.boolean("ended", False),
        piper_out=read_piper_out(root.tables("day"), zone),
        exposed_secrets=secrets.exposed,
        secrets=secrets,
        rounds=told.rounds,
        untold=told.untold,
    )


def _read_targets(
    game: Section, ruleset: RuleSet, seats: int, secrets: Secrets, *, before_deal: bool
) -> tuple[Target, ...] | None:
    """What votes may name; vests may still be missing where nothing has been dealt."""
    if before_deal and ruleset.vote.target is TargetKind.VEST and "vests" not in game.values and not secrets.vests:
        return ()
    return read_targets(game, ruleset, seats, secrets)


def _read_ruleset(game: Section) -> RuleSet:
    try:
        return find_ruleset(game.name("ruleset"))
    except UnknownRuleSet as unknown:
        raise game.error("ruleset", unknown.problem, unknown.fix) from None


def _read_zone(section: Section, key: str, default: str) -> tuple[str, ZoneInfo]:
    name = section.text(key, default)
    try:
        return name, ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # no such zone; the name of a folder of zones; a name that is a path
        near = difflib.get_close_matches(name, sorted(available_timezones()), n=1)
        raise section.error(
            key, phrase("没有 {name!r} 这个时区", name=name), phrase('如 "{near}"', near=near[0] if near else "Asia/Shanghai")
        ) from None


def _read_forum(forum: Section, zone_name: str, folder: Path) -> Forum:
    forum.allow("url", "timezone", "cookies", "interval", "api")
    _, zone = _read_zone(forum, "timezone", zone_name)
    url = forum.text("url")
    if url:
        from scraper.address import is_loopback, read_board

        try:
            url = read_board(url)
        except BanshaError as error:
            raise forum.error("url", error.args[0], phrase('写论坛首页的地址，如 "https://bbs.example.net/"')) from None
    interval = forum.number("interval", 2.0)
    if interval < 1 and not (url and is_loopback(url)):
        raise forum.error("interval", phrase("两次请求之间只隔 {interval} 秒", interval=interval), phrase("至少 1.0；默认 2.0"))
    cookies = forum.text("cookies")
    api = forum.integer("api")
    if api not in (None, 1, 4):
        raise forum.error("api", phrase("没有第 {api} 版的手机接口", api=api), phrase("写 1 或 4；不写就读电脑版页面"))
    return Forum(url, zone, folder / cookies if cookies else None, interval, api)


def _read_cards(cards: Section, sent_off_at: int | None) -> CardPolicy:
    cards.allow("min_posts", "min_chars", "yellow_to_red", "points", "void_counts_as_vote", "substitute_grace")
    return CardPolicy(
        min_posts=cards.integer("min_posts"),
        min_chars=cards.integer("min_chars"),
        substitute_grace=cards.boolean("substitute_grace", True),
        yellow_to_red=cards.integer("yellow_to_red", 2, least=1) or 2,
        points=_read_points(cards.table("points")),
        sent_off_at=sent_off_at,
    )


def _read_points(points: Section) -> dict[str, int]:
    return {offence: points.integer(offence) or 0 for offence in points.values}


def _read_given(given: Section, names: Mapping[str, str], *, named: bool) -> dict[str, object]:
    """The facts at the start of a game taken up in the middle: names are checked here, the engine reads the rest."""
    given.allow("phase", "sheriff", "lovers", "chanted", "out", "used", "lost", "souls", "published", "barred")
    if "phase" in given.values:
        phase = given.text("phase")
        if phase[:1] not in tuple(PhaseKind) or not phase[1:].isdigit():
            raise given.error("phase", phrase("{phase!r} 不是阶段", phase=phase), phrase('写 夜N 或 日N，如 phase = "日3"'))
    for key in ("lovers", "chanted", "souls", "published", "barred"):
        find_seats(given, key, given.texts(key), names)
    if len(lovers := {names[word] for word in given.texts("lovers")}) not in (0, 2) or len(given.texts("lovers")) != len(lovers):
        raise given.error("lovers", phrase("情侣不是两名玩家"), phrase('写成 lovers = ["饺子", "包子"]'))
    gone = _read_gone(given, names, strict=named)
    if given.values.get("sheriff"):
        (sheriff,) = find_seats(given, "sheriff", (given.text("sheriff"),), names)
        if sheriff in gone:
            raise given.error("sheriff", phrase("{name} 已经出局", name=sheriff), phrase('写继任的警长，没有就写 ""'))
    return dict(given.values)


def _read_gone(given: Section, names: Mapping[str, str], *, strict: bool) -> tuple[str, ...]:
    """Who is out at the start, in order: each a name, or a name and a cause."""
    value = given.values.get("out", [])
    rows = [item if isinstance(item, list) else [item] for item in value] if isinstance(value, list) else [[]]
    if not all(len(row) in (1, 2) and all(isinstance(word, str) for word in row) for row in rows):
        example = phrase('写成 out = [["饺子", "投票"], ["包子", "杀人"]]')
        raise given.error("out", phrase("应该是一列名字和原因"), example)
    words = [str(row[0]) for row in rows]
    # Where votes name a number or a vest the engine knows whose it is.
    return find_seats(given, "out", tuple(word for word in words if strict or word in names), names)
