"""What a director does about each finding, one sentence a code in Chinese and in English: the last column of
docs/findings.md.

A code without a sentence of its own has that of its group.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scraper.phrases import Phrase, both

_LOOK = ("打开这一帖看一眼", "open the post and look")
_RULE = ("在账本写 `裁定 票 tid=… pid=… 计为 X` 或 `… 作废`", "write in the ledger `裁定 票 tid=… pid=… 计为 X` or `… 作废`")

ADVICE: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "A101": (f"{_LOOK[0]}；若丢的字在投票对象里，{_RULE[0]}", f"{_LOOK[1]}; if what was lost is in the target, {_RULE[1]}"),
        "A102": ("不用做什么；字看着不对时再看原帖", "nothing to do; look at the post where its words seem wrong"),
        "A103": (
            f"{_LOOK[0]}：页面不完整就再 fetch；还是这样，按实际作者裁定",
            f"{_LOOK[1]}: fetch again where the page is not whole; if it stays so, rule by the true author",
        ),
        "A104": ("不用做什么；程序按帖子编号认帖", "nothing to do; posts are known by their numbers"),
        "A105": (
            f"核对这一帖的时间；差别会改变结果时，{_RULE[0]}",
            f"check the time of the post; where the difference changes the result, {_RULE[1]}",
        ),
        "A106": (
            f"{_LOOK[0]}，再 fetch 一次；一直这样就裁定这一帖",
            f"{_LOOK[1]}, and fetch again; if it stays so, rule on the post",
        ),
        "A107": (
            f"{_LOOK[0]}：是论坛自己的提示就不用做什么；若里面可能有票，裁定这一帖",
            f"{_LOOK[1]}: a note of the board needs nothing; where a vote may be in it, rule on the post",
        ),
        "A108": (
            f"{_LOOK[0]}；读不到的地方若可能有票，裁定这一帖",
            f"{_LOOK[1]}; where a vote may be in what cannot be read, rule on the post",
        ),
        "A109": (f"{_LOOK[0]}，核对程序读到的字", f"{_LOOK[1]}, and check the words that were read"),
        "A110": ("不用做什么", "nothing to do"),
        "A111": (
            "换一个看得到的账号登录再 fetch；看不到的可能是票时，裁定这一帖",
            "log in with an account that sees it, and fetch again; where what is hidden may be a vote, rule on the post",
        ),
        "A112": (
            "早一点再 fetch，或换一种显示绝对时间的页面；离关门很近的票要核对时间",
            "fetch earlier, or from a surface that shows absolute times; check the time of votes near the close",
        ),
        "A113": (
            f"{_LOOK[0]}：票若写在引文里不算，写在正文里的算；读错了就裁定",
            f"{_LOOK[1]}: a vote in the quote does not count, one in the text does; rule where it was read wrong",
        ),
        "A114": (
            f"{_LOOK[0]}：正文里的框架是贴上去的，里面的字算作者自己写的",
            f"{_LOOK[1]}: the frame in the text was pasted, and the words in it are the author's own",
        ),
        "A115": (
            f"{_LOOK[0]}：这是作者自己写的字，不是真的编辑标记",
            f"{_LOOK[1]}: these are the author's own words, not an edit mark of the board",
        ),
        "A116": (
            f"{_LOOK[0]}：选中全文能看到；里面的票不算，被吹笛的玩家另由 check 查",
            f"{_LOOK[1]}: select the text to see it; a vote in it does not count, and `check` looks at chanted players",
        ),
        "A117": (
            "核对 game.toml 里 [forum] 的 timezone 和论坛账号的时区设置，改好再数",
            "check timezone in [forum] of game.toml and the time zone of the board's account; mend it, and count again",
        ),
        "A118": ("再 fetch 一次；还是这样就按论坛上看到的裁定", "fetch again; if it stays so, rule by what the board shows"),
        "A119": ("不用做什么；缺帖时再 fetch", "nothing to do; fetch again where posts are missing"),
        "A120": ("再 fetch 一次", "fetch again"),
        "A121": (f"{_LOOK[0]}，核对程序读到的字", f"{_LOOK[1]}, and check the words that were read"),
        "A122": ("核对电脑的时间，或 [forum] 的 timezone", "check the clock of the computer, or timezone in [forum]"),
        "A123": (
            "知道就行；要这一项时换一种页面（docs/surfaces.md）",
            "good to know; another surface tells it (docs/surfaces.md)",
        ),
        "A124": ("不用做什么；被吹笛的玩家另由 check 查", "nothing to do; `check` looks at chanted players"),
        "A125": (
            "不用做什么：投票框里的票不计；被吹笛的玩家另由 check 查",
            "nothing to do: votes in the board's poll box do not count; `check` looks at chanted players",
        ),
        "B101": (
            f"确实想投票的，请他照格式重新发帖；认作票就{_RULE[0]}",
            f"if it is meant as a vote, ask him to post again in the format; to take it as one, {_RULE[1]}",
        ),
        "B102": (
            "是玩家的新账号就在账本写 `裁定 账号 A 为 SEAT`；旁观者不用管",
            "if it is a player's new account, write in the ledger `裁定 账号 A 为 SEAT`; a spectator needs nothing",
        ),
        "B103": ("核对一眼；不用做什么", "look once; nothing to do"),
        "B104": (f"{_LOOK[0]}；认定他投了谁就{_RULE[0]}", f"{_LOOK[1]}; if you are sure whom he voted for, {_RULE[1]}"),
        "B105": (
            f"请他重新发帖更正；大家都懂的叫法在账本写 `裁定 名字 T 为 SEAT`，或{_RULE[0]}",
            f"ask him to post again; for a name that all understand write in the ledger `裁定 名字 T 为 SEAT`, or {_RULE[1]}",
        ),
        "B106": (f"请他重新发帖写明是谁，或{_RULE[0]}", f"ask him to post again and say who is meant, or {_RULE[1]}"),
        "B107": ("告诉他改票的写法；认作改票就裁定", "tell him how a change is written; to take it as one, rule on the post"),
        "B108": (
            f"看他回复的是不是自己的票；认定是改票就{_RULE[0]}",
            f"see whether he replies to his own vote; to take it as a change, {_RULE[1]}",
        ),
        "B109": ("核对是否别人也看得到；不算就裁定作废", "check that others can see it too; to leave it out, rule it void"),
        "B110": ("问清他的意思；不算就裁定作废", "ask him what he means; to leave it out, rule it void"),
        "B111": (
            "是代投就补发一帖，写上「代投：玩家」；不是就不用管",
            "for a proxy post again with 「代投：玩家」; else nothing",
        ),
        "B112": ("用玩家的名字或别名重新发帖", "post again with the player's name or alias"),
        "B113": (
            "请他到投票帖重新发；认作票就在账本写代投或裁定",
            "ask him to post it in the vote thread; to take it as a vote, write a proxy or a ruling in the ledger",
        ),
        "B114": ("不用做什么", "nothing to do"),
        "B115": ("请他改写秘密数字或马甲，重新发帖", "ask him to name a secret number or a vest, and to post again"),
        "B116": ("是条件就裁定作废；不是就不用做什么", "if it is a condition, rule it void; else nothing"),
        "B201": ("照首次看到的算；认定别的就裁定", "it counts as first seen; rule where you are sure of something else"),
        "B202": (f"若有证据表明编辑前是别的，{_RULE[0]}", f"if there is evidence that it said something else before, {_RULE[1]}"),
        "B203": (f"{_RULE[0]}；不裁定，结果就不算定", f"{_RULE[1]}; without a ruling the result is not final"),
        "B204": (f"请作者或版主说明内容，再{_RULE[0]}", f"ask the author or a moderator what it says, then {_RULE[1]}"),
        "B205": ("先裁定前面那张票，这一张跟着就定了", "rule on the vote before it first; this one is settled with it"),
        "B206": ("请他重新发帖", "ask him to post again"),
        "B207": ("票仍算；认定别的就裁定", "the vote counts; rule where you are sure of something else"),
        "B208": ("票仍算；认定别的就裁定", "the vote counts; rule where you are sure of something else"),
        "B209": ("请他重新发帖", "ask him to post again"),
        "B210": ("不用做什么（开关 `ballot.edits` 如此）", "nothing to do (the switch `ballot.edits` says so)"),
        "B301": ("算不算赶上由你定；不算就裁定作废", "whether it was in time is yours to say; to leave it out, rule it void"),
        "B302": ("算不算违反由你定；违反就裁定作废", "whether it breaks the rule is yours to say; if it does, rule it void"),
        "B303": (
            "把 [forum] 的 timezone 改成论坛印的时区再数，或改账号的时区设置",
            "set timezone in [forum] to the zone that the board prints, and count again, or change the account's time zone",
        ),
        "B304": ("不用做什么；规则另有说法时裁定", "nothing to do; rule where the rules say otherwise"),
        "B305": (
            "核对 game.toml 里的 uid；是别人就裁定账号",
            "check the uid in game.toml; if it is somebody else, rule on the account",
        ),
        "B306": ("知道就行", "good to know"),
        "B307": (
            "核对 game.toml 里的 uid；写错了改正后重数",
            "check the uid in game.toml; if it is wrong, mend it and count again",
        ),
        "B401": ("再 fetch，直到缺的页都看到", "fetch again until the missing pages were seen"),
        "B402": ("关门之后再 fetch", "fetch again after the close"),
        "B403": (
            "在 [[day]] 写 `accelerated = true` 或 `false`，或在账本写 加速、延时",
            "write `accelerated = true` or `false` in [[day]], or 加速 or 延时 in the ledger",
        ),
        "B404": ("在 [[day]] 写 `sheriff`", "write `sheriff` in [[day]]"),
        "B405": ("在 [[day]] 写 `sheriff`（没有警长写空引号）", "write `sheriff` in [[day]] (empty quotes where there is none)"),
        "B406": ("投完之后在账本写 `导演 截票`", "when all have voted, write `导演 截票` in the ledger"),
        "B407": (
            "在 [[day]] 的 out 里写上他的 number 或 vest，或在 secrets.toml 里写",
            "write his number or vest in out of [[day]], or in secrets.toml",
        ),
        "B408": (
            "在 [[day]] 的 feigned 里写上他的 number，或在 secrets.toml 里写",
            "write his number in feigned of [[day]], or in secrets.toml",
        ),
        "B409": (
            "核对 secrets.toml 的身份、前一天的 souls，或撤销账本那一行",
            "check the roles of secrets.toml and the souls of the day before, or undo the line of the ledger",
        ),
        "B410": (
            "核对 game.toml 里的 account 和投票帖；真的没有人投，就在账本写 `裁定 结果`",
            "check account in game.toml and the vote thread; if really nobody voted, write `裁定 结果` in the ledger",
        ),
        "B501": ("核对 [[day]] 的 closes；本来就改过的不用管", "check closes of [[day]]; leave it where it was moved on purpose"),
        "B502": ("中途改的，在那一行写上 `宣布=时间`", "where it was moved in the middle, add `宣布=TIME` to the line"),
        "B503": (
            "想申请的请他照格式重新发；认作申请就在账本写 加速 或 延时",
            "if it is meant as a request, ask him to post again in the form; to take it as one, write 加速 or 延时 in the ledger",
        ),
        "B504": (
            "不用做什么；认为该算就在账本写 加速 或 延时",
            "nothing to do; if it should count, write 加速 or 延时 in the ledger",
        ),
        "B505": (
            "核对一眼；不是他的意思就在账本写 加速 或 延时",
            "look once; if that is not what he wants, write 加速 or 延时 in the ledger",
        ),
        "B506": ("不用做什么", "nothing to do"),
        "B507": (
            "照首次看到的算；认为该撤回就在账本写",
            "it counts as first seen; if it should be taken back, write so in the ledger",
        ),
        "B508": ("问清楚，在账本写 `加速` 或 `延时`", "ask, and write `加速` or `延时` in the ledger"),
        "B509": ("不用做什么", "nothing to do"),
        "B510": (
            "再看一遍进程帖，或在账本写 `加速`、`延时`",
            "look through the progress thread again, or write `加速` or `延时` in the ledger",
        ),
        "B511": ("知道就行", "good to know"),
        "B512": ("关门改了就在账本写 `关门 @时间`", "if the close was moved, write `关门 @TIME` in the ledger"),
        "B514": ("核对一眼；认为没赶上就在账本写", "look once; if it was not in time, write so in the ledger"),
        "C101": ("照规则判罚，或在账本写 `裁定 发言 … 合规`", "punish by the rules, or write `裁定 发言 … 合规` in the ledger"),
        "C102": ("照规则判罚，或在账本写 `裁定 发言 … 合规`", "punish by the rules, or write `裁定 发言 … 合规` in the ledger"),
        "C103": ("照规则判罚，或在账本写 `裁定 发言 … 合规`", "punish by the rules, or write `裁定 发言 … 合规` in the ledger"),
        "C104": (
            "只是提示：看过再定，违规就在账本写 `裁定 发言 … 违规`",
            "a hint only: look and decide; for a breach write `裁定 发言 … 违规` in the ledger",
        ),
        "C105": (
            "只是提示：看过再定，违规就在账本写 `裁定 发言 … 违规`",
            "a hint only: look and decide; for a breach write `裁定 发言 … 违规` in the ledger",
        ),
        "C106": (
            "只是提示：看过再定，违规就在账本写 `裁定 发言 … 违规`",
            "a hint only: look and decide; for a breach write `裁定 发言 … 违规` in the ledger",
        ),
        "C107": ("不用做什么", "nothing to do"),
        "C108": ("知道就行；要改就撤销那一行", "good to know; to change it, undo the line"),
        "C110": (
            "照规则判罚，或在账本写 `裁定 发言 … 合规`；不想查标点，game.toml 写 `punctuation`",
            "punish by the rules, or write `裁定 发言 … 合规` in the ledger; `punctuation` in game.toml leaves punctuation out",
        ),
        "C201": ("fetch 这个帖子再查", "fetch this thread, and check again"),
        "C202": ("再 fetch，直到缺的页都看到", "fetch again until the missing pages were seen"),
        "C203": (f"{_LOOK[0]}，或换一个看得到的账号再 fetch", f"{_LOOK[1]}, or fetch again with an account that sees it"),
        "C204": ("改其中一处，让它们一致", "change one of the two, so that they agree"),
        "C205": (
            "在那一天的 chanted 里补上他；已经解除的，写 piper_out",
            "add him to chanted of that day; if he was released, write piper_out",
        ),
        "D101": (
            "不用做什么；要罚就 `bansha cards --confirm` 或在账本写",
            "nothing to do; to punish, use `bansha cards --confirm` or write it in the ledger",
        ),
        "D102": ("提醒或判罚；程序不替你罚", "warn or punish him; the program does not"),
        "D103": ("fetch 讨论帖再查", "fetch the discussion thread, and look again"),
        "D104": ("关门之后再 fetch 讨论帖", "fetch the discussion thread again after the close"),
        "D105": ("不用做什么；要罚就在账本写", "nothing to do; to punish, write it in the ledger"),
        "D106": ("核对账本那一行；写错了就撤销", "check the line of the ledger; if it is wrong, undo it"),
        "E101": ("改其中一处，让它们一致", "change one of the two, so that they agree"),
        "E102": ("在那一行补上 @时间", "add @TIME to the line"),
        "E104": ("把事实写进 [[day]]", "write the fact in [[day]]"),
        "E105": (
            "改 [[day]] 的 sheriff；当选后又换了人的不用管",
            "change sheriff of [[day]]; leave it where another took over after the election",
        ),
        "E106": ("在下一天的 out 里补上他", "add him to out of the next day"),
        "E107": ("在 game.toml 补上那一天，或改那一行的日期", "add the day to game.toml, or change the date of the line"),
        "E108": ("核对是哪个对，改 game.toml 或账本", "find out which is right, and change game.toml or the ledger"),
        "E109": (
            "核对后更正公布的帖子，或在账本写 `裁定 结果 …` 维持",
            "check, and correct the post that published it, or uphold it in the ledger with `裁定 结果 …`",
        ),
        "E110": ("改成「投票结果：名字出局」的写法，或不用管", "write it as 「投票结果：名字出局」, or leave it"),
        "E111": ("核对票数，更正公布的帖子", "check the count, and correct the post that published it"),
        "E121": ("核对是哪个对，改 game.toml 或账本", "find out which is right, and change game.toml or the ledger"),
        "E122": ("用 `bansha ledger` 核对这一行之后的结果", "check with `bansha ledger` what follows from this line"),
        "E201": ("不用做什么；要改就 `撤销` 那一行", "nothing to do; to change it, `撤销` the line"),
        "E202": ("核对 tid、pid 或名字，改那一行", "check tid, pid or name, and change the line"),
        "E203": ("核对那一行；不要了就撤销", "check the line; if it is no longer wanted, undo it"),
        "E204": ("改成玩家的名字或别名", "write the player's name or alias"),
        "E205": ("不用做什么；要改就 `撤销` 那一行", "nothing to do; to change it, `撤销` the line"),
        "E430": ("照它说的改那一行", "change the line as it says"),
        "E431": ("发好投票帖，`bansha day 1 --vote 地址`", "post the vote thread, then `bansha day 1 --vote ADDRESS`"),
        "E432": ("补上这一天的 [[day]]（`bansha day N --vote 地址`）", "add its [[day]] (`bansha day N --vote ADDRESS`)"),
        "E433": ("各用一帖的话，改 vote", "where each has its own, change vote"),
        "E434": ("改 opens 或 closes，两天不可重叠", "change opens or closes: two days may not overlap"),
        "E435": (
            "若有一个是打错的，改 [[player]] 的 name；若都对，票里写错一个字就会成另一个人",
            "if one is a slip, change the name in [[player]]; if both are right, one wrong character in a vote means the other",
        ),
        "E436": (
            "在 [[player]] 写 uid = …（个人页地址里的数字）",
            "write uid = … in [[player]] (the number in the address of the profile)",
        ),
        "E437": (
            "把整局移到不同步的文件夹，或每次加 --db 写到别处",
            "move the game to a folder that is not synced, or add --db with another place every time",
        ),
        "E438": ("在终端里 `chmod 600 文件`", "`chmod 600 FILE` in a terminal"),
        "E439": (
            "新的一局 `bansha deal`；从中间接手的、别处发过牌的，在 secrets.toml 写每人的 role；只计票就不用",
            "a new game: `bansha deal`; one taken up in the middle, or dealt elsewhere: write everybody's role in secrets.toml; "
            "neither only to count",
        ),
        "E440": ("在 secrets.toml 写上他们的 role", "write their role in secrets.toml"),
        "E441": (
            "改回发牌时写下、公布了的那一行；改过的是 seed，就改回 seed",
            "put back the line of the deal, which was published; where it is the seed that was changed, put that back",
        ),
        "E442": ("把它写进 [game]，开局时公布", "write it in [game], and publish it at the start"),
        "E443": ("在 [forum] 写 url", "write url in [forum]"),
        "E444": (
            "用浏览器打开试试；能打开，过一会儿再来一次",
            "try it in a browser; if it opens there, try again a little later",
        ),
        "E445": ("`bansha login` 再登录一次", "log in again: `bansha login`"),
        "E446": ("`bansha login`，或在 [forum] 写 cookies", "`bansha login`, or write cookies in [forum]"),
        "E447": ("换一个看得到这一帖的账号", "use an account that may read the thread"),
        "E448": ("检查 tid；帖子可能被删除或移走", "check the tid; the thread may have been deleted or moved"),
        "E449": ("用浏览器打开，把新的地址写进这一天", "open it in a browser, and write its new address into the day"),
        "E450": ("请版主或导演打开这一帖，或换一帖", "have the thread opened again, or use another"),
        "E451": (
            "用浏览器打开看看是不是帖子；是就照它说的发来这一页",
            "open it in a browser: if it is a thread, send the page as it says",
        ),
        "E452": ("用浏览器打开看看", "open it in a browser and look"),
        "E453": ("核对 tid，改这一天的地址或 number", "check the tid, and change the day's address or number"),
        "E454": ("放在你自己的用户文件夹里，不要共享", "keep it in your own user folder, and do not share that"),
        "E456": ("照它说的改那一行", "change the line as it says"),
        "E455": ("把整局移到不同步的文件夹", "move the game to a folder that is not synced"),
        "E501": ("请写手补上他", "ask the writer to add him"),
        "E502": ("请写手补上他；剧本里不便写就不用管", "ask the writer to add him; leave it where the story has no place for it"),
        "E503": ("请写手补上他；剧本里不便写就不用管", "ask the writer to add him; leave it where the story has no place for it"),
        "E517": (
            "别让人看出是谁用了什么技能、怎样出局的；只是故事里的话就不用管",
            "let nobody see who used which skill, or how a seat went out; where it is just the story's word, leave it",
        ),
    }
)
GROUPS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "A": ("看一眼原帖，读错了就裁定", "look at the post; rule where it was read wrong"),
        "B": ("看一眼原帖，需要时裁定", "look at the post, and rule where it is needed"),
        "C": ("看过再定", "look, and decide"),
        "D": ("看过再定", "look, and decide"),
        "E1": ("核对 game.toml 和账本", "check game.toml and the ledger"),
        "E2": ("核对账本那一行", "check the line of the ledger"),
        "E4": (
            "核对身份和人数，改 secrets.toml、game.toml 或开关",
            "check roles and numbers, and change secrets.toml, game.toml or the switches",
        ),
        "E5": (
            "请写手换掉这个词；只是碰巧写到、说不出谁是什么，就不用管",
            "ask the writer for another word; leave it where it stands by chance and tells nobody anything",
        ),
        "E3": (
            "照提示改这一行；规则允许例外时用 `--force` 并写理由",
            "change the line as it says; where the rules allow an exception, use `--force` with a reason",
        ),
        "E": ("核对 game.toml 和账本", "check game.toml and the ledger"),
    }
)


def advise(code: str) -> Phrase:
    """What to do about a finding of this code: its own sentence, else that of its group; it can be said in both languages."""
    return both(*(ADVICE.get(code) or GROUPS.get(code[:2]) or GROUPS[code[:1]]))
