"""A game in one sealed file, for the other director: game file, ledger, secrets, votes, templates and the archive, and nothing
that logs in.

The file is a zip, encrypted and authenticated with a key made from a passphrase (scrypt, then Fernet): without it nobody reads
it, and nobody changes it unseen. Cookies are left out: each director has his own account.
"""

from __future__ import annotations

import base64
import binascii
import io
import os
import secrets
import shutil
import sqlite3
import unicodedata
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from engine.game import Game
from engine.privatefile import make_private_folder, save_private
from engine.report.templating import FOLDER, Template
from engine.secrets import FILE as SECRETS
from engine.votetable import FILE as VOTES
from scraper.errors import UsageError
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

MAGIC = b"bansha handover 1\n"
_SALT = 16
# scrypt's costs: about a tenth of a second and 32 MB, once.
_N, _R, _P = 2**15, 8, 1
GAME, LEDGER, DATABASE, STATUS = "game.toml", "ledger.txt", "game.db", "status.txt"
TEMPLATES = tuple(f"{FOLDER}/{template}.bbcode" for template in Template)
# What such a file may hold, and nothing else is ever written out of one.
NAMES = (GAME, LEDGER, SECRETS, VOTES, DATABASE, STATUS, *TEMPLATES)
# The least length of a passphrase, and how many different characters it has at least.
SHORTEST, FEWEST = 8, 4


def seal_game(game: Game, database: Path, status: str, passphrase: str, output: Path) -> tuple[str, ...]:
    """Write the sealed file, and tell what it holds. UsageError for a passphrase that is too weak or a file that is in the way.

    `status` says in words where the game stands and what is waited for; the archive is taken as it stands at one moment.
    """
    spoken = _clean(passphrase)
    if len(spoken) < SHORTEST or len(set(spoken)) < FEWEST:
        raise UsageError(
            phrase(
                "口令太弱，没有写文件。改法：至少 {shortest} 个字，其中至少 {fewest} 个不同的。", shortest=SHORTEST, fewest=FEWEST
            )
        )
    check_free(output)
    folder = game.path.parent
    held = {STATUS: status.encode("utf-8")}
    places = {GAME: game.path, LEDGER: game.ledger, VOTES: game.vote_table, SECRETS: folder / SECRETS}
    for name, path in (*places.items(), *((name, folder / name) for name in TEMPLATES)):
        if path.is_file():
            held[name] = _read(path)
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


def check_free(output: Path) -> None:
    """UsageError where the sealed file would take the place of something."""
    if output.exists():
        raise UsageError(phrase("{output}: 已经有这个文件了，不覆盖。改法：换一个名字。", output=output))


def open_sealed(sealed: Path, passphrase: str, folder: Path) -> tuple[str, ...]:
    """Write what a sealed file holds into a new folder, readable by its owner only, and tell what it was.

    All of it or nothing: it is laid out beside the folder, and takes its place in one step. UsageError for another kind of file,
    a wrong passphrase or a file that was changed, a folder that holds anything, and one that cannot be written.
    """
    held = read_sealed(sealed, passphrase)
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise UsageError(phrase("{folder}: 已经有东西了，不覆盖。改法：换一个新文件夹的名字。", folder=folder))
    target = folder.resolve()
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        make_private_folder(draft)
        for name, data in held.items():
            path = draft / name
            if path.parent != draft:
                make_private_folder(path.parent)
            save_private(path, data)
        if target.exists():
            # It is empty, and may be the one that somebody stands in: it is filled, and not replaced.
            make_private_folder(target)
            for path in draft.iterdir():
                path.rename(target / path.name)
        else:
            draft.rename(target)
    except OSError as error:
        raise UsageError(
            phrase("{folder}: 建不了文件夹（{strerror}）。改法：换一个能写的位置。", folder=folder, strerror=error.strerror)
        ) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return tuple(held)


def read_sealed(sealed: Path, passphrase: str) -> Mapping[str, bytes]:
    """What a sealed file holds, by name. UsageError as `open_sealed`, and for a name that it must not hold."""
    from cryptography.fernet import InvalidToken

    data = _read(sealed)
    if not data.startswith(MAGIC):
        raise UsageError(phrase("{sealed}: 不是交接文件。改法：用 bansha handover 写出来的那个文件。", sealed=sealed))
    salt, token = data[len(MAGIC) :][:_SALT], data[len(MAGIC) + _SALT :]
    try:
        if not _is_exact(token):
            raise InvalidToken
        packed = _lock(passphrase, salt).decrypt(token)
    except InvalidToken:
        raise UsageError(
            phrase("{sealed}: 口令不对，或文件被改动过。改法：向写它的导演核对口令，再要一次文件。", sealed=sealed)
        ) from None
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            names = archive.namelist()
            if strangers := [name for name in names if name not in NAMES or names.count(name) > 1]:
                raise UsageError(
                    phrase(
                        "{sealed}: 里面有不该有的 {names}，什么都没有写。改法：换成和写它的导演一样新的 bansha，或再要一次文件。",
                        sealed=sealed,
                        names=listing(repr(name) for name in dict.fromkeys(strangers)),
                    )
                )
            return {name: archive.read(name) for name in names}
    except zipfile.BadZipFile:
        raise UsageError(phrase("{sealed}: 不是交接文件。改法：用 bansha handover 写出来的那个文件。", sealed=sealed)) from None


def _is_exact(token: bytes) -> bool:
    """Whether a token is written as it was made: base64 lets some bytes be changed or added without another meaning."""
    try:
        return base64.urlsafe_b64encode(base64.urlsafe_b64decode(token)) == token
    except (binascii.Error, ValueError):
        return False


def _clean(passphrase: str) -> str:
    """A passphrase as it is meant: keyboards spell the same letters in several ways, and shells leave white space at its end."""
    return unicodedata.normalize("NFC", passphrase).strip()


def _lock(passphrase: str, salt: bytes) -> Fernet:
    from cryptography.fernet import Fernet
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    # What a shell handed over in no encoding at all stands in the environment as surrogates.
    spoken = _clean(passphrase).encode("utf-8", "surrogatepass")
    key = Scrypt(salt=salt, length=32, n=_N, r=_R, p=_P).derive(spoken)
    return Fernet(base64.urlsafe_b64encode(key))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(phrase("{path}: 读不了（{strerror}）。改法：检查路径。", path=path, strerror=error.strerror)) from None


def _snapshot(database: Path) -> bytes:
    """The database as it stands at one moment, whatever writes to it meanwhile."""
    address = f"{database.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(":memory:")) as copy:
        source.backup(copy)
        return copy.serialize()
