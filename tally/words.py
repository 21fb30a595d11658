"""What codes are called where people read them: reasons and places, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping

from tally.ballot import Place, Reason
from tally.sounds.terms import SOUND_TERMS

REASONS: Mapping[Reason, tuple[str, str]] = {
    Reason.REPLACED: ("已被后来的票顶替", "replaced by a later ballot"),
    Reason.MALFORMED: ("格式有误", "not in the format"),
    Reason.NO_REASON: ("没有写理由", "no reason given"),
    Reason.UNKNOWN_TARGET: ("没有这个投票对象", "no such target"),
    Reason.AMBIGUOUS_TARGET: ("投票对象不止一种读法", "the target can be read as several"),
    Reason.TARGET_OUT: ("投票对象已出局", "the target is out"),
    Reason.TARGET_BARRED: ("投票对象不可被投", "the target may not be voted for"),
    Reason.VOTER_OUT: ("投票人已出局", "the voter is out"),
    Reason.VOTER_BARRED: ("投票人今天不得投票", "the voter may not vote today"),
    Reason.OLD_ACCOUNT: ("用的是已换下的账号", "posted from an account that was replaced"),
    Reason.SECOND_VOTE: ("已经投过票，要改须用改票格式", "has a vote already; a change needs the change format"),
    Reason.NOTHING_TO_CHANGE: ("没有可改的票", "no standing vote to change"),
    Reason.CHANGE_LIMIT: ("改票次数已用完", "no change left"),
    Reason.CHANGE_NOT_REPLY: ("改票没有回复自己原来的楼层", "the change does not reply to the own ballot"),
    Reason.CHANGE_TOO_LATE: ("关门前不许改票的时间里", "changed too late before the close"),
    Reason.CHANGE_ACCELERATED: ("加速时不许改票", "changed while a speed-up held"),
    Reason.PROXY_NOT_DIRECTOR: ("代投只能由导演发", "a proxy that no director posted"),
    Reason.CONDITIONAL_PROXY: ("代投设了条件", "a proxy with a condition"),
    Reason.PROXY_TOO_LATE: ("关门前不许代投的时间里", "a proxy too late before the close"),
    Reason.BEFORE_OPEN: ("投票还没有开始", "before the day opened"),
    Reason.AFTER_CLOSE: ("已经关门", "after the close"),
    Reason.EDITED: ("编辑过的票", "edited"),
    Reason.MUST_AGREE: ("必须一致的几票不一致", "votes that must agree do not"),
    Reason.MANIPULATED_TWICE: ("同一个人被两次操纵", "manipulated by two"),
    Reason.RULED_VOID: ("导演裁定作废", "ruled void by the director"),
}

PLACES: Mapping[Place, tuple[str, str]] = {
    Place.STANDING: ("有效", "stands"),
    Place.REPLACED: ("已改票", "replaced"),
    Place.VOID: ("无效", "void"),
    Place.NEEDS_RULING: ("待裁定", "needs a ruling"),
    Place.NOT_BALLOT: ("不是票", "not a ballot"),
}

# What a window's limit, an unusable ruling and an unreadable post are called in sentences.
TERMS: Mapping[str, tuple[str, str]] = {
    **SOUND_TERMS,
    "close": ("关门", "the close"),
    "open": ("开门", "the opening"),
    "freeze": ("不许改票的开始", "the start of the last hour"),
    "speed_up": ("加速的起止", "a limit of the speed-up"),
    "no_voter": ("这一帖不是玩家发的", "no player posted it"),
    "several": ("这一帖里有几张代投", "the post holds several proxies"),
    "no_ballot": ("这一帖本来就不是票", "the post is no ballot anyway"),
    "superseded": ("后来另有一条裁定", "a later ruling settles the same post"),
    "blocked": ("被屏蔽", "blocked"),
    "locked": ("看不到内容", "not visible"),
    "normal": ("没有读全", "not read whole"),
    "author": ("作者名", "author"),
    "time": ("时间", "time"),
    "message": ("正文", "message"),
    "deleted": ("被删除", "deleted"),
    # What happens to a day: requests and doors (requests.RequestFate, dayevent.EventKind).
    "opening": ("开门", "the opening"),
    "extension": ("延时", "an extension"),
    "shortening": ("缩短", "a shorter day"),
    "faster": ("加速", "a speed-up"),
    "accelerated": ("执行加速", "sped up"),
    "not_accelerated": ("不加速", "not sped up"),
    "spectator": ("不是玩家", "no player"),
    "seat_out": ("已经出局", "out"),
    "old_account": ("用的是已换下的账号", "an account that was replaced"),
    "before_open": ("还没有开门", "before the opening"),
    "late": ("已经判定过了", "after the judgement"),
    "repeated": ("已经申请过", "asked already"),
    "nothing_to_withdraw": ("没有可撤回的申请", "nothing to take back"),
    "left": ("判定之前出局", "out before the judgement"),
    "edited": ("编辑标记", "edit marks"),
    "edited_after": ("看到之后被编辑", "edited after it was seen"),
    "edited_before": ("首次看到时已编辑过", "edited before it was first seen"),
    "edited_into": ("原来不是申请", "no request before its edit"),
    "no_soul": ("不在灵魂状态", "no soul"),
    "no_such_skill": ("没有这个技能", "not a skill of his"),
    # Why an offence gets no card.
    "未投票": ("未投票", "no vote"),
    "发言不足": ("发言不足", "too quiet"),
    "barred": ("今天不得投票", "may not vote today"),
    "substitute": ("替补，当天过半才接手", "a substitute since after the middle of the day"),
    # Why a post does not count for a seat's activity.
    "outside_window": ("不在开门时间里", "outside the window"),
    "says_nothing": ("没有自己的话", "no own words"),
    "never_read": ("没有看到过内容", "never read"),
    "no_valid_vote": ("不是有效的票", "no valid vote"),
}


def reason_words(reason: Reason, language: str = "zh") -> str:
    """What a reason is called."""
    return REASONS[reason][language != "zh"]


def term_words(term: str, language: str = "zh") -> str:
    """What a parameter's word is called; the word itself where it has no other name."""
    names = TERMS.get(term)
    return names[language != "zh"] if names else term


def place_words(place: str, language: str = "zh") -> str:
    """What a place such as `standing:包子`, `void:no_reason` or `not_ballot` is called."""
    word, _, rest = place.partition(":")
    name = PLACES[Place(word)][language != "zh"]
    if not rest:
        return name
    if word == Place.VOID:
        return (
            f"{name}（{reason_words(Reason(rest), language)}）"
            if language == "zh"
            else f"{name} ({reason_words(Reason(rest), language)})"
        )
    return f"{name}：{rest}" if language == "zh" else f"{name}: {rest}"
