"""The findings of `bansha doctor` about a game's file, its computer and its board: E43, E44 and E45."""

from __future__ import annotations

from tally.kind import Kind, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

DOCTOR_KINDS = (
    Kind("E430", _E, "游戏文件读不了：{problem}", "The game's files cannot be read: {problem}"),
    Kind("E431", _W, "还没有哪一天", "There is no day yet"),
    Kind("E432", _W, "没有第 {days} 天", "Day {days} is missing"),
    Kind(
        "E433",
        _W,
        "第 {earlier} 天和第 {day} 天是同一个投票帖 {tid}",
        "Days {earlier} and {day} have the same vote thread {tid}",
    ),
    Kind("E434", _E, "日程重叠：{problem}", "Days overlap: {problem}"),
    Kind("E435", _W, "{one} 和 {other} 只差一个字", "{one} and {other} differ by one character"),
    Kind(
        "E436",
        _W,
        "{count} 名玩家没有写 uid：改了账号名就认不出",
        "Players without uid: {count}; once an account is renamed it is not known",
    ),
    Kind(
        "E437",
        _E,
        "数据库 {path} 在 {service} 的文件夹里：同步和写入撞在一起会坏",
        "The database {path} is in a folder of {service}: syncing while it is written breaks it",
    ),
    Kind("E438", _E, "{file} 别的用户也能读", "Other users can read {file}"),
    Kind("E439", _N, "还不知道谁是什么身份", "Nobody's role is known"),
    Kind("E440", _E, "{count} 名玩家没有身份", "Players without a role: {count}"),
    Kind(
        "E441",
        _E,
        "seed_commitment 和种子对不上：种子的是 {own}",
        "seed_commitment is not that of the seed, which is {own}",
    ),
    Kind("E442", _E, "有种子，没有 seed_commitment：应是 {own}", "There is a seed and no seed_commitment: it would be {own}"),
    Kind("E443", _E, "game.toml 没有写是哪个论坛", "game.toml does not say which board"),
    Kind("E444", _E, "论坛连不上，或不让看：{problem}", "The board cannot be reached, or refuses: {problem}"),
    Kind(
        "E445", _E, "带了 cookie，论坛却当作游客：登录过期了", "Cookies were sent, but the board sees a guest: the login ran out"
    ),
    Kind("E446", _E, "要登录才看得到：{problem}", "Shown to members only: {problem}"),
    Kind("E447", _E, "没有权限看：{problem}", "No permission to read: {problem}"),
    Kind("E448", _E, "没有这个帖子，或被删除了：{problem}", "There is no such thread, or it was deleted: {problem}"),
    Kind("E449", _E, "帖子被移走或合并了：{problem}", "The thread was moved or merged: {problem}"),
    Kind(
        "E450",
        _E,
        "这一帖关着，没有人能回复，而这一天到 {until} 才关门",
        "The thread is closed to replies, and the day closes only at {until}",
    ),
    Kind("E451", _E, "这一页的版式不认得：{problem}", "A page of unknown layout: {problem}"),
    Kind("E452", _E, "看不了：{problem}", "It cannot be read: {problem}"),
    Kind(
        "E453",
        _W,
        "标题写的是第 {titled} 天，game.toml 写的是第 {day} 天：{title:text}",
        "The title says day {titled}, game.toml says day {day}: {title:text}",
    ),
    Kind(
        "E454",
        _W,
        "这台电脑上收不起 {file}：同一台电脑的别人可能看得到",
        "The rights of {file} cannot be set on this computer: others on it may read it",
    ),
    Kind(
        "E455",
        _W,
        "{file} 在 {service} 的文件夹里，会传到网上",
        "{file} is in a folder of {service}, and goes to the net",
    ),
    Kind("E456", _E, "模板不能用：{problem}", "A template cannot be used: {problem}"),
)
