"""A command line: decorators that register, a group with subcommands, prompts read from stdin."""

import click
from click.testing import CliRunner


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--verbose/--quiet", default=False, help="Say more.")
@click.version_option("1.2", prog_name="arena")
@click.pass_context
def cli(context, verbose):
    """Plays matches."""
    context.obj = {"verbose": verbose}


@cli.command("play")
@click.argument("bots", nargs=-1, required=True)
@click.option("--seed", type=click.IntRange(0, 9), default=1, show_default=True, prompt=True)
@click.option("--mode", type=click.Choice(["fast", "slow"]))
@click.pass_obj
def play(settings, bots, seed, mode):
    """Play BOTS against each other."""
    click.echo(f"{click.style('match', fg='red')} {bots} {seed} {mode} {settings}")


runner = CliRunner()
for arguments in (
    ["--help"],
    ["play", "--help"],
    ["--version"],
    ["play"],
    ["play", "a", "--mode", "x"],
):
    result = runner.invoke(cli, arguments)
    print(result.exit_code, result.output)
print(
    runner.invoke(cli, ["--verbose", "play", "a"], input="4\n").output, cli, play.callback.__name__
)
print(click.ParamType.__subclasses__()[:2], click.unstyle(click.style("x", bold=True)), click.INT)
cli(["play", "a", "b"])
