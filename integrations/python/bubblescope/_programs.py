"""Starts the two programs of the package. Each takes the place of the Python process, so that signals, exit status and
standard streams are its own."""

import os
import pathlib
import sys

_FOLDER = pathlib.Path(__file__).resolve().parent / "bin"


def program(name: str) -> str:
    """The path of `bscope` or `bubblescope` in this package."""
    path = _FOLDER / name
    if not path.is_file():
        raise FileNotFoundError(f"{path}: the package brings bscope and bubblescope")
    return str(path)


def _instead(arguments):
    """What bscope does where a window cannot be shown: None where the window does it by itself, as exporting a picture,
    or has a platform of its own."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM"):
        return None
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if not arguments:
        return ["top" if on_terminal else "run", "--scenario", "default"]
    if len(arguments) == 1 and not arguments[0].startswith("-"):
        if not arguments[0].endswith(".bscope"):
            return ["import", arguments[0]]
        return ["view" if on_terminal else "replay", arguments[0]]
    return None


def _start(name, arguments):
    path = program(name)
    os.environ.setdefault("FONTCONFIG_FILE", str(_FOLDER.parent / "share" / "fonts.conf"))
    os.execv(path, [path, *arguments])


def bscope():
    _start("bscope", sys.argv[1:])


def bubblescope():
    arguments = sys.argv[1:]
    instead = _instead(arguments)
    if instead is None:
        _start("bubblescope", arguments)
    print("No display (neither DISPLAY nor WAYLAND_DISPLAY is set): bscope " + " ".join(instead), file=sys.stderr)
    _start("bscope", instead)
