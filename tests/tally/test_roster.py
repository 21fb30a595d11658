"""Who posted: by uid, else by the account's name to the letter."""

from __future__ import annotations

from tally.roster import Account, Accounts, Poster, PosterKind, Roster, Seat
from tests.tally.make import at

ROSTER = Roster(
    (
        Seat("饺子", (Account("小泡饺子", 1), Account("饺子二号", 9, at("12:00")))),
        Seat("包子", (Account("Bao", None),)),
        Seat("豆沙", (Account("ｂａｏ", 3),)),
    ),
    (Account("[M29]导演", 2), Account("导演乙")),
)
ACCOUNTS = Accounts(ROSTER)
NOW = at("10:00")


def seat(name: str, old: bool = False, namesake: str | None = None, renamed: bool = False) -> Poster:
    """A seat as a poster."""
    return Poster(PosterKind.SEAT, name, old, namesake, renamed)


def test_a_uid_tells_whatever_name_is_printed() -> None:
    assert ACCOUNTS.find("改了名", 1, NOW) == seat("饺子", renamed=True)


def test_a_printed_name_of_another_seat_is_told() -> None:
    assert ACCOUNTS.find("Bao", 1, NOW) == seat("饺子", namesake="包子", renamed=True)


def test_a_name_tells_where_the_surface_has_no_uid() -> None:
    assert ACCOUNTS.find("小泡饺子", None, NOW) == seat("饺子")
    assert ACCOUNTS.find("Bao", None, NOW) == seat("包子")


def test_a_name_tells_where_the_roster_has_no_uid() -> None:
    assert ACCOUNTS.find("Bao", 77, NOW) == seat("包子")


def test_a_name_whose_uid_is_known_belongs_to_that_uid_alone() -> None:
    assert ACCOUNTS.find("小泡饺子", 77, NOW) == Poster(PosterKind.SPECTATOR, "小泡饺子", namesake="饺子")


def test_names_of_accounts_never_fold() -> None:
    assert ACCOUNTS.find("bao", None, NOW).kind is PosterKind.SPECTATOR
    assert ACCOUNTS.find("ｂａｏ", None, NOW) == seat("豆沙")


def test_directors_are_found_by_uid_or_name() -> None:
    for author, uid in (("改了名", 2), ("[M29]导演", None), ("导演乙", 55)):
        assert ACCOUNTS.find(author, uid, NOW) == Poster(PosterKind.DIRECTOR, author)


def test_a_new_account_counts_from_its_moment_and_makes_the_old_one_old() -> None:
    assert ACCOUNTS.find("饺子二号", 9, at("11:59:59")).kind is PosterKind.SPECTATOR
    assert ACCOUNTS.find("饺子二号", 9, at("12:00")) == seat("饺子")
    assert ACCOUNTS.find("小泡饺子", 1, at("11:59:59")) == seat("饺子")
    assert ACCOUNTS.find("小泡饺子", 1, at("12:00")) == seat("饺子", old=True)
