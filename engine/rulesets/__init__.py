"""The rule systems, found by name."""

from __future__ import annotations

from engine.gamefile import suggest
from engine.ruleset import RuleSet
from engine.rulesets.assertion import ASSERTION
from engine.rulesets.m29 import M29
from engine.rulesets.secret_number import SECRET_NUMBER
from engine.rulesets.table import TABLE
from engine.rulesets.vest import VEST
from scraper.phrases import listing, phrase

# Every name that a game file may write, and the systems that this version knows the rules of.
NAMES = {
    "m29": ("m29", "小泡佩奇"),
    "secret-number": ("secret-number", "秘密数字杀"),
    "vest": ("vest", "马甲杀"),
    "assertion": ("assertion", "断言"),
    "table": ("table", "面杀"),
}
BUILT = {ruleset.id: ruleset for ruleset in (M29, SECRET_NUMBER, VEST, ASSERTION, TABLE)}
# The systems whose games the engine plays, which is more than it counts threads of.
PLAYED = dict(BUILT)


class UnknownRuleSet(LookupError):
    """No rule system of that name can be played: `fix` says what to write instead."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem)
        self.problem, self.fix = problem, fix


def _suggest(wanted: str) -> str:
    return suggest(wanted, [word for names in NAMES.values() for word in names])


def find_ruleset(name: str) -> RuleSet:
    """The rule system of a name, in either language and any case; UnknownRuleSet for none, and for one that is not built yet."""
    wanted = name.strip().lower()
    found = next((key for key, names in NAMES.items() if wanted in names), None)
    if found is None:
        raise UnknownRuleSet(phrase("没有 {name!r} 这套规则", name=name), _suggest(wanted))
    if found not in BUILT:
        raise UnknownRuleSet(
            phrase("{title}（{found}）的规则还没有做进这个版本", title=NAMES[found][1], found=found),
            phrase("现在能计票的是 {systems}", systems=listing(BUILT)),
        )
    return BUILT[found]


def find_playable(name: str) -> RuleSet:
    """The rule system of a name whose games the engine plays; UnknownRuleSet for none."""
    wanted = name.strip().lower()
    found = next((key for key, names in NAMES.items() if wanted in names), None)
    if found is not None and found in PLAYED:
        return PLAYED[found]
    if found is None:
        raise UnknownRuleSet(phrase("没有 {name!r} 这套规则", name=name), _suggest(wanted))
    raise UnknownRuleSet(
        phrase("{title}（{found}）的规则还没有做进这个版本", title=NAMES[found][1], found=found),
        phrase("现在能推演的是 {systems}", systems=listing(PLAYED)),
    )
