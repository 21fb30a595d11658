"""The registry of findings: every code with its severity and its sentence in Chinese and in English.

A… pages and posts as they were read (scraper/page.py lists what each code means), B… ballots and windows, C… sounds, D… cards and
activity, E… game file, ledger and rulings. Sentences are texts over the parameters of a finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tally.daykinds import DAY_KINDS
from tally.dealkinds import DEAL_KINDS
from tally.doctorkinds import DOCTOR_KINDS
from tally.kind import Kind, Severity
from tally.ledgerkinds import LEDGER_KINDS
from tally.morningkinds import MORNING_KINDS
from tally.sounds.kinds import SOUND_KINDS
from tally.votekinds import VOTE_KINDS


def _gather(*kinds: Kind) -> Mapping[str, Kind]:
    return MappingProxyType({kind.code: kind for kind in kinds})


_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# Parameters stand in braces. `:place` and `:term` put a code's name there, `:text` a player's own words on one line,
# `:terms` words among figures.
KINDS: Mapping[str, Kind] = _gather(
    # A1: how a page and its posts were read
    Kind(
        "A101",
        _W,
        "有 {count} 个字符解不出来，显示为 \ufffd（{part:term}）",
        "{count} characters could not be decoded and show as U+FFFD ({part:term})",
    ),
    Kind(
        "A102", _N, "{part:term}的编码（{codec}）和整页的不同", "The {part:term} is in another encoding ({codec}) than the page"
    ),
    Kind("A103", _E, "看不出这一帖是谁发的", "No author was found"),
    Kind("A104", _N, "看不出这一帖的楼层", "No floor label was found"),
    Kind(
        "A105",
        _E,
        "发帖时间读不出来（{printed:text}），按看到的时间算",
        "The time could not be read ({printed:text}); taken as when it was seen",
    ),
    Kind("A106", _E, "这一帖既没有内容，也没有说明为什么没有", "Neither a message nor a reason for its absence"),
    Kind("A107", _W, "这一帖看不到内容，页面写着：{text:text}", "The post is not shown; the page says: {text:text}"),
    Kind(
        "A108",
        _E,
        "这一帖嵌套得太深，里面和后面的字读不到（{tags} 个标签）",
        "Nested too deep: words inside and behind are lost ({tags} tags)",
    ),
    Kind(
        "A109",
        _W,
        "标签 {element} 没有关上，{characters} 个字可能没读对",
        "{element} is never closed; {characters} characters may be misread",
    ),
    Kind("A110", _N, "标签没有写完（{tag:text}），已补上", "A tag never ends ({tag:text}); it was mended"),
    Kind("A111", _W, "有隐藏内容，这个账号看不到：{text:text}", "A hidden part that this account is not shown: {text:text}"),
    Kind(
        "A112",
        _W,
        "只印了相对时间（{printed:text}），可能早至多 {margin} 秒",
        "Only a relative time ({printed:text}); it may be up to {margin} seconds earlier",
    ),
    Kind(
        "A113",
        _W,
        "引用的标签没有配对，引文可能混进了正文",
        "Quote tags without their pair: quoted words may stand among the own",
    ),
    Kind(
        "A114",
        _W,
        "正文里夹着另一帖的框架（pid {pid}），按正文读",
        "A post's frame (pid {pid}) stands inside the message; read as part of it",
    ),
    Kind("A115", _W, "像编辑标记，但不是论坛印的：{text:text}", "Looks like an edit mark, but is not the board's: {text:text}"),
    Kind("A116", _W, "作者设成看不见的字：{text:text}", "Words that their author made invisible: {text:text}"),
    Kind(
        "A117",
        _E,
        "发帖时间（{posted}）比看到的时间（{seen}）还晚，时区或日期格式设错了",
        "Posted ({posted}) after it was seen ({seen}): the zone or the date format is wrong",
    ),
    Kind("A118", _E, "同一页有两帖都是 pid {pid}，内容不同", "Two different posts of pid {pid} on one page"),
    Kind(
        "A119",
        _W,
        "第一帖之前有个不是帖子的框架（pid {pid}），没有读",
        "A frame before the first post (pid {pid}) is none and was left out",
    ),
    Kind("A120", _W, "页面没有收完（{bytes} 字节）", "The page stops before its end ({bytes} bytes)"),
    Kind(
        "A121",
        _W,
        "找不到这一帖正文的结尾，可能多读或少读了",
        "The end of the message was not found; words may be missing or foreign",
    ),
    Kind(
        "A122",
        _W,
        "论坛的时间（{printed}）和这里的（{seen}）差了十二小时以上",
        "The board's clock ({printed}) is more than 12 hours from ours ({seen})",
    ),
    Kind("A123", _W, "这种页面（{surface}）不显示{lacks:term}", "This surface ({surface}) does not show {lacks:term}"),
    Kind("A124", _N, "这一帖下面附了文件：{files:text}", "Files are attached below the post: {files:text}"),
    Kind("A125", _N, "这一帖开了投票框，选项：{options:text}", "The post opened a poll; its options: {options:text}"),
    # B1: how a post reads
    Kind(
        "B101", _W, "像是投票，但不合格式，没有计：{text:text}", "Looks like a vote but is in no format, not counted: {text:text}"
    ),
    Kind(
        "B102",
        _W,
        "{author}不是玩家，发的像是票，没有计：{text:text}",
        "{author} is no player; looks like a vote, not counted: {text:text}",
    ),
    Kind(
        "B103",
        _W,
        "投票对象里夹着看不见的字符（{marks}），按{target}计",
        "The target holds invisible characters ({marks}); counted as {target}",
    ),
    Kind(
        "B104",
        _W,
        "投票对象里有改变文字方向的字符（{marks}），显示的不一定是写下的：{raw:text}",
        "The target holds direction marks ({marks}); what it shows may not be what it says: {raw:text}",
    ),
    Kind("B105", _W, "没有「{raw:text}」，相近的名字：{hints}", "No {raw:text}; the nearest names: {hints}"),
    Kind("B106", _W, "「{raw:text}」可能是：{candidates}", "{raw:text} may be any of {candidates}"),
    Kind(
        "B107",
        _W,
        "已有一票，再发「投票对象」无效；要改须回复自己的楼层并写「改票对象」",
        "Has a vote already; a change must reply to the own floor in the change format",
    ),
    Kind(
        "B108",
        _W,
        "改票没有引用或回复任何楼层；若认定是改票，可裁定计入",
        "The change quotes and replies to nothing; the director may rule that it counts",
    ),
    Kind("B109", _W, "票写在隐藏内容里，导演看得到，已计", "The ballot stands in hidden text that the director can see; counted"),
    Kind("B110", _W, "票上划了删除线，仍照原文计", "The ballot is struck through; counted as it reads"),
    Kind(
        "B111",
        _W,
        "导演的帖子里有投票格式，但没有「代投：」，没有计",
        "A director's post in the format without 代投; not counted",
    ),
    Kind(
        "B112", _W, "代投的「{raw:text}」不是哪位玩家的名字，没有计", "The proxy is for {raw:text}, who is no player; not counted"
    ),
    Kind("B113", _W, "票发在别的帖子里，没有计：{text:text}", "A ballot in another thread, not counted: {text:text}"),
    Kind(
        "B114", _N, "这里的引用不带帖子编号，按作者和时间认出原票", "Quotes carry no post number here; matched by author and time"
    ),
    # B2: what became of a ballot
    Kind(
        "B201",
        _W,
        "票发出后被编辑，按首次看到的计。原文：{before:text}；现在：{after:text}",
        "Edited after it was seen; counted as first seen. Before: {before:text}; now: {after:text}",
    ),
    Kind(
        "B202",
        _W,
        "首次看到时已编辑过（{editor}，{edited_at}），编辑前的内容不得而知，按看到的计",
        "Bore an edit mark at first sight ({editor}, {edited_at}); the earlier text is unknown, counted as seen",
    ),
    Kind(
        "B203",
        _E,
        "在不许改票的时间里被编辑（{editor}，{edited_at}），此前没有看到过，须裁定：{raw:text}",
        "Edited when nothing could be changed ({editor}, {edited_at}) and never seen before; needs a ruling: {raw:text}",
    ),
    Kind(
        "B204",
        _E,
        "{voter}的这一帖{state:term}，从没看到过内容，可能是票，须裁定",
        "This post of {voter} is {state:term} and was never read; it may be a ballot and needs a ruling",
    ),
    Kind(
        "B205",
        _E,
        "这张票是否有效，要看{voter}前面那张待裁定的票，须裁定：{raw:text}",
        "Whether it counts depends on an earlier ballot of {voter} that needs a ruling: {raw:text}",
    ),
    Kind(
        "B206",
        _W,
        "无效的票后来改对了也不算，须重新发帖。原文：{before:text}；现在：{after:text}",
        "A void ballot edited into a good one is still void: it must be posted again. Before: {before:text}; now: {after:text}",
    ),
    Kind(
        "B207",
        _W,
        "票在看到之后被删除（最后看到 {last_seen}，{missing_since} 起不见），仍计",
        "Deleted after it was seen (last seen {last_seen}, missing since {missing_since}); it still counts",
    ),
    Kind(
        "B208",
        _W,
        "票在看到之后{state:term}，仍照看到的计",
        "After it was seen the ballot is {state:term}; it still counts as seen",
    ),
    Kind(
        "B209",
        _W,
        "原来不是票，后来编辑成了票，没有计，须重新发帖：{after:text}",
        "Was no ballot and was edited into one; not counted, it must be posted again: {after:text}",
    ),
    Kind("B210", _N, "票被编辑过，按最后看到的内容计", "The ballot was edited; counted as last seen"),
    # B3: times and voters
    Kind(
        "B301",
        _W,
        "论坛只显示到分钟，这张票在关门的那一分钟（{at}），按赶上计",
        "The board prints minutes only and the ballot is of the closing minute ({at}); counted as in time",
    ),
    Kind(
        "B302",
        _W,
        "论坛只显示到分钟，{limit:term}（{moment}）正在这一分钟里，按不违反计",
        "The board prints minutes only and {limit:term} ({moment}) falls inside this one; taken as before it",
    ),
    Kind(
        "B303",
        _E,
        "论坛页脚的时区是 {printed}，设定的是 {set}，时间可能都读错了",
        "The board's footer says {printed} but {set} is set: all times may be wrong",
    ),
    Kind("B304", _W, "{voter}投票之后出局（{at}），他的票仍计", "{voter} went out after voting ({at}); the ballot still counts"),
    Kind(
        "B305",
        _W,
        "账号「{author}」按 uid 是{seat}，但论坛名是{namesake}的",
        "By its uid the account {author} is {seat}'s, but its name is {namesake}'s",
    ),
    # B4: the whole tally
    Kind(
        "B401",
        _E,
        "投票帖没有看全，缺第 {pages} 页，结果未定",
        "The vote thread was not seen whole; missing pages: {pages}. Nothing is final",
    ),
    Kind(
        "B402",
        _N,
        "最后一次看投票帖是 {seen}，还没有过关门时间，结果未定",
        "The last look ({seen}) was before the close; nothing is final",
    ),
    Kind(
        "B403",
        _E,
        "还没有判定是否加速，改票和黄牌都未定",
        "Whether a speed-up holds has not been judged; changes and cards are open",
    ),
    Kind(
        "B404",
        _W,
        "没有写明警长，都按一票计；无论谁是警长，结果不变",
        "No sheriff is named; whoever it is, the result is the same",
    ),
    Kind("B405", _E, "没有写明警长，都按一票计；谁是警长会改变结果", "No sheriff is named, and who it is can change the result"),
    *VOTE_KINDS,
    # C: sounds
    *SOUND_KINDS,
    # D: cards and activity
    Kind(
        "D101",
        _W,
        "{seat}回复了投票帖，但没有有效的票；不罚黄牌",
        "{seat} replied in the vote thread but has no valid vote; no card",
    ),
    Kind(
        "D102", _W, "{seat}已经出局，不得在讨论帖、投票帖、进程帖中发言", "{seat} is out and may not post in the game's threads"
    ),
    Kind(
        "D103", _W, "讨论帖没有看过，发言不足没有检查", "The discussion threads were not read; how much each spoke is unchecked"
    ),
    *DAY_KINDS,
    # E1: the game file and the ledger
    Kind(
        "E101",
        _W,
        "第 {day} 天是否加速，game.toml 和账本第 {line} 行说得不一样，按账本算",
        "Line {line} of the ledger and game.toml disagree on the speed-up of day {day}; the ledger is followed",
    ),
    Kind(
        "E102",
        _W,
        "账本第 {line} 行为{voter}代投，没有写时间，按许可的最后一刻（{at}）算；补上 @时间",
        "The proxy for {voter} in line {line} of the ledger has no time; taken as the last moment allowed ({at}); add @time",
    ),
    Kind(
        "E104",
        _W,
        "账本第 {line} 行的「{act}」不影响计票；当天的事实写在 game.toml 的 [[day]] 里",
        "{act} in line {line} of the ledger says nothing to a count; facts of a day stand in its [[day]] of game.toml",
    ),
    Kind(
        "E105",
        _W,
        "当选警长的是{seat}，而 game.toml 的第 {day} 天写的警长不是他",
        "{seat} is elected sheriff, but day {day} in game.toml names another",
    ),
    Kind(
        "E106",
        _W,
        "{seat}出局，而 game.toml 的第 {day} 天没有把他写进 out",
        "{seat} goes out, but day {day} in game.toml does not list him in out",
    ),
    Kind(
        "E107",
        _W,
        "账本第 {line} 行说的是第 {day} 天，game.toml 里没有这一天，没有用上",
        "Line {line} of the ledger is about day {day}, which game.toml has not; it was not used",
    ),
    # E2: rulings and ledger lines
    Kind(
        "E201",
        _N,
        "按账本第 {line} 行裁定：{now:place}；按规则本来是：{own:place}",
        "By line {line} of the ledger: {now:place}; by the rules it was: {own:place}",
    ),
    Kind("E202", _W, "账本第 {line} 行的裁定对不上任何帖子或名字", "The ruling in line {line} of the ledger matches nothing"),
    Kind(
        "E203",
        _W,
        "账本第 {line} 行的裁定用不上：{why:term}",
        "The ruling in line {line} of the ledger has no effect: {why:term}",
    ),
    Kind("E204", _W, "账本第 {line} 行：没有「{name}」这个玩家", "Line {line} of the ledger: no player {name}"),
    Kind(
        "E205",
        _N,
        "按账本第 {line} 行，结果是：{ruled}；按票数是：{own}",
        "By line {line} of the ledger the result is {ruled}; by the votes: {own}",
    ),
    Kind(
        "E206",
        _N,
        "账本第 {line} 行的裁定没有改变什么：按规则本来就是这样",
        "The ruling in line {line} of the ledger changed nothing: by the rules it is so anyway",
    ),
    Kind(
        "E207",
        _N,
        "按账本第 {line} 行裁定，这一帖算{seat}发的",
        "By line {line} of the ledger this post is {seat}'s",
    ),
    *LEDGER_KINDS,
    # E41, E42: the roles that are dealt
    *DEAL_KINDS,
    # E43 to E45: what the doctor finds before anything is counted
    *DOCTOR_KINDS,
    *MORNING_KINDS,
)
