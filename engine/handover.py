"""A game in one sealed file, for the other director: game file, ledger, secrets, votes and the archive, and nothing that logs in.

The file is a zip, encrypted and authenticated with a key made from a passphrase (scrypt, then Fernet): without it nobody reads
it, and nobody changes it unseen. Cookies are left out: each director has his own account.
"""

from __future__ import annotations

import base64
import io
import os
import sqlite3
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from engine.game import Game
from engine.privatefile import save_private
from engine.secrets import FILE as SECRETS
from engine.votetable import FILE as VOTES
from scraper.errors import UsageError
from scraper.phrases import phrase

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

MAGIC = b"bansha handover 1\n"
_SALT = 16
# scrypt's costs: about a tenth of a second and 32 MB, once.
_N, _R, _P = 2**15, 8, 1
GAME, LEDGER, DATABASE, STATUS = "game.toml", "ledger.txt", "game.db", "status.txt"
# What such a file may hold, and nothing else is ever written out of one.
NAMES = (GAME, LEDGER, SECRETS, VOTES, DATABASE, STATUS)
# The least length of a passphrase, in characters.
SHORTEST = 8


def seal_game(game: Game, database: Path, status: str, passphrase: str, output: Path) -> tuple[str, ...]:
    """Write the sealed file, and tell what it holds. UsageError for a passphrase that is too short or a file that is in the way.

    `status` says in words where the game stands and what is waited for; the archive is taken as it stands at one moment.
    """
    if len(passphrase) < SHORTEST:
        raise UsageError(phrase("口令太短，没有写文件。改法：至少 {shortest} 个字。", shortest=SHORTEST))
    if output.exists():
        raise UsageError(phrase("{output}: 已经有这个文件了，不覆盖。改法：换一个名字。", output=output))
    held = {STATUS: status.encode("utf-8")}
    for name, path in ((GAME, game.path), (LEDGER, game.ledger), (VOTES, game.vote_table), (SECRETS, game.path.parent / SECRETS)):
        if path.is_file():
            held[name] = path.read_bytes()
    if database.is_file():
        held[DATABASE] = _snapshot(database)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in NAMES:
            if name in held:
                archive.writestr(zipfile.ZipInfo(name), held[name], zipfile.ZIP_DEFLATED)
    salt = os.urandom(_SALT)
    save_private(output, MAGIC + salt + _lock(passphrase, salt).encrypt(packed.getvalue()))
    return tuple(name for name in NAMES if name in held)


def open_sealed(sealed: Path, passphrase: str, folder: Path) -> tuple[str, ...]:
    """Write what a sealed file holds into a new folder, readable by its owner only, and tell what it was.

    UsageError for another kind of file, a wrong passphrase or a file that was changed, and a folder that holds anything.
    """
    held = read_sealed(sealed, passphrase)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(phrase("{folder}: 已经有东西了，不覆盖。改法：换一个新文件夹的名字。", folder=folder))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, data in held.items():
        save_private(folder / name, data)
    return tuple(held)


def read_sealed(sealed: Path, passphrase: str) -> Mapping[str, bytes]:
    """What a sealed file holds, by name. UsageError as `open_sealed`."""
    from cryptography.fernet import InvalidToken

    try:
        data = sealed.read_bytes()
    except OSError as error:
        raise UsageError(
            phrase("{sealed}: 读不了（{strerror}）。改法：检查路径。", sealed=sealed, strerror=error.strerror)
        ) from None
    if not data.startswith(MAGIC):
        raise UsageError(phrase("{sealed}: 不是交接文件。改法：用 bansha handover 写出来的那个文件。", sealed=sealed))
    salt, token = data[len(MAGIC) :][:_SALT], data[len(MAGIC) + _SALT :]
    try:
        packed = _lock(passphrase, salt).decrypt(token)
    except InvalidToken:
        raise UsageError(
            phrase("{sealed}: 口令不对，或文件被改动过。改法：向写它的导演核对口令，再要一次文件。", sealed=sealed)
        ) from None
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name in NAMES}


def _lock(passphrase: str, salt: bytes) -> Fernet:
    from cryptography.fernet import Fernet
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    key = Scrypt(salt=salt, length=32, n=_N, r=_R, p=_P).derive(passphrase.encode("utf-8"))
    return Fernet(base64.urlsafe_b64encode(key))


def _snapshot(database: Path) -> bytes:
    """The database as it stands at one moment, whatever writes to it meanwhile."""
    address = f"{database.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(":memory:")) as copy:
        source.backup(copy)
        return copy.serialize()
