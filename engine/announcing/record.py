"""The record of a game for the archive thread (24.记入档案): who played what, how it ended, cards, assistants, awards, rewards.

No post says what a reward is worth: the director says it (`胜=3,MVP=2`). 新手玩家的场外助理可以获得等同该玩家的版杀奖励。
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.announcing.announce import Section
from engine.announcing.assistants import list_assistants
from engine.announcing.reveal import check_seed, describe_act, describe_winner
from engine.penalties import NAMES, read_marks
from engine.report.templating import Template, render
from engine.report.values import tally_value

if TYPE_CHECKING:
    from engine.announcing.announce import Desk
    from engine.announcing.awards import Award, Review
    from engine.announcing.logs import Logs
    from engine.game import Game
    from engine.report.values import Json

WON, LOST = "胜", "负"
MVP = "MVP"


@dataclass(frozen=True, slots=True)
class Material:
    """What a record is made of beside the game: awards, reviews, logs, and what each thing is worth."""

    awards: Sequence[Award] = ()
    reviews: Sequence[Review] = ()
    logs: Logs | None = None
    rewards: Mapping[str, int] | None = None


def make_record(desk: Desk, material: Material) -> dict[str, Json]:
    """The record as one JSON value; a game whose ledger does not run it has no chronicle and no winner."""
    game = desk.game
    state = desk.played.state if desk.played is not None else None
    marks = read_marks(game, desk.standing)
    players = list(_players(desk, material))
    return {
        "game": game.title,
        "ruleset": game.ruleset.id,
        "directors": [account.name for account in game.roster.directors],
        "result": {
            "winner": list(state.winner) if state is not None else [],
            "lost": list(state.lost) if state is not None else [],
            "days": state.phase.number if state is not None else max((day.number for day in game.days), default=0),
            "sentence": describe_winner(state) if state is not None else "",
        },
        "players": [*players],
        "cards": [
            {"day": one.day, "seat": one.seat, "card": NAMES[one.kind], "points": one.points, "reason": one.reason}
            for one in marks
        ],
        "assistants": list(_assistants(desk, material, players)),
        "awards": [
            {
                "name": award.name,
                "tid": award.tid,
                "seats": list(award.seats),
                "final": award.tally.final,
                "read": not award.tally.is_blank,
                "votes": {count.target: count.votes for count in award.tally.counts},
                "tally": _award_tally(award, game),
            }
            for award in material.awards
        ],
        "mvp": [seat for award in material.awards if award.name == MVP for seat in award.seats],
        "reviews": [{"seat": one.seat, "tid": one.tid, "pid": one.pid, "text": one.text} for one in material.reviews],
        "logs": dict(material.logs.texts) if material.logs is not None else {},
        "phases": list(_phases(desk)),
        "spare": list(game.secrets.spare),
        "seed": game.secrets.seed or None,
        "seed_commitment": game.seed_commitment or None,
        "seed_matches": check_seed(game),
    }


def _award_tally(award: Award, game: Game) -> dict[str, Json]:
    """The ballots of an award; what they decide stands beside them, since nobody goes out by them."""
    return {key: value for key, value in tally_value(award.tally, game).items() if key not in ("verdict", "digest")}


def _players(desk: Desk, material: Material) -> Iterator[dict[str, Json]]:
    game = desk.game
    state = desk.played.state if desk.played is not None else None
    for place, seat in enumerate(game.roster.seats):
        now = state.seats[place] if state is not None else None
        won = None if state is None or now is None or not state.winner else now.camp in state.winner
        out: Json = (
            {"phase": str(now.out_in) if now.out_in else None, "cause": now.cause} if now is not None and now.cause else None
        )
        yield {
            "name": seat.name,
            "accounts": [account.name for account in seat.accounts],
            "person": game.secrets.people.get(seat.name),
            "games": seat.games,
            "role": now.role if now is not None else game.secrets.roles.get(seat.name),
            "number": game.secrets.numbers.get(seat.name),
            "vest": game.secrets.vests.get(seat.name),
            "camp": now.camp if now is not None else None,
            "won": won,
            "out": out,
            "substituted": any(
                event.act == "替补" and _is_about(event.targets[0].text, seat) for event in desk.standing if event.targets
            ),
            "reward": _worth(won, seat.name, material),
        }


def _is_about(word: str, seat: object) -> bool:
    name, aliases = getattr(seat, "name", ""), getattr(seat, "aliases", ())
    return word == name or word in aliases


def _worth(won: bool | None, seat: str, material: Material) -> int | None:
    """What a player gets; None where nothing says what anything is worth."""
    if material.rewards is None:
        return None
    words = [WON if won else LOST] if won is not None else []
    words += [award.name for award in material.awards if seat in award.seats]
    return sum(material.rewards.get(word, 0) for word in words)


def _assistants(desk: Desk, material: Material, players: Iterable[Mapping[str, Json]]) -> Iterator[Json]:
    worth = {one["name"]: one["reward"] for one in players}
    for one in list_assistants(desk.game, desk.standing):
        yield {
            "seat": one.seat,
            "name": one.name or None,
            "line": one.line,
            "allowed": one.allowed,
            "why": one.why or None,
            "reward": None if one.allowed is False else worth.get(one.seat),
        }


def _phases(desk: Desk) -> Iterator[Json]:
    if desk.played is None:
        return
    state = desk.played.state
    refused = {one.order.number for one in desk.played.rejected}
    orders = [order for order in desk.played.orders if order.number not in refused]
    table = state.table
    for phase in dict.fromkeys(order.phase for order in orders):
        yield {
            "phase": str(phase),
            "acts": [line for order in orders if order.phase == phase for line in describe_act(order)],
            "votes": [
                {
                    "poll": count.poll or None,
                    "votes": {table.target_word(seat): number for seat, number in count.votes},
                    "decision": count.decision,
                    "seat": None if count.seat is None else table.name(count.seat),
                }
                for count in state.votes
                if count.phase == phase
            ],
            "out": [[table.name(seat), state.seats[seat].cause] for seat in state.order if state.seats[seat].out_in == phase],
        }


def write_record(desk: Desk, record: Mapping[str, Json]) -> str:
    """The record as the BBCode of a post, from the template `record`."""
    sections = [Section(head, tuple(lines)) for head, lines in _sections(record) if lines]
    return render(Template.RECORD, desk.game, title=desk.game.title, sections=sections)


def _sections(record: Mapping[str, Json]) -> Iterator[tuple[str, list[str]]]:
    result: dict[str, Json] = record["result"]  # type: ignore[assignment]
    rows: list[dict[str, Json]] = record["players"]  # type: ignore[assignment]
    directors: list[str] = record["directors"]  # type: ignore[assignment]
    yield "结果", [str(result["sentence"]), f"共 {result['days']} 天", *([f"导演：{'、'.join(directors)}"] if directors else [])]
    yield "玩家", [_player(row) for row in rows]
    cards: list[dict[str, Json]] = record["cards"]  # type: ignore[assignment]
    yield (
        "罚牌",
        [_card(one) for one in cards],
    )
    assistants: list[dict[str, Json]] = record["assistants"]  # type: ignore[assignment]
    yield (
        "场外助理",
        [_assistant(one) for one in assistants],
    )
    awards: list[dict[str, Json]] = record["awards"]  # type: ignore[assignment]
    yield "评奖", [_award(one) for one in awards]
    if record["seed"]:
        yield "种子", [f"{record['seed']}", f"承诺：{record['seed_commitment'] or '没有公布过'}"]


def _player(row: Mapping[str, Json]) -> str:
    out: Mapping[str, Json] | None = row["out"]  # type: ignore[assignment]
    facts = [
        str(row["role"] or "？"),
        *([f"秘密数字 {row['number']}"] if row["number"] is not None else []),
        *([f"马甲 {row['vest']}"] if row["vest"] else []),
        *([str(row["camp"])] if row["camp"] else []),
        *([f"{out['phase'] or ''} {out['cause']}出局".strip()] if out else []),
        *([WON if row["won"] else LOST] if row["won"] is not None else []),
        *([f"奖励 {row['reward']}"] if row["reward"] is not None else []),
    ]
    person = f"（{row['person']}）" if row["person"] else ""
    return f"{row['name']}{person}：{'，'.join(facts)}"


def _award(one: Mapping[str, Json]) -> str:
    votes: Mapping[str, int] = one["votes"]  # type: ignore[assignment]
    seats: list[str] = one["seats"]  # type: ignore[assignment]
    if not one["read"]:
        return f"{one['name']}：评奖帖还没有读到"
    told = "、".join(f"{seat} {number} 票" for seat, number in votes.items())
    return f"{one['name']}：{'、'.join(seats) or '没有'}（{told or '没有票'}）{'' if one['final'] else '，暂定'}"


def _card(one: Mapping[str, Json]) -> str:
    points = f" {one['points']} 分" if one["points"] else ""
    return f"第 {one['day']} 天 {one['seat']} {one['card']}{points}（{one['reason'] or '—'}）"


def _assistant(one: Mapping[str, Json]) -> str:
    worth = f"，奖励 {one['reward']}（等同该玩家）" if one["reward"] is not None else ""
    why = f"（{one['why']}）" if one["why"] else ""
    return f"{one['seat']}：{one['name'] or '（没有写名字）'}{worth}{why}"
