"""Whether a file lies where another program carries it to other computers while it is being written.

A database that is synced while it is open is torn sooner or later: its journal and its pages arrive at different times.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePath

# Names of folders, in any case, by which each service is known; OneDrive's may bear a company behind it.
_FOLDERS = (
    ("OneDrive", re.compile(r"onedrive(?:\b.*)?")),
    ("Dropbox", re.compile(r"dropbox(?: \(.*\))?")),
    ("iCloud", re.compile(r"icloud ?drive|mobile documents|com~apple~clouddocs|icloud.*")),
    ("Google Drive", re.compile(r"google ?drive|googledrive-.*|my drive|我的云端硬盘")),
    ("坚果云", re.compile(r"nutstore.*|(?:我的)?坚果云.*")),
    ("百度网盘", re.compile(r"baidu ?(?:sync|net|yun)disk.*|百度(?:网盘|云).*")),
    ("腾讯微云", re.compile(r"weiyun.*|(?:腾讯)?微云.*")),
    ("阿里云盘", re.compile(r"adrive|aliyundrive|阿里云盘.*")),
    ("WPS 云盘", re.compile(r"wps ?(?:cloud|drive).*|wps云盘")),
    ("天翼云盘", re.compile(r"ecloud|天翼云盘.*")),
    ("夸克网盘", re.compile(r"夸克网盘.*|quarkclouddrive")),
    # Plain "box" and "mega" are names that people give to folders of their own.
    ("Box", re.compile(r"box sync|box-.*")),
    ("MEGA", re.compile(r"megasync.*")),
    ("pCloud", re.compile(r"pcloud ?drive|pcloud ?sync")),
    ("Nextcloud", re.compile(r"nextcloud.*|owncloud.*|seafile.*")),
    # Where macOS keeps what any of them carries.
    ("CloudStorage", re.compile(r"cloudstorage")),
)
# Files that a service leaves at the top of what it carries.
_MARKS = ((".stfolder", "Syncthing"), (".dropbox", "Dropbox"), (".nutstore", "坚果云"), (".sync", "Resilio Sync"))
# Where Windows says that OneDrive lies.
_VARIABLES = ("OneDrive", "OneDriveCommercial", "OneDriveConsumer")


def find_sync(path: PurePath, environment: Mapping[str, str] | None = None) -> str | None:
    """The service that carries a path away, by the names of its folders; None for none that is known."""
    for name in _VARIABLES:
        root = (environment or {}).get(name)
        if root and path.is_relative_to(type(path)(root)):
            return "OneDrive"
    if path.drive.startswith("\\\\"):
        return "网络驱动器"
    found = [service for part in path.parts[:-1] for service, pattern in _FOLDERS if pattern.fullmatch(part.casefold())]
    # The innermost says most: CloudStorage/Dropbox.
    return found[-1] if found else None


def find_mark(path: Path) -> str | None:
    """The service that left its mark in a folder around a file."""
    for folder in path.resolve().parents:
        for mark, service in _MARKS:
            if (folder / mark).exists():
                return service
    return None
