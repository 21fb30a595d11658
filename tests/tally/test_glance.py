"""A glance at a post's words lets pass whatever the exact reading finds a label, or the look of a vote, in."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest

from scraper.post import Code, Line, Message, Post, Smiley, Text
from tally.folding import fold, fold_lightly, simplify
from tally.formats import find_label, may_have_a_label
from tally.glance import compile_glance
from tally.names import Lexicon, Names, index_targets
from tally.policy import TargetKind
from tally.reading import find_lookalike, has_format, own_lines, read_post, unread_proxies
from tally.roster import Account, Poster, PosterKind, Roster, Seat
from tests.tally.make import Wrote, make_history

# Names that begin with what folds: widths, case, traditional characters, those that fold by the word, letters with marks.
SPELLED = (
    *(
        "饺子",
        "K先生",
        "a&b<c>",
        "老王",
        "馬甲",
        "計畫",
        "沉默者",
        "里长",
        "了解",
        "借刀",
        "复仇",
        "迳口",
        "链子",
        "锺馗",
        "幺妹",
    ),
    *(
        "éclair",
        "Ａ座",
        "ﾊﾟﾝ",
        "10号",
        "只有",
        "苏醒",
        "仿佛",
        "具体",
        "钜子",
        "坯布",
        "划水",
        "理想",
        "对手",
        "ß氏",
        "ﬁsh",
        "한글",
    ),
)
BITS = (
    *(
        "投",
        "票",
        "弃",
        "棄",
        "代",
        "改",
        "对",
        "對",
        "理",
        "象",
        "由",
        "权",
        "權",
        "投票对象",
        "改票對象",
        "代投：",
        "弃权",
        "棄票",
    ),
    *(
        "，",
        "。",
        ",",
        "．",
        "；",
        "！",
        "?",
        "\n",
        " ",
        "　",
        "\u200b",
        "\ufe0f",
        "\u0301",
        "\u3099",
        "：",
        ":",
        "【",
        "）",
        "\uf9e4",
    ),
    *(
        "計畫",
        "瞭解",
        "沈 默",
        "藉口",
        "英哩",
        "答覆",
        "沙逕",
        "項鍊",
        "鍾馗",
        "么麼",
        "衹得",
        "甦醒",
        "彷彿",
        "傢俱",
        "鉅子",
        "毛坏",
    ),
    *(
        "e\u0301clair",
        "É",
        "a座",
        "K",
        "k",
        "Ｋ",
        "饺",
        "餃",
        "老",
        "马",
        "馬",
        "ハ\u309aン",
        "パ",
        "１０號",
        "#3",
        "三号",
        "SS氏",
        "ﬁ",
    ),
    *("先", "给", "你", "这个", "[:", ":]", "x", "\u1112\u1161\u11ab글", "[:a.b:]"),
)
SMILEYS = (Smiley("lol"), Smiley("4_100"), Smiley("a.b"), Smiley("投"), Code("投饺子"))


def lexicon(names: tuple[str, ...] = SPELLED, kind: TargetKind = TargetKind.CHARACTER) -> Lexicon:
    roster = Roster(tuple(Seat(name, (Account(name),), aliases=(name[-1:],)) for name in names), ())
    targets = index_targets(roster, kind)
    return Lexicon(targets, targets)


def draw_post(draw: random.Random, index: int) -> Post:
    """A post of a few lines, each of a few bits and smileys."""
    lines: list[Line] = []
    for _ in range(draw.randrange(1, 4)):
        pieces: list[Text | Smiley | Code] = []
        for _ in range(draw.randrange(1, 9)):
            words = draw.choice(BITS if draw.random() < 0.8 else SPELLED).replace("\n", "")
            pieces.append(draw.choice(SMILEYS) if draw.random() < 0.1 else Text(words))
        lines.append(tuple(pieces))
    return make_history(Wrote(message=Message(tuple(lines))), index).first


def finds(post: Post, words: Lexicon) -> list[object]:
    """Whatever the exact reading finds in a post, without any glance."""
    lines = own_lines(post.message)
    folded = [fold(line) for line in lines]
    history = make_history(Wrote(message=post.message), 1)
    posters = [Poster(kind, "饺子") for kind in (PosterKind.SEAT, PosterKind.DIRECTOR)]
    return [
        *(label for line in lines if (label := find_label(line)) is not None),
        *(
            line
            for line in folded
            if words.looks_voted(line) or line.startswith(("投票对象", "改票对象", "投票理由", "改票理由"))
        ),
        *(line for line in folded if "弃" in line),
        *(reading for poster in posters for reading in read_post(history, history.revisions[0], poster, words)),
        *([post] if has_format(post) or unread_proxies(post, words) or find_lookalike(post, words) else []),
    ]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", [TargetKind.CHARACTER, TargetKind.SEAT])
def test_a_glance_loses_nothing_that_the_exact_reading_finds(seed: int, kind: TargetKind) -> None:
    draw, words = random.Random(seed), lexicon(kind=kind)
    found = 0
    for index in range(1500):
        post = draw_post(draw, index)
        exact = finds(post, words)
        found += bool(exact)
        assert not exact or words.glance.search(post.message.text) is not None, (post.message.text, exact)
    assert 300 < found < 1400


@pytest.mark.parametrize("name", [":)某", "[某", "]某", ":某:"])
def test_a_name_that_looks_like_the_beginning_of_a_smiley_is_seen(name: str) -> None:
    words = lexicon((name, "饺子"))
    for before in ("投", "票[", "投[:lol:]", "投这个[", "票[:a.b:]给"):
        text = f"{before}{name}[:lol:]"
        assert words.glance.search(text) is not None, text


@pytest.mark.parametrize("name", SPELLED)
def test_every_spelling_of_a_name_is_seen(name: str) -> None:
    glance = lexicon((name,)).glance
    for spelled in (name, name.upper(), name.lower(), simplify(name), fold(name)):
        assert glance.search(f"我这票先投给 {spelled}") is not None
        assert glance.search(f"投\u200b[:a.b:]{spelled}") is not None


@pytest.mark.parametrize(
    "words",
    [
        *(
            "投票对象：",
            "投 票　对 象：某",
            "改票對象：某",
            "投票理由：略",
            "改票\ufe0f理由",
            "投票[:a.b:]对象：某",
            "代投：某",
            "代[:a.b:]投",
        ),
        *(
            "弃权",
            "我棄權",
            "投[:a.b:]饺子",
            "票给我们大家都信任的那位饺子",
            "投          饺子",
            "改票对象某饺子",
            "投[:a.b:][:c!d:] 餃子",
        ),
    ],
)
def test_labels_and_abstentions_are_seen_without_any_name(words: str) -> None:
    glance = lexicon(("饺子",)).glance
    assert glance.search(words) is not None
    assert glance.search(f"楼上说得对。\n[:lol:]{words}") is not None


@pytest.mark.parametrize("words", ["投{}。", "票{}", "代{}", "投 {}对手", "投票{}[:没有完"])
def test_a_row_of_smilies_is_read_once(words: str) -> None:
    glance = lexicon(("饺子",)).glance
    begun = process_time()
    for smiley in ("[:lol:]", "[: :] ", "[:"):
        text = words.format(smiley * 400)
        glance.search(text)
        may_have_a_label(text)
    assert process_time() - begun < 1


def test_chat_is_not_let_pass() -> None:
    glance = lexicon(("饺子", "夜行猫", "K先生", "10号")).glance
    for words in (
        "这个理由我收下，但是票先不给你",
        "第一天的票型，饺子整理了一下",
        "我觉得饺子有问题",
        "代为转告",
        "投\n饺子",
        "票。K先生",
        "票先不给你[:1:][:饺:]",
    ):
        assert glance.search(words) is None, words


def test_folding_makes_the_hints_of_nothing_else() -> None:
    sources: dict[str, set[str]] = {hint: {hint} for hint in "投票弃代对理"}
    # Behind these there is nothing assigned but tags, selectors and private use.
    for code in (*range(0xD800), *range(0xE000, 0x32400)):
        light = fold_lightly(chr(code))
        for hint in sources.keys() & {*light, *simplify(light)} if light != chr(code) or code > 0x2E7F else ():
            sources[hint].add(chr(code))
    assert sources == {"投": {"投"}, "票": {"票"}, "弃": {"弃", "棄"}, "代": {"代"}, "对": {"对", "對"}, "理": {"理", "\uf9e4"}}


@pytest.mark.slow
def test_a_character_folds_to_its_source_in_every_word_of_the_dictionary(tmp_path: Path) -> None:
    import opencc

    root = Path(opencc.__file__).parent / "clib"
    tool = root / "bin" / "opencc_dict"
    if sys.platform == "win32" or not tool.exists():
        pytest.skip("this build of opencc brings no opencc_dict to list its words with")
    text = tmp_path / "words.txt"
    command = [str(tool), "-i", str(root / "share" / "opencc" / "TSPhrases.ocd2"), "-o", str(text), "-f", "ocd2", "-t", "text"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    words = [line.split("\t") for line in text.read_text(encoding="utf-8").splitlines()]
    assert len(words) > 300
    for written, meant in words:
        simple = meant.split(" ")[0]
        assert len(simple) == len(written)
        for source, character in zip(written, simple, strict=True):
            assert compile_glance(frozenset(character)).search(f"投{source}") is not None, (written, source, character)


def test_openers_are_the_first_characters_of_folded_words() -> None:
    names = Names(["Ｋ先生", "餃子"], [("Émile", "Ｋ先生")])
    assert names.openers == {"k", "饺", "é", "弃"}
    assert "#" in Names(["1", "2"], [], numbers={1: ("1",), 2: ("2",)}).openers
