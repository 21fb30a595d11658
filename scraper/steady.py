"""What changes by itself inside a message region from one look to the next, and so stands in no gate."""

from __future__ import annotations

import re

_OP = re.compile(rb"<ignore_js_op>(.*?)</ignore_js_op>", re.DOTALL)
_OP_NAMES = re.compile(rb'<strong>([^<]*)</strong>|>([^<]+)</a>|\bfile="([^"]*)"')
_NOISE = re.compile(rb'<(span|font) (?:style="display: ?none"|class="jammer"|style="font-size:0px;color:[^"]*")>[^<]*</\1>')
_HANDLERS = re.compile(rb' (?:id|on[a-z]+)="[^"]*"')
_SCRIPT = re.compile(rb"<script .*?</script>", re.DOTALL)
_FILE_LINK = re.compile(rb'="[^"]*(?:mod=attachment|mod=image|attachment\.php)[^"]*"')
_FILE_TOKENS = re.compile(rb"\b(aid|key)=[\w%=|.-]+")
_SESSION = re.compile(rb'(="[^"]*\b(?:sid|formhash)=)\w{6,8}\b')
_AGES = re.compile(rb'(<span title="\d+[-/.]\d+[-/.][^"]*">)[^<]*')
# Any attribute but those of a `<font>` that hold nothing else than a look.
_LIVING = re.compile(rb'="(?<!<font color=")(?<!<font size=")(?<!<font face=")')


def steady(region: bytes) -> bytes:
    """A message region without what changes by itself from one look to the next (all of it needs an attribute)."""
    if _LIVING.search(region) is None:
        return region
    if b"<ignore_js_op" in region:
        region = _OP.sub(_keep_names, region)
    if b"jammer" in region or b"display:" in region or b"font-size:0px" in region:
        region = _NOISE.sub(b"", region)
    if b"<script" in region:
        region = _SCRIPT.sub(b"", region)
    if b' id="' in region or b" on" in region:
        region = _HANDLERS.sub(b"", region)
    if b"aid=" in region:
        region = _FILE_LINK.sub(_drop_tokens, region)
    if b"sid=" in region or b"formhash=" in region:
        region = _SESSION.sub(rb"\1", region)
    if b"<span title=" in region:
        region = _AGES.sub(rb"\1", region)
    return region


def _drop_tokens(found: re.Match[bytes]) -> bytes:
    return _FILE_TOKENS.sub(rb"\1=", found[0])


def _keep_names(found: re.Match[bytes]) -> bytes:
    return b"<file>" + b"|".join(b"".join(name) for name in _OP_NAMES.findall(found[1])) + b"</file>"
