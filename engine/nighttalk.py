"""`bansha night` at a terminal: each step in order is asked, what it brings is told, and what must be passed on to whom.

Whoever answers may skip (回车), decline for the seat (放弃), say that time is up (到时), or leave (完). Every answer is a line of
the ledger at once, so that whoever is cut off goes on where he was. What the rules refuse is told, and asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from engine.asking import Asker
from engine.desk import Desk, Entry, look, store
from engine.ledger import DIRECTOR, LedgerError, PhaseKind
from engine.nightplan import DAWN, Task, list_tasks
from engine.play.order import quote
from engine.play.skillset import Effect, Skill, Takes, Voice
from engine.play.state import Asked
from engine.playing import CLOSE
from scraper.errors import UsageError
from scraper.phrases import Phrase, listing, phrase

TIME_UP, LEAVE, NOTHING, YES = "到时", "完", "放弃", "是"
# Decisions that are answered with yes or no.
_PLAIN = (Asked.FEIGN, Asked.REPLACE, Asked.CALL_VOTE)
# One line by any of them speaks for all.
_FOR_ALL = (Voice.JOINT, Voice.DRAWN)


@dataclass(slots=True)
class _Talk:
    """One sitting: `left` is what stays open in it, by task and seat."""

    desk: Desk
    asker: Asker
    clock: Callable[[], datetime]
    tell: Callable[[Entry], None]
    say: Callable[[str], None]
    operator: str = ""
    left: set[tuple[str, tuple[int, ...]]] = field(default_factory=set)

    def enter(self, line: str) -> bool:
        """Look at a line, store it where the rules allow it, and tell what comes of it; whether it was stored."""
        try:
            entry = look(self.desk, line, now=self.clock(), operator=self.operator)
        except (LedgerError, UsageError) as error:
            self.say(phrase("{error}", error=error))
            return False
        if entry.refused is None:
            store(self.desk, entry)
        self.tell(entry)
        return entry.refused is None

    def leave_open(self, task: Task) -> None:
        """Ask no more for a task in this sitting."""
        self.left.add(_key(task))


def run_night(
    desk: Desk,
    asker: Asker,
    *,
    clock: Callable[[], datetime],
    tell: Callable[[Entry], None],
    say: Callable[[str], None],
    operator: str = "",
) -> None:
    """Ask for everything that the night waits for, until it is over or the director leaves. `tell` is shown each line."""
    talk = _Talk(desk, asker, clock, tell, say, operator)
    while not desk.state.winner:
        tasks = list_tasks(desk)
        if not tasks or (desk.state.phase.kind is PhaseKind.DAY and tasks[0].name == CLOSE):
            return
        task = next((one for one in tasks if _key(one) not in talk.left), None)
        if task is None:
            return
        if task.name == DAWN:
            if not _dawn(talk, task, tasks[:-1]):
                return
        elif task.too_early:
            say(phrase("{step}：前面的步骤收了才有要转告的，先不问。", step=task.name))
            talk.leave_open(task)
        elif not (_ask_step if task.is_step else _ask_decision)(talk, task):
            return


def _key(task: Task) -> tuple[str, tuple[int, ...]]:
    """What tells tasks apart: two seats may be asked the same, and a step is one whoever has yet to choose in it."""
    return (task.name, () if task.is_step else task.seats)


def _dawn(talk: _Talk, task: Task, before: tuple[Task, ...]) -> bool:
    """Ask whether the night ends: by default only where everybody has said; True where it has ended."""
    waiting = [_who(talk.desk, one) for one in before if one.seats]
    question = (
        phrase("还没有说的：{waiting}；天亮就算他们放弃。天亮吗", waiting=listing(waiting))
        if waiting
        else phrase("都记好了，天亮吗")
    )
    if not talk.asker.confirm(question, not waiting) or not talk.enter(task.lines[0]):
        return False
    talk.left.clear()
    return True


def _who(desk: Desk, task: Task) -> str:
    return listing(desk.state.table.name(seat) for seat in dict.fromkeys(task.seats))


def _ask_step(talk: _Talk, task: Task) -> bool:
    """Ask everybody who acts in a step, then whether it is closed; False where the director leaves."""
    desk, number = talk.desk, talk.desk.state.phase.number
    opened = False  # whether somebody has still to say
    done: set[str] = set()  # skills for which one has spoken for all
    for place, seat in enumerate(task.seats):
        skill = task.skills[place]
        assert skill is not None
        if skill.name in done or skill.effect is Effect.UNWRITTEN or not _is_open(desk, task, seat, skill):
            continue
        for_all = [other for other, one in zip(task.seats, task.skills, strict=True) if one is skill and skill.voice in _FOR_ALL]
        answer = _ask(talk, task, place, question=_question(desk, task, place, talk.clock(), for_all), for_all=for_all)
        if answer == LEAVE:
            return False
        if answer == TIME_UP:
            return True
        opened |= not answer
        done |= {skill.name} if for_all else set()
    if desk.state.phase.kind is not PhaseKind.NIGHT or not any(_key(one) == _key(task) for one in list_tasks(desk)):
        return True  # it was settled by what was chosen
    if not opened and number > 0:
        opened = not talk.asker.confirm(phrase("收 {step} 吗（收了就不能再改）", step=task.name), True)
        opened = opened or not talk.enter(f"{desk.state.phase} {DIRECTOR} 收 {quote(task.name)}")
    if opened or number == 0:
        talk.leave_open(task)
    return True


def _ask_decision(talk: _Talk, task: Task) -> bool:
    """Ask one open decision; False where the director leaves."""
    answer = _ask(talk, task, 0, question=_question(talk.desk, task, 0, talk.clock(), []), for_all=[])
    if not answer:
        talk.leave_open(task)
    return answer != LEAVE


def _ask(talk: _Talk, task: Task, place: int, *, question: str, for_all: list[int]) -> str:
    """Ask until an answer is one: stored, skipped (""), 到时 or 完."""
    desk, line, skill = talk.desk, task.lines[place], task.skills[place]
    words = _list_words(talk, task, place)
    while True:
        answer = talk.asker.text(question, "", words).strip()
        if answer in ("", LEAVE):
            return answer
        if answer == TIME_UP and task.time_up:
            if talk.enter(task.time_up):
                return answer
            continue
        if answer == NOTHING:
            head, _, act = line.rpartition(" ")
            name = quote(desk.state.table.name(task.seats[place]))
            # For all of them, where one speaks for all: each has declined.
            others = [quote(desk.state.table.name(seat)) for seat in for_all] or [name]
            entered = [talk.enter(f"{head[: len(head) - len(name)]}{other} {NOTHING} {act}") for other in others]
            if all(entered):
                return answer
            continue
        if talk.enter(line if answer == YES and _is_plain(task, skill) else f"{line} {answer}"):
            return answer


def _is_open(desk: Desk, task: Task, seat: int, skill: Skill) -> bool:
    """Whether a choice is still to be made: a joint kill is one line by any of them, two potions exclude each other."""
    now = next((one for one in list_tasks(desk) if _key(one) == _key(task)), None)
    return now is not None and (seat, skill) in zip(now.seats, now.skills, strict=True)


def _is_plain(task: Task, skill: Skill | None) -> bool:
    """Whether the answer is yes or no."""
    if skill is None:
        return task.asked in _PLAIN
    return (skill.takes is Takes.SEATS and skill.targets == 0) or skill.effect is Effect.JOIN


def _question(desk: Desk, task: Task, place: int, now: datetime, for_all: list[int]) -> str:
    table = desk.state.table
    skill = task.skills[place]
    name = listing(table.name(seat) for seat in for_all or [task.seats[place]])
    act = skill.name if skill is not None else task.name
    limit = ""
    if task.until is not None:
        local = task.until.astimezone(desk.game.zone)
        limit = phrase("，{until} 到时{late}", until=f"{local:%m-%d %H:%M}", late=phrase("，已过") if task.is_late(now) else "")
    return phrase(
        "{name} {act} {what}{limit}（回车跳过，{words}）",
        name=name,
        act=act,
        what=_what(task, skill),
        limit=limit,
        words=listing(_closing_words(task, skill)),
    )


def _what(task: Task, skill: Skill | None) -> Phrase:
    """What is asked for, in words."""
    if _is_plain(task, skill):
        return phrase("吗")
    match skill.takes if skill is not None else Takes.SEATS:
        case Takes.SEATS if skill is not None and skill.targets > 1:
            return phrase("的 {count} 个对象", count=skill.targets)
        case Takes.SEATS:
            return phrase("的对象")
        case Takes.SEAT_AND_WORD:
            return phrase("的对象，和选哪一样")
        case Takes.GUESS:
            return phrase("的对象，和猜的身份")
        case Takes.TABLE:
            return phrase("的身份表（名字 身份 名字 身份…）")
        case Takes.WORD | Takes.SPARE | Takes.FACE:
            return phrase("选哪一样")


def _closing_words(task: Task, skill: Skill | None) -> Iterator[str]:
    """What may be answered instead of a target."""
    if _is_plain(task, skill):
        yield YES
    if task.asked is not Asked.SUCCESSION and (skill is None or not skill.forced):
        yield NOTHING
    if task.time_up:
        yield TIME_UP
    yield LEAVE


def _list_words(talk: _Talk, task: Task, place: int) -> list[str]:
    """What is completed: whom and what may be named, as a line names it. Of one seat those alone that the rules allow now."""
    state, skill, line = talk.desk.state, task.skills[place], task.lines[place]
    table = state.table
    seats = [quote(table.target_word(seat)) for seat in table.everybody if not state.seats[seat].announced]
    takes = skill.takes if skill is not None else Takes.SEATS
    single = skill.targets == 1 if skill is not None else task.asked in (Asked.SHOT, Asked.SUCCESSION)
    words: list[str] = []
    if _is_plain(task, skill):
        words = []
    elif takes is Takes.SEATS and single:
        words = [word for word in seats if _is_allowed(talk, f"{line} {word}")]
    elif takes is Takes.SEATS:
        words = seats
    elif takes in (Takes.GUESS, Takes.TABLE):
        words = [*seats, *table.roles]
    elif takes is Takes.SEAT_AND_WORD:
        words = [*seats, *(skill.choices if skill is not None else ())]
    elif takes is Takes.SPARE:
        words = list(dict.fromkeys(state.spare))
    elif takes is Takes.FACE:
        words = list(dict.fromkeys(state.faces))
    elif skill is not None:
        words = list(skill.choices)
    return [*words, *_closing_words(task, skill)]


def _is_allowed(talk: _Talk, line: str) -> bool:
    try:
        return look(talk.desk, line, now=talk.clock()).refused is None
    except (LedgerError, UsageError):
        return False
