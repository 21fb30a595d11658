"""Who plays a new game: the accounts that threads tell, under the names that the director gives them.

Nobody is put on the list, or left out of it, without a word: what is not plain is asked, else it is a remark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.asking import Asker
from engine.gamefile import Section
from engine.players import read_seats
from engine.report.safe import show
from engine.starting.newgame import NewPlayer
from engine.starting.threads import ANONYMOUS, Kind, Poster, Told
from engine.tomlfile import TomlFile
from scraper.errors import GameFileError, UsageError
from scraper.phrases import Phrase, listing, phrase

# More names than anybody reads.
_MOST = 30


@dataclass(frozen=True, slots=True)
class Roster:
    """The players in the order in which they were met, and what to look at."""

    players: tuple[NewPlayer, ...]
    remarks: tuple[str, ...] = ()


@dataclass(slots=True)
class _Met:
    """Everybody whom the threads name, an account by its uid where it has one: it may have changed its name."""

    players: dict[object, tuple[Poster, Kind]] = field(default_factory=dict)
    unclear: dict[object, Poster] = field(default_factory=dict)
    left: dict[object, Poster] = field(default_factory=dict)
    renamed: list[tuple[str, str]] = field(default_factory=list)


def settle_roster(
    threads: Sequence[Told],
    given: Sequence[str],
    without: Sequence[str],
    directors: set[str],
    asker: Asker | None,
    *,
    seats: bool = True,
) -> Roster:
    """The roster: `given` are `name=account` or a name, `without` accounts that do not play. UsageError names what to write.

    `seats` are players whose names stand in a game file; people who will play them may be called anything.
    """
    met = _meet(threads)
    # An account that cannot be typed is written as it is shown.
    shown = {show(poster.account): poster.account for met_as in (met.unclear, met.left) for poster in met_as.values()}
    shown |= {show(poster.account): poster.account for poster, _ in met.players.values()}
    wanted = {name: shown.get(account, account) for name, account in _read_players(given).items()}
    without = [shown.get(account, account) for account in without]
    aside = {*directors, *without}
    by_account = {account: name for name, account in wanted.items()}
    players = [
        NewPlayer(by_account.get(poster.account, poster.account), poster.account, poster.uid, f"{kind} {poster.floor}")
        for poster, kind in met.players.values()
        if poster.account not in aside
    ]
    listed = {player.account for player in players}
    known = {poster.account: poster for poster in (*met.unclear.values(), *met.left.values())}
    for name, account in wanted.items():
        if account not in listed:
            players.append(_add(name, account, known.get(account)))
    listed |= {*wanted.values()}
    doubtful = [poster for poster in met.unclear.values() if poster.account not in {*aside, *listed}]
    if asker is not None:
        for poster in [one for one in doubtful if one.account != ANONYMOUS]:
            doubtful.remove(poster)
            if asker.confirm(phrase("{account} 要玩吗", account=poster.account), False):
                players.append(NewPlayer(poster.account, poster.account, poster.uid, f"{Kind.SIGN_UP} {poster.floor}"))
    strange = _list_strange(threads, players)
    if asker is not None and strange:
        players = [_ask_name(player, strange, asker) for player in players]
        strange = _list_strange(threads, players)
    if not players:
        raise UsageError(phrase("帖子里没有找到玩家。改法：用 --player 角色=账号 写出来，或给报名帖、投票帖的地址。"))
    checked = tuple(_check_names(players, asker) if seats else players)
    remarks = _list_remarks(threads, met, checked, doubtful, wanted, without, aside)
    if strange:
        remarks.append(phrase("票里还写了 {names}：是谁的角色，就改他的 name 或 aliases。", names=listing(strange[:_MOST])))
    return Roster(checked, tuple(remarks))


def _read_players(given: Sequence[str]) -> dict[str, str]:
    """Accounts by the names that the director gave; UsageError where one stands twice, or a word is no player."""
    wanted: dict[str, str] = {}
    for word in given:
        name, mark, account = (part.strip() for part in word.replace("＝", "=").partition("="))
        account = account or name
        if not name or (mark and not word.replace("＝", "=").partition("=")[2].strip()):
            raise UsageError(phrase("--player {word!r} 读不懂。改法：写成 --player 角色=账号，或 --player 账号。", word=word))
        if name in wanted or account in wanted.values():
            raise UsageError(phrase("--player {word!r}: 这个角色或账号写了两次。改法：一名玩家写一次。", word=word))
        wanted[name] = account
    return wanted


def _meet(threads: Sequence[Told]) -> _Met:
    met = _Met()
    names: dict[object, str] = {}
    for told in threads:
        for poster in (*told.players, *told.unclear, *told.left):
            key = _key(poster)
            before = names.setdefault(key, poster.account)
            if before != poster.account:
                met.renamed.append((before, poster.account))
                names[key] = poster.account
        for poster in told.players:
            met.players.setdefault(_key(poster), (poster, told.kind))
        for poster in told.unclear:
            met.unclear.setdefault(_key(poster), poster)
        for poster in told.left:
            met.left.setdefault(_key(poster), poster)
    # Under its last name; and whoever plays by one thread plays.
    met.players = {key: (replace(poster, account=names[key]), kind) for key, (poster, kind) in met.players.items()}
    met.left = {key: poster for key, poster in met.left.items() if key not in met.players}
    met.unclear = {key: poster for key, poster in met.unclear.items() if key not in met.players and key not in met.left}
    return met


def _key(poster: Poster) -> object:
    return poster.account if poster.uid is None else poster.uid


def _add(name: str, account: str, poster: Poster | None) -> NewPlayer:
    """A player whom the director named, and no thread."""
    return NewPlayer(name, account) if poster is None else NewPlayer(name, account, poster.uid, poster.floor)


def _list_strange(threads: Sequence[Told], players: Sequence[NewPlayer]) -> list[str]:
    """Targets of ballots that are nobody's name."""
    known = {word for player in players for word in (player.name, player.account)}
    return [name for name in dict.fromkeys(name for told in threads for name in told.named) if name not in known]


