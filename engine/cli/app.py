"""The command line's one app: what `bansha --help` lists, in the order in which a director meets it."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.access import login
from engine.cli.announcing import announce, morning
from engine.cli.beginning import init
from engine.cli.boards import fetch, poll
from engine.cli.cases import demo, replay
from engine.cli.checks import check
from engine.cli.common import QUIET
from engine.cli.counts import explain, tally
from engine.cli.days import day, elevator
from engine.cli.doctoring import doctor
from engine.cli.ending import assistants, reveal
from engine.cli.keeping import handover, merge, record
from engine.cli.nights import night
from engine.cli.penalties import cards
from engine.cli.playing import do, ledger, simulate, status
from engine.cli.publishing import post
from engine.cli.reports import export, report
from engine.cli.starting import deal, rollcall
from engine.cli.watching import watch
from engine.cli.words import _, help_of

# Rich markup in help would cost a tenth of a second at every start; so would the check that typer makes, through pydantic, of
# each flag that was not given before the command.
UNASKED = dict.fromkeys(("help", "version", "quiet", "verbose", "install_completion", "show_completion"), False)
app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "default_map": UNASKED},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"bansha {version('bansha')}")
        raise typer.Exit


@app.callback(help=_("版杀（论坛狼人杀）计票：读 Discuz! 投票帖，每一票算不算、为什么，都有出处。"))
def start(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help=_("显示版本。"))] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help=_("只输出结果和错误，不说进行到哪里。"))] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help=_("把每一次请求也说出来。"))] = False,
) -> None:
    """版杀（论坛狼人杀）计票：读 Discuz! 投票帖，每一票算不算、为什么，都有出处。"""
    QUIET.set(quiet)
    if verbose:
        import logging

        logging.getLogger("scraper").setLevel(logging.DEBUG)


for command in (
    demo,
    *(init, login, doctor, deal, rollcall),
    *(day, elevator),
    *(fetch, poll, watch),
    *(tally, explain, check, cards, report, export),
    *(announce, morning, post, reveal, assistants),
    *(record, replay),
    *(merge, handover),
    *(do, night, status, ledger, simulate),
):
    app.command(help=help_of(command))(command)
