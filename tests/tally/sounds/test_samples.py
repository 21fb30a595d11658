"""The labelled set itself: large enough, split in halves, and honest about what it holds."""

from __future__ import annotations

import pytest

from scraper.post import Smiley, Style, Text
from tests.tally.sounds.samples import Half, Sample, build_histories, read_message, read_samples

# The three lists, word for word from the rule posts.
SOUNDS = {
    "secret-number": "喵汪吱嘎哞咩喳嘤啾叽唧咯咕嘶呱吼嗷呜哒咪哼啊哈呲噜",
    "vest": "啊嗷嘎咕呱哼咴叽啾喵咩哞喔汪喳吱",
    "m29": "哼唧平胸小老奶姨泡炮嘶",
}
MARKS = set("~～！？!?…—，、。： \u3000\u00a0\n")


@pytest.mark.parametrize("name", ["innocent", "coded"])
def test_each_label_has_sixty_samples_and_thirty_in_each_half(name: str) -> None:
    samples = read_samples(name)
    assert len(samples) >= 60
    for half in Half:
        assert sum(sample.half is half for sample in samples) >= 30


def test_no_sample_stands_twice() -> None:
    samples = read_samples("innocent") + read_samples("coded")
    assert len({sample.id for sample in samples}) == len(samples)
    assert len({(sample.system, sample.posts) for sample in samples}) == len(samples)


def test_coded_samples_say_what_they_tell_and_innocent_ones_tell_nothing() -> None:
    assert all(sample.message for sample in read_samples("coded"))
    assert not any(sample.message for sample in read_samples("innocent"))


def test_some_ways_stand_in_the_held_out_half_only() -> None:
    samples = read_samples("coded")
    ways = {half: {sample.way for sample in samples if sample.half is half} for half in Half}
    assert len(ways[Half.HELD_OUT] - ways[Half.TUNED]) >= 5


@pytest.mark.parametrize("sample", read_samples("innocent") + read_samples("coded"), ids=lambda sample: sample.id)
def test_samples_use_their_systems_sounds_smilies_and_marks_only(sample: Sample) -> None:
    for history in build_histories(sample):
        for revision in history.revisions:
            for line in revision.post.message.lines:
                words = "".join(token.text for token in line if isinstance(token, Text))
                if not words.startswith(("投票", "改票")):
                    assert set(words) <= set(SOUNDS[sample.system]) | MARKS


def test_a_typed_post_is_read_into_tokens() -> None:
    message = read_message("喵[b]喵[color=red]汪[/color][/b][:lol:]\n咩")
    assert message.lines == (
        (Text("喵"), Text("喵", Style(bold=True)), Text("汪", Style(bold=True, color="red")), Smiley("lol")),
        (Text("咩"),),
    )
