"""[[player]] and `directors` of game.toml: who plays, under which accounts."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from engine.called import Words
from engine.gamefile import Section
from scraper.phrases import phrase
from tally.roster import Account, Seat


def read_seats(players: tuple[Section, ...], zone: tzinfo = UTC) -> tuple[Seat, ...]:
    """Every player; no two share a name, alias, account or uid, since a vote for one would be a vote for both."""
    seats: list[Seat] = []
    words = Words(phrase("玩家"), phrase("两名玩家"), act=True)
    accounts: dict[str, str] = {}
    uids: dict[int, str] = {}
    for player in players:
        player.allow("name", "account", "uid", "aliases", "games")
        player.need("name")
        name = player.name("name")
        account = player.name("account") if "account" in player.values else name
        uid = player.integer("uid", least=1)
        aliases, later = _read_aliases(player, name, zone)
        words.begin(player, "name", name)
        for alias in (*aliases, *(word for word, _ in later)):
            words.add(player, "aliases", alias, name)
        if account in accounts:
            raise player.error(
                "account" if "account" in player.values else "name",
                phrase("账号 {account!r} 已是 {accounts} 的", account=account, accounts=accounts[account]),
                phrase("一个账号只属一名玩家"),
            )
        if uid is not None and uid in uids:
            raise player.error(
                "uid", phrase("uid {uid} 已是 {uids} 的", uid=uid, uids=uids[uid]), phrase("一个 uid 只属一名玩家")
            )
        accounts[account] = name
        if uid is not None:
            uids[uid] = name
        seats.append(Seat(name, (Account(account, uid),), aliases, games=player.integer("games"), later=later))
    return tuple(seats)


def _read_aliases(player: Section, name: str, zone: tzinfo) -> tuple[tuple[str, ...], tuple[tuple[str, datetime], ...]]:
    """The aliases of a player: those that always hold, and those that hold from a moment on."""
    value = player.values.get("aliases", [])
    words = value if isinstance(value, list) else [value]
    dated = [word for word in words if isinstance(word, dict)]
    plain = Section(player.file, player.path, {"aliases": [word for word in words if not isinstance(word, dict)]})
    later = []
    for item in dated:
        one = Section(player.file, (*player.path, "aliases"), item)
        one.allow("name", "since")
        one.need("name", "since")
        later.append((one.name("name"), one.moment("since", zone)))
    aliases = dict.fromkeys(alias for alias in plain.texts("aliases") if alias != name)
    return tuple(aliases), tuple(sorted(later, key=lambda pair: pair[1]))


def read_directors(game: Section, seats: tuple[Seat, ...]) -> tuple[Account, ...]:
    value = game.values.get("directors", [])
    if not isinstance(value, list):
        raise game.wrong("directors", phrase("一列账号"), phrase('directors = ["[M29]导演", {{ account = "导演乙", uid = 3 }}]'))
    directors: list[Account] = []
    for item in value:
        section = Section(game.file, (*game.path, "directors"), item if isinstance(item, dict) else {"account": item})
        section.allow("account", "uid")
        section.need("account")
        director = Account(section.name("account"), section.integer("uid", least=1))
        for account, owner in ((account, seat.name) for seat in seats for account in seat.accounts):
            if account.name == director.name or (account.uid is not None and account.uid == director.uid):
                raise game.error(
                    "directors",
                    phrase("{name!r} 也是玩家 {owner} 的账号", name=director.name, owner=owner),
                    phrase("导演和玩家各用各的账号"),
                )
        if director.name in (other.name for other in directors):
            raise game.error("directors", phrase("{name!r} 写了两次", name=director.name), phrase("删去其中一个"))
        directors.append(director)
    return tuple(directors)
