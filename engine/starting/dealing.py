"""`bansha deal`: what is drawn goes into secrets.toml, its commitment into game.toml, and a letter to each player into a folder.

Nothing is dealt twice: a game that has roles, or a ledger, is left as it is.
"""

from __future__ import annotations

import secrets as chance
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.auction import Sale, settle_auction
from engine.game import Game, load_game
from engine.gamewriting import set_keys
from engine.language import say_finding
from engine.play.rules import Play
from engine.privatefile import can_be_private, make_private_folder, save_private
from engine.secrets import FILE, commit_seed, is_printable
from engine.starting.composition import Pack, compose, read_roles
from engine.starting.deal import Deal, Seated, deal, read_identities
from engine.starting.letters import FOLDER, TABLE, Letter, write_letters, write_table
from engine.starting.people import Person
from engine.textfile import read_text
from engine.tomlfile import Key
from scraper.errors import UsageError
from scraper.phrases import chain, listing, phrase
from tally.finding import Severity, severity
from tally.policy import TargetKind

if TYPE_CHECKING:
    pass

# So short a seed can be guessed from its commitment before the game is over.
SHORTEST_SEED = 16
_HEAD = """# 只有导演能看。不要发给任何人，不要放进网盘。
# 谁是什么、秘密数字、抽签的种子都在这里；种子终局公布，和 game.toml 里的 seed_commitment 一对就知道没有改过。
"""


@dataclass(frozen=True, slots=True)
class Dealt:
    """What was dealt, and where it lies. `private` tells whether the rights of the files could be set."""

    deal: Deal
    composition: Pack
    letters: tuple[Letter, ...]
    secrets: Path
    folder: Path
    commitment: str
    private: bool


def plan_deal(game: Game, wanted: Mapping[str, int]) -> Pack:
    """Which cards a game is dealt; UsageError where the rules or the director do not say."""
    named = read_roles(game.ruleset, wanted)
    if not named and game.ruleset.vote.target is TargetKind.VEST:
        identities = read_identities(game.ruleset, [seat.name for seat in game.roster.seats])
        if len(identities) == len(game.roster.seats):
            named = {role: list(identities.values()).count(role) for role in dict.fromkeys(identities.values())}
    return compose(game.ruleset, len(game.roster.seats), named, game.switches)


def deal_game(
    game: Game,
    wanted: Mapping[str, int],
    *,
    seed: str = "",
    people: Sequence[Person] = (),
    passwords: Mapping[str, str] | None = None,
    sales: Sequence[Sale] | None = None,
    insists: bool = False,
) -> Dealt:
    """Deal a game: secrets.toml, the commitment in game.toml, the letters. UsageError where it was dealt, or cannot be.

    A set of cards that the rule post cannot deal is dealt only where the director `insists`.
    `sales` are what an auction of identities brought: whoever bought nothing is drawn one (`engine.auction`).
    `seed` is drawn where none is given. What secrets.toml said of people and passwords before stays.
    """
    _refuse_twice(game)
    if not is_printable(seed):
        raise UsageError(phrase("--seed: 里面有看不见的字符。改法：重新打一遍，或让程序自己取（不写 --seed）。"))
    composition = plan_deal(game, wanted)
    wrong = chain(say_finding(one) for one in composition.findings if severity(one) is Severity.ERROR)
    # Nobody can deal more or fewer cards than there are seats.
    if wrong and any(one.code in ("E414", "E415") for one in composition.findings):
        raise UsageError(phrase("{problems}。改法：改 --roles。", problems=wrong))
    if wrong and not insists:
        raise UsageError(phrase("{problems}。改法：改 --roles；一定要这样发，就加 --force。", problems=wrong))
    seed = seed or game.secrets.seed or chance.token_hex(16)
    names = [seat.name for seat in game.roster.seats]
    veiled = game.ruleset.vote.target is TargetKind.VEST
    people = people or _list_vests(game)
    if sales is not None:
        settled = settle_auction(game.ruleset, sales, [one.name for one in people], seed)
        people = tuple(replace(one, role=settled.identities[one.name]) for one in people)
    if veiled and not people:
        raise UsageError(
            phrase(
                '{path}: 不知道马甲。改法：在 [game] 写 vests = ["甲", "乙"]，或用 --people 给一张有 马甲 一列的表。',
                path=game.path,
            )
        )
    fixed = read_identities(game.ruleset, names) if veiled else {}
    dealt = deal(game.ruleset, names, composition, seed, people=people, fixed=fixed)
    commitment = commit_seed(seed)
    path = game.path.parent / FILE
    words = dict(passwords or {})
    before = path.read_bytes() if path.exists() else None
    save_private(path, write_secrets(path, dealt, seed, _by_seat(game, words)).encode())
    try:
        set_keys(game.path, _find_keys(game, commitment, dealt), check=lambda file: load_game(file, before_days=True))
    except BaseException:
        # Nothing is dealt without its commitment: the next deal would be refused, and this one could not be proved.
        if before is None:
            path.unlink(missing_ok=True)
        else:
            save_private(path, before)
        raise
    letters, folder = save_letters(load_game(game.path, before_days=True), dealt.seats, words)
    return Dealt(dealt, composition, letters, path, folder, commitment, can_be_private())