def _ask_name(player: NewPlayer, strange: Sequence[str], asker: Asker) -> NewPlayer:
    name = asker.text(phrase("账号 {account} 的角色名（票上怎么写他）", account=player.account), player.name, strange).strip()
    return replace(player, name=name or player.name)


def _check_names(players: Sequence[NewPlayer], asker: Asker | None) -> Iterator[NewPlayer]:
    """Each player under a name that a game file takes: another one is asked for where it does not, else its option is named."""
    taken: list[NewPlayer] = []
    for player in players:
        named = player
        while (problem := _find_problem([*taken, named])) is not None:
            if _find_problem([replace(player, name="甲")]) is not None:
                raise UsageError(
                    phrase(
                        '账号 {account}：{problem}改法：这个账号写不进比赛文件，不列入：--without "{account}"。',
                        account=player.account,
                        problem=problem,
                    )
                )
            if asker is None:
                raise UsageError(
                    phrase(
                        '账号 {account}：{problem}改法：另起角色名：--player "角色名={account}"；不玩：--without "{account}"。',
                        account=player.account,
                        problem=problem,
                    )
                )
            name = asker.text(phrase("账号 {account}：{problem} 换一个角色名", account=player.account, problem=problem)).strip()
            named = replace(player, name=name or player.name)
        taken.append(named)
        yield named


def _find_problem(players: Sequence[NewPlayer]) -> Phrase | None:
    """Why the last of these cannot stand in a game file beside the others; None where he can."""
    file = TomlFile("game.toml", {}, {})
    rows: list[dict[str, object]] = [
        {"name": one.name, "account": one.account, **({"uid": one.uid} if one.uid is not None else {})} for one in players
    ]
    try:
        read_seats(tuple(Section(file, ("player", place), row) for place, row in enumerate(rows)))
    except GameFileError as error:
        told = error.args[0].parameters if error.args and isinstance(error.args[0], Phrase) else {}
        return phrase("{problem}。", problem=told.get("problem", error))
    return None


def _list_remarks(
    threads: Sequence[Told],
    met: _Met,
    players: Sequence[NewPlayer],
    doubtful: Sequence[Poster],
    wanted: dict[str, str],
    without: Sequence[str],
    aside: set[str],
) -> list[str]:
    remarks: list[str] = []
    accounts = {player.account for player in players}
    if doubtful:
        names = listing(sorted({poster.account for poster in doubtful}))
        remarks.append(phrase("{names} 发过言，看不出是不是要玩，没有列入。", names=names))
    if gone := sorted({poster.account for poster in met.left.values()} - accounts - aside):
        remarks.append(phrase("{names} 说了不玩（退出、取消），没有列入。", names=listing(gone)))
    for before, after in met.renamed:
        if after in accounts:
            remarks.append(phrase("账号 {before} 改名叫 {after}。", before=before, after=after))
    seen = {poster.account for poster, _ in met.players.values()} | {
        poster.account for told in threads for poster in (*told.players, *told.unclear, *told.left, told.opener)
    }
    if unseen := [account for account in wanted.values() if account not in seen]:
        remarks.append(phrase("帖子里没有账号 {names}：核对是不是写错了。", names=listing(unseen)))
    if unmet := [account for account in without if account not in seen]:
        remarks.append(phrase("--without 的 {names} 不在帖子里：核对是不是写错了。", names=listing(unmet)))
    if not any(told.kind is Kind.SIGN_UP for told in threads) and met.players:
        remarks.append(phrase("名单里是投过票的账号：没投票的、已出局的要自己补（--player，或在 game.toml 写 [[player]]）。"))
    for told in threads:
        if told.kind is Kind.UNKNOWN:
            remarks.append(phrase("帖子 {tid}《{title}》看不出是做什么的，没有用上。", tid=told.tid, title=told.title))
    return remarks
