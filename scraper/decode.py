"""Bytes → text: what a board declares is held against a strict trial, GB names mean gb18030, and losses are counted.

Header, meta and truth disagree in practice, and a page may hold two encodings (an old post that a conversion forgot), so the
page's codec is found from a sample of it, and every fragment (an author, a message) is decoded by itself: a wrong byte in one
post spoils nothing but that post. Markup may be searched before decoding: no byte of `<`, `>`, `"`, `&` or a space occurs
inside a character of UTF-8, GB 18030 or Big5.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import NamedTuple

_META = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([A-Za-z0-9_-]+)", re.IGNORECASE)
_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9_-]+)", re.IGNORECASE)
_LOSS = "\ufffd"
_SHORT = 40
_ASCII = bytes(range(128))
# All bytes but those that begin a character of three or four bytes in UTF-8.
_NO_WIDE_LEAD = bytes([byte for byte in range(256) if not 0xE0 <= byte <= 0xF4])
_SAMPLE = 16_384
# Bytes above ASCII, from the beginning and from the end of a sample, that tell UTF-8 from the others. A multiple of three.
_TRIAL = 600
_PAIRS = re.compile(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]")
_FEW = 12
_LEFTOVER = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,6})|(\d{1,7}));")

UTF8 = "utf-8"
GB = "gb18030"
BIG5 = "big5hkscs"


class Decoded(NamedTuple):
    """A text, the codec that it was read by, and how many characters were lost (each stands as U+FFFD in the text)."""

    text: str
    codec: str
    lost: int = 0


def name_codec(declared: str) -> str | None:
    """The codec that a declared charset means on a Discuz! board; None for a name that none of them sends in earnest.

    Every GB name is gb18030, of which the others are parts; Big5 is read with the HKSCS characters. `iso-8859-1` and its like
    are what servers add by default: they would read anything, so they say nothing.
    """
    name = declared.lower().replace("_", "-")
    if name in ("utf-8", "utf8"):
        return UTF8
    if name.startswith("gb") or name in ("cp936", "936", "ms936", "windows-936", "x-gbk", "euc-cn"):
        return GB
    if name.startswith("big5") or name in ("big-5", "x-x-big5", "cp950", "cn-big5"):
        return BIG5
    return None


def find_codec(sample: bytes, *, content_type: str = "") -> str:
    """The codec of a page: `sample` is the page or its beginning, `content_type` the header as it came ("" where none came).

    A sample that is UTF-8, but for a few broken bytes, is UTF-8, whatever was declared. What has the bytes of Big5 is Big5, since
    gb18030 would read it without a loss, as other characters. Else it is gb18030, unless Big5 was declared: then the declared
    names, header before meta, and gb18030 are tried, and the one with the fewest losses wins.
    """
    declared = [found[1] for found in (_HEADER.search(content_type),) if found]
    declared += [found[1].decode("ascii") for found in (_META.search(sample[:4096]),) if found]
    named = [codec for codec in map(name_codec, declared) if codec]
    if sample.isascii():
        return named[0] if named else UTF8
    high = sample.translate(None, _ASCII)
    # Not to the end: a character that the sample cuts in two is no loss.
    text, _ = codecs.utf_8_decode(high[:_TRIAL] + high[-_TRIAL:] if len(high) > 2 * _TRIAL else high, "replace", False)
    lost = text.count(_LOSS)
    if not lost or lost * 4 <= _count_wide(text) - lost:
        return UTF8
    if _is_big5(sample):
        return BIG5
    if BIG5 not in named:
        return GB
    losses = {codec: _count_losses(sample, codec) for codec in (*named, GB, UTF8)}
    return min(losses, key=lambda codec: losses[codec])


def decode_fragment(fragment: bytes, codec: str) -> Decoded:
    """One fragment of a page whose codec is known; never raises.

    A fragment that the page's codec cannot read strictly is read by another where that one loses less; the codec in the
    answer then differs from the page's. On a GB or Big5 page, what is valid UTF-8 and no plain GB 2312 (or Big5) is UTF-8.
    """
    return _decode_name(fragment, codec) if len(fragment) <= _SHORT else _decode(fragment, codec)


@lru_cache(maxsize=4096)
def _decode_name(fragment: bytes, codec: str) -> Decoded:
    """The names of the same few people stand on every page."""
    return _decode(fragment, codec)


def _decode(fragment: bytes, codec: str) -> Decoded:
    if fragment.isascii():
        return Decoded(fragment.decode("ascii"), codec)
    if codec == UTF8:
        try:
            return Decoded(fragment.decode(UTF8), codec)
        except UnicodeDecodeError:
            pass
        if mended := _mend_utf8(fragment):
            return mended
        return Decoded(fragment.decode(GB), GB) if _reads(fragment, GB) else _replace_losses(fragment, UTF8)
    try:
        text = fragment.decode(UTF8)
    except UnicodeDecodeError as error:
        # UTF-8 with a broken byte may be valid GB by chance, but only UTF-8 begins with characters of UTF-8.
        if not fragment[: error.start].isascii() and (mended := _mend_utf8(fragment)):
            return mended
    else:
        if not _reads(fragment, "gb2312" if codec == GB else "big5"):
            return Decoded(text, UTF8)
    try:
        return Decoded(fragment.decode(codec), codec)
    except UnicodeDecodeError:
        pass
    if codec == BIG5 and _reads(fragment, "cp950"):
        return Decoded(fragment.decode("cp950"), codec)
    lossy = _replace_losses(fragment, codec)
    mended = _mend_utf8(fragment)
    return mended if mended and mended.lost < lossy.lost else lossy


def decode_page(body: bytes, *, content_type: str = "") -> Decoded:
    """A whole page as text, for what is read whole: forms, boxes and screens of errors; never raises."""
    codec = find_codec(body[:_SAMPLE], content_type=content_type)
    try:
        return Decoded(body.decode(codec), codec)
    except UnicodeDecodeError:
        text = body.decode(codec, "replace")
        return Decoded(text, codec, text.count(_LOSS))


def unescape_leftovers(text: str) -> str:
    """A text without the `&#9731;` that boards leave of characters outside their charset: escaped once more, they come so."""
    return _LEFTOVER.sub(_unescape, text) if "&#" in text else text


def _unescape(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else int(found[2])
    return chr(code) if 32 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else found[0]


def _is_big5(sample: bytes) -> bool:
    """Whether the pairs of bytes are those of Big5: four in ten of its characters end in 40 to 7E, none in 80 to A0.

    Simplified characters of a GB page end in A1 to FE; traditional ones fill 80 to A0 as often as 40 to 7E.
    """
    pairs = _PAIRS.findall(sample)
    foreign = sum(pair[0] <= 0xA0 or 0x80 <= pair[1] <= 0xA0 for pair in pairs)
    low = sum(pair[1] <= 0x7E for pair in pairs)
    return len(pairs) >= _FEW and low * 6 >= len(pairs) and foreign * 50 <= len(pairs)


def _mend_utf8(fragment: bytes) -> Decoded | None:
    """UTF-8 with a few broken bytes; None where so much of it is broken that it must be something else."""
    lossy = _replace_losses(fragment, UTF8)
    return lossy if lossy.lost <= _count_wide(lossy.text) - lossy.lost else None


def _replace_losses(fragment: bytes, codec: str) -> Decoded:
    text = fragment.decode(codec, "replace")
    return Decoded(text, codec, text.count(_LOSS) - (fragment.count(_LOSS.encode()) if codec == UTF8 else 0))


def _count_wide(text: str) -> int:
    """Characters that take three bytes or more in UTF-8, as Chinese does: chance makes none out of GB or Big5."""
    return len(text.encode("utf-8", "surrogatepass").translate(None, _NO_WIDE_LEAD))


def _reads(fragment: bytes, codec: str) -> bool:
    try:
        fragment.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _count_losses(sample: bytes, codec: str) -> int:
    """Losses of the sample under the codec; a character that the sample's end cuts in two is none."""
    decoder = codecs.getincrementaldecoder(codec)("replace")
    return decoder.decode(sample).count(_LOSS)