def save_letters(game: Game, seats: Sequence[Seated], passwords: Mapping[str, str]) -> tuple[tuple[Letter, ...], Path]:
    """Write the letters and their table into `letters` beside the game file, for the owner only."""
    known = {seat.accounts[0].name: game.secrets.passwords.get(seat.name, "") for seat in game.roster.seats}
    words = {**{key: word for key, word in known.items() if word}, **passwords}
    letters = write_letters(game, rules_of_game(game), seats, words, game.secrets.spare)
    folder = game.path.parent / FOLDER
    make_private_folder(folder)
    for letter in letters:
        save_private(folder / letter.file, letter.text.encode())
    save_private(folder / TABLE, write_table(letters))
    return letters, folder


def read_dealt(game: Game, people: Sequence[Person] = ()) -> tuple[Seated, ...]:
    """The seats as secrets.toml has them; UsageError where it has no role for one. `people` tell more of whoever is named."""
    told = game.secrets
    missing = [seat.name for seat in game.roster.seats if seat.name not in told.roles]
    if missing:
        raise UsageError(
            phrase(
                "{parent_file}: 还没有发牌（{missing}）。改法：先运行 bansha deal。",
                parent_file=game.path.parent / FILE,
                missing=listing(missing),
            )
        )
    by_name = {one.name: one for one in people}
    return tuple(
        Seated(
            seat.name,
            told.roles[seat.name],
            told.numbers.get(seat.name),
            told.vests.get(seat.name),
            by_name.get(told.people[seat.name], Person(told.people[seat.name])) if seat.name in told.people else None,
        )
        for seat in game.roster.seats
    )


def rules_of_game(game: Game) -> Play | None:
    """How the game is played, its switches applied; None for a system that this version only counts."""
    if game.ruleset.play is None:
        return None
    return replace(game.ruleset.play(game.switches, game.policy), yellow_to_red=game.cards.yellow_to_red)


def _refuse_twice(game: Game) -> None:
    if game.secrets.roles:
        raise UsageError(
            phrase(
                "{parent_file}: 已经发过牌了，不会再发。改法：只要信，就加 --letters；真要重来，先把这个文件移走。",
                parent_file=game.path.parent / FILE,
            )
        )
    if game.given and not str(game.given.get("phase", "")).endswith("0"):
        raise UsageError(
            phrase("{path}: 这一局是从中间接手的，身份早就发了。改法：在 {file} 里写上每人的 role。", path=game.path, file=FILE)
        )
    if game.ledger.exists() and game.ledger.read_bytes().strip():
        raise UsageError(
            phrase("{ledger}: 游戏已经开始了，不能再发牌。改法：在 {file} 里自己写上每人的 role。", ledger=game.ledger, file=FILE)
        )


def _list_vests(game: Game) -> tuple[Person, ...]:
    if game.ruleset.vote.target is TargetKind.VEST:
        return tuple(Person(target.name, target.name) for target in game.roster.targets or ())
    known = game.secrets.people
    return tuple(Person(name) for name in known.values()) if len(known) == len(game.roster.seats) else ()


def _by_seat(game: Game, passwords: Mapping[str, str]) -> dict[str, str]:
    """Passwords by seat; UsageError for an account that is nobody's."""
    accounts = {account.name: seat.name for seat in game.roster.seats for account in seat.accounts}
    accounts |= {seat.name: seat.name for seat in game.roster.seats}
    unknown = [account for account in passwords if account not in accounts]
    if unknown:
        raise UsageError(
            phrase(
                "--accounts: game.toml 里没有账号 {unknown}。改法：和 [[player]] 的 account 一字不差。",
                unknown=listing(unknown),
            )
        )
    return {accounts[account]: word for account, word in passwords.items()}


def write_secrets(path: Path, dealt: Deal, seed: str, passwords: Mapping[str, str]) -> str:
    """The words of secrets.toml: those that are there, with everything that was dealt."""
    import tomlkit
    from tomlkit.items import AoT, Table

    document = tomlkit.parse(read_text(path) if path.exists() else _HEAD)
    if "player" not in document:
        if dealt.spare:
            document["spare"] = list(dealt.spare)
        document["seed"] = seed
        document["player"] = tomlkit.aot()
    else:
        # Values of the file itself stand before its tables.
        head = tomlkit.dumps({"seed": seed, **({"spare": list(dealt.spare)} if dealt.spare else {})})
        document.pop("seed", None)
        document = tomlkit.parse(f"{head}\n{tomlkit.dumps(document)}")
    players = document["player"]
    assert isinstance(players, AoT)
    rows: dict[str, Any] = {str(row["name"]): row for row in players}
    for seat in dealt.seats:
        row = rows.get(seat.name)
        if row is None:
            row = tomlkit.table()
            row["name"] = seat.name
            players.append(row)
            row = players[-1]
        assert isinstance(row, Table)
        person = seat.person.name if seat.person is not None else None
        for key, value in (
            ("role", seat.role),
            ("number", seat.number),
            ("vest", seat.vest),
            ("person", person if person != seat.vest else None),
            ("password", passwords.get(seat.name)),
        ):
            if value is not None:
                row[key] = value
    return tomlkit.dumps(document)


def _find_keys(game: Game, commitment: str, dealt: Deal) -> dict[Key, object]:
    """What the game file learns of a deal."""
    keys: dict[Key, object] = {("game", "seed_commitment"): commitment}
    vests = sorted(seat.vest for seat in dealt.seats if seat.vest is not None)
    if vests and "vests" not in tomllib.loads(read_text(game.path))["game"]:
        keys["game", "vests"] = vests
    return keys
