"""The commands before the first day: `deal` says who is who, `rollcall` who has reported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import AsJson, DatabasePath, GamePath, finish, print_json, say
from engine.cli.words import _
from engine.language import say_finding
from engine.report.lines import write_lines
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from engine.report.values import Json
    from engine.starting.composition import Pack
    from engine.starting.dealing import Dealt


def deal(
    game: GamePath,
    roles: Annotated[
        str, typer.Option("--roles", metavar=_("身份=N,…"), help=_("每种身份几人；规则写定了的不用写。如 狼人=3,村民=4。"))
    ] = "",
    people: Annotated[
        Path | None, typer.Option("--people", metavar="FILE", help=_("谁来玩：一行一人，或一张有 玩家（马甲、身份）等列的表。"))
    ] = None,
    accounts: Annotated[
        Path | None, typer.Option("--accounts", metavar="FILE", help=_("角色账号的密码：一张有 账号、密码 两列的表。"))
    ] = None,
    auction: Annotated[
        Path | None, typer.Option("--auction", metavar="FILE", help=_("竞拍的结果：一张有 玩家、身份、价格 三列的表。"))
    ] = None,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help=_("抽签的种子；不写就随机取一个（应当这样）。"))] = "",
    letters: Annotated[bool, typer.Option("--letters", help=_("已经发过牌：只把信再写一遍。"))] = False,
    force: Annotated[bool, typer.Option("--force", help=_("规则发不出这种配置也照发。"))] = False,
    check: Annotated[bool, typer.Option("--check", help=_("只看配置，不发牌。"))] = False,
    show: Annotated[bool, typer.Option("--show", help=_("把谁是什么打在屏幕上。"))] = False,
    as_json: AsJson = False,
) -> None:
    """发牌：抽身份、秘密数字、谁玩哪个角色，存进 secrets.toml；给每人写一封信。屏幕上什么也不露。"""
    from engine.auction import read_auction
    from engine.game import load_game
    from engine.starting.dealing import SHORTEST_SEED, deal_game, plan_deal, read_dealt, save_letters
    from engine.starting.people import read_passwords, read_people
    from tally.finding import Severity, sentence, severity

    loaded = load_game(game, before_days=True)
    wanted = read_counts(roles, "--roles", "狼人=3,村民=4")
    cast = read_people(people) if people is not None else ()
    passwords = read_passwords(accounts) if accounts is not None else {}
    sales = read_auction(auction) if auction is not None else None
    if check:
        composition = plan_deal(loaded, wanted)
        value: Json = {
            "roles": dict(composition.roles),
            "spare": composition.spare,
            "standard": composition.standard,
            "findings": [{"code": one.code, "sentence": sentence(one)} for one in composition.findings],
        }
        print_json(value) if as_json else write_lines([composition.describe()])
        _tell_pack(composition)
        finish(int(severity(one) is Severity.ERROR) for one in composition.findings)
        return
    if letters:
        written, folder = save_letters(loaded, read_dealt(loaded, cast), passwords)
        print_json({"letters": len(written), "folder": str(folder)}) if as_json else _tell_letters(len(written), folder)
        return
    if seed and len(seed) < SHORTEST_SEED:
        say(
            phrase(
                "bansha: 种子不到 {shortest} 个字，别人可以从 seed_commitment 猜出来；让程序自己取（不写 --seed）更好。",
                shortest=SHORTEST_SEED,
            )
        )
    dealt = deal_game(loaded, wanted, seed=seed, people=cast, passwords=passwords, sales=sales, insists=force)
    _tell_pack(dealt.composition)
    if not dealt.private:
        say(
            phrase(
                "bansha: Windows 上收不起 {secrets} 和 {folder}：放在你自己的用户文件夹里，不要共享。",
                secrets=dealt.secrets.name,
                folder=dealt.folder.name,
            )
        )
    print_json(_value(dealt, show)) if as_json else _tell(dealt, show)


def _tell_pack(pack: Pack) -> None:
    """What the check says of the cards, and that the rule post has no such set."""
    if not pack.standard:
        say(phrase("bansha: 规则里没有这种配置，照你写的。"))
    for finding in pack.findings:
        say(phrase("bansha: {code} {sentence}", code=finding.code, sentence=say_finding(finding)))


def read_counts(text: str, option: str, example: str) -> dict[str, int]:
    """`狼人=3,村民=4` as counts; UsageError names the option where it is no such list, with an example of one."""
    from scraper.errors import UsageError

    found: dict[str, int] = {}
    for part in text.replace("，", ",").replace("、", ",").replace("＝", "=").split(","):
        if not part.strip():
            continue
        word, _, number = part.partition("=")
        if not number.strip().isascii() or not number.strip().isdigit() or word.strip() in found:
            raise UsageError(
                phrase(
                    "{option} {part!r} 读不懂。改法：写成 {option} {example}，每种一次，数是整数。",
                    option=option,
                    part=part.strip(),
                    example=example,
                )
            )
        found[word.strip()] = int(number)
    return found


def _tell(dealt: Dealt, show: bool) -> None:
    count, where = len(dealt.deal.seats), dealt.secrets
    write_lines(
        (
            phrase("发了 {count} 张牌：{cards}", count=count, cards=dealt.composition.describe()),
            phrase("谁是什么在 {path}（只有你能看），承诺 {hash} 已写进 game.toml。", path=where, hash=dealt.commitment),
        )
    )
    _tell_letters(len(dealt.letters), dealt.folder)
    if show:
        for letter in dealt.letters:
            seat = letter.seat
            more = [str(word) for word in (seat.number, seat.vest, seat.person.name if seat.person else None) if word is not None]
            write_lines(["  ".join((seat.name, seat.role, *more))])
        if dealt.deal.spare:
            write_lines([phrase("底牌  {cards}", cards="  ".join(dealt.deal.spare))])


def _tell_letters(count: int, folder: Path) -> None:
    write_lines(
        [phrase("{count} 封信在 {folder}：一人一个 .txt，都在 letters.csv 里，可以邮件合并。", count=count, folder=folder)]
    )


def _value(dealt: Dealt, show: bool) -> Json:
    value: dict[str, Json] = {
        "roles": dict(dealt.composition.roles),
        "standard": dealt.composition.standard,
        "seed_commitment": dealt.commitment,
        "secrets": str(dealt.secrets),
        "letters": [letter.file for letter in dealt.letters],
        "folder": str(dealt.folder),
        "private": dealt.private,
    }
    if show:
        value["seats"] = [
            {
                "name": seat.name,
                "role": seat.role,
                "number": seat.number,
                "vest": seat.vest,
                "person": seat.person.name if seat.person else None,
            }
            for seat in dealt.deal.seats
        ]
        value["spare"] = list(dealt.deal.spare)
    return value


def rollcall(
    words: Annotated[list[str], typer.Argument(metavar="[GAME] URL", help=_("game.toml 或它的文件夹；报到帖的地址或 tid。"))],
    order: Annotated[bool, typer.Option("--order", help=_("把报到的先后写成电梯楼的顺序。"))] = False,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """点名：报到帖里谁来了，谁还没有。"""
    from engine.cli.boards import interruptible, open_client
    from engine.cli.progress import Watch
    from engine.counting import open_archive
    from engine.elevator import save_order
    from engine.game import load_game
    from engine.report.lines import write_lines
    from engine.starting.beginning import fetch_threads
    from engine.starting.rollcall import call_roll
    from scraper.errors import UsageError
    from scraper.pace import utc_now

    if not 1 <= len(words) <= 2:
        raise UsageError(phrase("要写一个报到帖的地址。改法：bansha rollcall 游戏的文件夹 URL。"))
    place, url = (Path(words[0]) if len(words) > 1 else Path()), words[-1]
    if len(words) > 1 and (words[0].isdigit() or words[0].lower().startswith(("http://", "https://"))):
        # Whichever was typed first.
        place, url = Path(words[1]), words[0]
    loaded = load_game(place, before_days=True)
    with (
        open_client(loaded) as client,
        open_archive(loaded, db or loaded.database) as archive,
        Watch() as watch,
        interruptible(watch),
    ):
        (tid,) = fetch_threads([url], archive, client, clock=utc_now, watcher=watch)
        roll = call_roll(loaded, archive.fetch_histories(tid))
    if order and not roll.reported:
        say(phrase("bansha: 还没有人报到，电梯楼的顺序没有改。"))
    elif order:
        save_order(loaded, tuple(one.seat for one in roll.reported))
        say(phrase("bansha: 电梯楼的顺序照报到的先后写进了 {path}；没有报到的排在后面。", path=loaded.path))
    if as_json:
        print_json(
            {
                "reported": [{"seat": one.seat, "floor": one.floor, "at": one.at.isoformat()} for one in roll.reported],
                "missing": list(roll.missing),
                "strangers": list(roll.strangers),
            }
        )
    else:
        told = listing(phrase("{seat}（{floor}）", seat=one.seat, floor=one.floor) for one in roll.reported)
        lines = [
            phrase("报到 {count} 人：{names}", count=len(roll.reported), names=told or phrase("无")),
            phrase("还没有 {count} 人：{names}", count=len(roll.missing), names=listing(roll.missing) or phrase("无")),
        ]
        if roll.strangers:
            lines.append(phrase("不是玩家的账号：{names}", names=listing(roll.strangers)))
        write_lines(lines)
    finish([1] if roll.missing else [])
