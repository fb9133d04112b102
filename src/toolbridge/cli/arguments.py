"""The command line: commands, options and their help."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # type checkers read the name; importing typing costs more than the rest of this start
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Collection, Mapping
    from typing import Any, NoReturn, TextIO

KINDS = (
    *("tool", "call", "result", "resource", "resource-template", "prompt", "prompt-message", "resource-contents"),
    *("completion", "message", "elicitation", "root", "log", "progress", "notification", "list-request", "protocol"),
    "choice",
)

_CONVERT = """\
IN is a file, - (standard input), or a directory, for all files in it; a pattern such as 'tools/*.json' may be quoted.
Its content is detected: JSON, JSON Lines, YAML, or a Markdown page with a fenced block. The documents of JSON Lines or
YAML that are single tools are converted together, as one catalogue with unique names; lists, and objects with a list of
tools in them, are converted one by one. The output has the shape of the input.
Calls and results of tools, resources, prompts and the other messages of plugins and MCP servers are converted like
tools, alone or in lists; --kind states which they are if that cannot be detected.

Several IN are written to OUT, or to standard output, as JSON Lines, each tool of a list on a line (as YAML if all IN
are YAML). If OUT is a directory (or ends in /), each IN gets its own file there. OUT is written completely or not at
all.

A single IN of any size is converted in little memory if it is JSON Lines, a list, or an object with a list, and the
report and the remainder are .jsonl files. Compressed files (.gz, .zst) are decompressed while they are read.
"""

_CONVERT_EXAMPLES = """\
examples:
  toolbridge convert tools.jsonl --to arcade -o out.jsonl --report report.json --remainder rest.json
  toolbridge convert out.jsonl --from arcade --to mcp --restore rest.json
  toolbridge convert tools.json --to arcade --fill toolkit=Billing --fill /version=2.0.0 --refuse TB3,TB602
  curl -s https://example.org/tools.json | toolbridge convert - --to mcp@2025-06-18 --format yaml
  toolbridge convert catalogues/*.json --to mcpx -o converted/
  toolbridge convert calls.jsonl --to anthropic
  toolbridge convert result.json --from mcp --to openai --fill id=call_1
  toolbridge convert resources.json --to hyper-mcp
  toolbridge convert all.jsonl.gz --to openai -o out.jsonl --report losses.jsonl --rejects bad.jsonl --resume
"""

_PULL = """\
The server is a program that is started and used over its standard input and output, or it has a URL.
OUT gets the tools of all pages as one catalogue, for `toolbridge convert`. It is written completely or not at all.
With --kinds OUT/ is a directory that gets tools.json, resources.json, resource-templates.json, prompts.json.
Needs an extra: pip install 'toolbridge[pull]'
"""

_PULL_EXAMPLES = """\
examples:
  toolbridge pull --stdio "python -m mcp_server_time" -o tools.json
  toolbridge pull --stdio "npx -y some-mcp-server" --env SOME_TOKEN -o tools.json
  toolbridge pull --http https://example.org/mcp --header "Authorization: Bearer $TOKEN" -o tools.json
  toolbridge pull --stdio "some-mcp-server" --kinds tools,resources,prompts -o server/
  toolbridge pull --oxp https://example.org | toolbridge convert - --to openai
"""


_DIFF = """\
OLD and NEW may be in different formats. Each change is shown with its tool, its effect on callers, its place, and the
old and the new value. Schemas are compared by the values that they accept, not by how they are written.
"""

_DIFF_EXAMPLES = """\
examples:
  toolbridge diff tools.json tools-new.json
  toolbridge diff tools.json tools-new.json --fail-on breaking,safety
  toolbridge diff tools.json tools-new.json --as openai@chat-strict --output-format json
"""


_LOCK = """\
A lock file has for each tool its name and digests of what models read, of its schemas, and of everything else. With
--check it is compared with IN, or with a running server: the exit code is 1 if a tool changed, is new, or is gone.
The order of tools and keys, and white space, make no difference.
"""

_LOCK_EXAMPLES = """\
examples:
  toolbridge lock tools.json -o tools.lock
  toolbridge lock --check tools.lock tools.json
  toolbridge lock --stdio "python -m mcp_server_time" -o tools.lock
  toolbridge lock --stdio "python -m mcp_server_time" --check tools.lock
"""


_FIX = """\
Tools that `toolbridge check IN --as FORMAT` rejects are written again by the rules of the vendor; all others stay as
they are, unless IN is of another edition than FORMAT. What the repairs lose is reported. The exit code is 1 if the
vendor would still reject something, or a tool was left out.
"""

_FIX_EXAMPLES = """\
examples:
  toolbridge fix own.json --as openai@chat-strict -o repaired.json
  toolbridge fix own.json --as anthropic --report report.json > repaired.json
"""


# The arguments

_WITHOUT_OPTIONS = ("help", "version")
"""The commands that need no parser."""


def parse(arguments: list[str]) -> Namespace:
    """The options of a command line, with defaults from a pyproject.toml."""
    if arguments[:1] == ["help"]:
        arguments = [*(name for name in arguments[1:2] if name not in _WITHOUT_OPTIONS), "--help"]
    command = arguments[0] if arguments else ""
    known, commands = parser(arguments[:1])
    if command in commands:
        _check_options(commands[command], arguments[1:])
    elif command.startswith("-") and command not in ("-h", "--help"):
        known.error(f"the command comes first: toolbridge COMMAND {command} ...")
    elif arguments and command[:1] != "-":
        from difflib import get_close_matches

        from ..errors import near

        names = [*commands, *_WITHOUT_OPTIONS]
        nearest = near(get_close_matches(command, names)) or f"; commands: {', '.join(names)}"
        known.error(f"no command is called {command!r}{nearest}")
    if command in commands and "--no-config" not in arguments:
        from .configuration import Configuration, find

        found = find()
        if found is not None:
            known, commands = parser()
            configuration = Configuration(*found, commands, command)
            options = _parsed(known, commands, arguments)
            configuration.finish(options)
            return options
    return _parsed(known, commands, arguments)


def _parsed(known: ArgumentParser, commands: Mapping[str, ArgumentParser], arguments: list[str]) -> Namespace:
    """The options; inputs may be before, between and behind them, of which argparse takes the first ones only."""
    options, rest = known.parse_known_args(arguments)
    end = rest.index("--") if "--" in rest else len(rest)
    if rest and (not hasattr(options, "inputs") or any(each[:1] == "-" and each != "-" for each in rest[:end])):
        commands.get(arguments[0], known).error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        options.inputs += [*rest[:end], *rest[end + 1 :]]
    return options


def _check_options(command: ArgumentParser, arguments: list[str]) -> None:
    """End with an error for an option that a command does not have; argparse would name a missing one instead."""
    known = {option for action in command._actions for option in action.option_strings}  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    for argument in arguments:
        option = argument.partition("=")[0]
        if argument == "--":
            return
        # Letters of one dash, such as -qv or -oFILE, may follow each other; -1 is a number.
        is_short = option[:1] == "-" and option[1:2] not in ("", "-") and not option[1].isdigit()
        if (option.startswith("--") and option not in known) or (is_short and option[:2] not in known):
            from difflib import get_close_matches

            from ..errors import near

            formats = [each for each in _FORMAT_OPTIONS.get(option, ()) if each in known]
            name = command.prog.rpartition(" ")[2]
            command.error(f"{name} has no option {option}{near(formats or get_close_matches(option, known))}")


_FORMAT_OPTIONS = {
    **dict.fromkeys(("--as", "--to", "--from", "--target", "-t"), ("--as", "--to")),
    **dict.fromkeys(("--source", "-f"), ("--from",)),
}
"""The options that name formats, by the names that other commands have for them."""


def parser(named: Collection[str] | None = None) -> tuple[ArgumentParser, Mapping[str, ArgumentParser]]:
    """The parser of the command line, and those of its commands, by name.

    Commands that are not `named` (None: all are) get no arguments: to add those of all takes as long as to import
    argparse.
    """
    from argparse import ArgumentParser, HelpFormatter

    class Parser(ArgumentParser):
        """Prints errors on one line: arguments such as file names may contain control characters."""

        def error(self, message: str) -> NoReturn:
            from ..characters import visible

            # The usage of a command with many options would push the error out of sight.
            self.exit(2, f"{self.prog}: error: {visible(message)}\n`{self.prog} --help` shows the usage\n")

    class Formatter(HelpFormatter):
        """Fits the terminal: paragraphs are filled, and examples continue on a line of their own, as in a shell."""

        def __init__(self, prog: str) -> None:
            width = max(width_of(sys.stdout) or 102, 40)  # argparse would import shutil for it
            super().__init__(prog, max_help_position=min(24, width // 3), width=width - 2)

        def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
            if self._width < 60 and any(each.option_strings for each in actions):
                # A list of all options would be wider.
                names = "".join(f" {each.metavar}" for each in actions if not each.option_strings)
                usage = f"{self._prog} [OPTIONS]{names}"
                if len(usage) + len("usage: ") > self._width:
                    usage = f"{self._prog} [OPTIONS]"
            super().add_usage(usage, actions, groups, prefix)

        def _fill_text(self, text: str, width: int, indent: str) -> str:
            from textwrap import wrap

            return "\n".join(
                _example(line, width)
                if line.startswith("  ")
                else "\n".join(wrap(line, width, initial_indent=indent, subsequent_indent=indent))
                for line in _joined(text)
            )

    def command(
        name: str,
        does: str,
        more: str,
        examples: str,
        *,
        add: Callable[[ArgumentParser], object] = lambda _: None,
        module: str = "",
    ) -> None:
        subparser = commands.add_parser(
            name,
            help=does,
            description=f"{does[0].upper()}{does[1:]}.\n\n{more}".rstrip(),
            epilog=examples,
            formatter_class=Formatter,
            allow_abbrev=False,
        )
        if named is not None and name not in named:
            return
        subparser.set_defaults(command=_deferred(module or name, name))
        subparser.add_argument("--debug", action="store_true", help="show the traceback of an unexpected error")
        subparser.add_argument("--no-config", action="store_true", help="ignore pyproject.toml")
        add(subparser)

    parser = Parser(
        prog="toolbridge",
        description="Converts tool descriptions, and calls and results of tools, between formats, in both directions,\n"
        "and reports what each conversion loses.",
        epilog="example:\n  toolbridge convert tools.json --to arcade -o out.json\n\n"
        "`toolbridge COMMAND --help`, or `toolbridge help COMMAND`, shows the options of each command.",
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def no_command(_: Namespace) -> int:
        parser.print_help(sys.stderr)
        return 2

    parser.set_defaults(command=no_command)

    command(
        "convert",
        "convert tools, calls or results to another format",
        _CONVERT,
        _CONVERT_EXAMPLES,
        add=_add_convert,
    )
    command(
        "detect",
        "print the format of a document, and whether it contains calls or results",
        "",
        "examples:\n  toolbridge detect tools.json\n  toolbridge detect - < tools.jsonl\n",
        add=_add_detect,
        module="inspect",
    )
    command(
        "check",
        "report what is not valid in a document, or what a vendor would reject",
        "Without --as the document is checked item by item in the format that is detected. With --as and the\n"
        "format of a vendor, the tools may be in any format.",
        "examples:\n  toolbridge check tools.jsonl\n  toolbridge check tools.json --as mcp@2025-06-18\n"
        "  toolbridge check tools.json --as openai@chat-strict\n",
        add=_add_check,
        module="inspect",
    )
    command("pull", "fetch the tools of a running server", _PULL, _PULL_EXAMPLES, add=_add_pull)
    command(
        "diff",
        "show what changed between two catalogues of tools",
        _DIFF,
        _DIFF_EXAMPLES,
        add=_add_diff,
        module="compare",
    )
    command("lock", "write or check a lock file of a catalogue or of a server", _LOCK, _LOCK_EXAMPLES, add=_add_lock)
    command(
        "fix", "rewrite tools in a vendor's format so that this vendor accepts them", _FIX, _FIX_EXAMPLES, add=_add_fix
    )
    command(
        "formats", "list the formats and their editions", "", "example:\n  toolbridge formats\n", module="explanation"
    )
    command(
        "explain",
        "explain a code of the report, or the rules of a vendor",
        "",
        "examples:\n  toolbridge explain TB201\n  toolbridge explain union-merged\n  toolbridge explain TB6\n"
        "  toolbridge explain openai/root_excluded\n  toolbridge explain openai@chat-strict\n",
        add=_add_explain,
        module="explanation",
    )
    command(
        "completion",
        "print a script for the completion of a shell",
        "Needs an extra: pip install 'toolbridge[completion]'",
        "examples:\n  toolbridge completion bash > ~/.local/share/bash-completion/completions/toolbridge\n"
        '  toolbridge completion zsh > "${fpath[1]}/_toolbridge"\n'
        "  toolbridge completion fish > ~/.config/fish/completions/toolbridge.fish\n",
        add=_add_completion,
    )
    return parser, commands.choices


def _add_detect(detect: ArgumentParser) -> None:
    _add_inputs(detect.add_argument)
    _add_limits(detect.add_argument)
    _add_quiet(detect.add_argument)


def _add_check(check: ArgumentParser) -> None:
    _add_inputs(check.add_argument)
    _add_kind(check.add_argument)
    check.add_argument("--as", dest="source", metavar="FORMAT", help="the format (default: detected)")
    _add_gates(check.add_argument, "besides tools that are not valid", never="no finding sets it")
    _add_reports(check.add_argument, "messages")
    _add_limits(check.add_argument)
    _add_quiet(check.add_argument)


def _add_explain(explain: ArgumentParser) -> None:
    explain.add_argument(
        "code",
        metavar="CODE",
        nargs="?",
        help="a code, its name, TB6 or safety for all codes with one effect, a rule of check, or a vendor's format for "
        "all its rules (default: all codes)",
    )


def _add_completion(completion: ArgumentParser) -> None:
    completion.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")


def width_of(stream: TextIO | None) -> int | None:
    """The width of a terminal, or the one that COLUMNS gives; None if neither is known."""
    from ..characters import number_in

    if columns := number_in(os.environ.get("COLUMNS", "")):
        return columns
    try:
        return None if stream is None else os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


def _joined(text: str) -> list[str]:
    """The paragraphs of a text, each as one line; indented lines, which are examples, and empty ones stay."""
    lines: list[str] = []
    for line in text.rstrip().split("\n"):
        if lines and lines[-1] and line and not line.startswith(" ") and not lines[-1].startswith(" "):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return lines


def _example(line: str, width: int) -> str:
    """An example that fits, with a backslash at the end of each line that continues."""
    import re

    lines = [""]
    # An option stays with its value, and a text in quotes is whole.
    for part in re.findall(r"""--?[a-z][^ ]* [^- "][^ ]*|"[^"]*"|[^ ]+""", line):
        if lines[-1] and len(lines[-1]) + len(part) + 3 > width:
            lines[-1] += " \\"
            lines.append(f"    {part}")
        else:
            lines[-1] += f" {part}" if lines[-1] else f"  {part}"
    return "\n".join(lines)


def _add_inputs(add: Callable[..., object]) -> None:
    add("inputs", metavar="IN", nargs="+", help="a file, a directory, or - for standard input")


def _add_kind(add: Callable[..., object]) -> None:
    add(
        "--kind",
        choices=KINDS,
        metavar="KIND",
        help="what IN contains: tool, call, result, resource, prompt, ... (default: detected)",
    )


def _add_convert(convert: ArgumentParser) -> None:
    """Add the arguments of `toolbridge convert`."""
    add = convert.add_argument
    _add_inputs(add)
    add("--to", metavar="FORMAT", required=True, help="the format to write, such as arcade or mcp@2025-06-18")
    add("--from", dest="source", metavar="FORMAT", help="the format of IN (default: detected)")
    _add_kind(add)
    add("-o", "--output", metavar="OUT", help="file (replaced if it is there) or directory (default: standard output)")
    add(
        "--format",
        choices=("json", "jsonl", "yaml"),
        help="the form of the converted document (default: as OUT ends, else that of the input)",
    )
    _add_reports(add, "document")
    add(
        "--remainder",
        metavar="FILE",
        help="write the remainder: what the target has no field for, to restore the original later",
    )
    add(
        "--restore",
        metavar="FILE",
        help="the remainder from the conversion that wrote IN, or `embedded` for the one in the document",
    )
    add(
        "--embed",
        action="store_true",
        help="put the remainder into the document, if its format has a field for extensions",
    )
    add(
        "--key-file",
        metavar="FILE",
        help="a key (16 bytes or more) that signs new remainders and verifies restored ones",
    )
    _add_list(
        add,
        "--fill",
        "[NAME:]POINTER=VALUE",
        "a value for a field that the target requires: a JSON Pointer into it, toolkit, version, title or description; "
        "id for a call; for all tools, or the one called NAME",
    )
    _add_list(
        add,
        "--refuse",
        "SELECTOR,...",
        "leave out tools with such losses: codes, prefixes of codes such as TB3, names, or effects such as safety",
    )
    add(
        "--no-prose",
        dest="prose",
        action="store_false",
        help="do not write constraints that a schema cannot express into descriptions",
    )
    _add_list(
        add,
        "--describe",
        "PART,...",
        "write what the target has no field for into the description: hints, examples, output or all",
    )
    add(
        "--unroll",
        metavar="N",
        default="1",
        help="how many times to write out a recursive definition, for targets without references (default: 1)",
    )
    add(
        "--description",
        metavar="N",
        help="the longest description of a tool in characters, or `any` (default: the limit of the vendor)",
    )
    add(
        "--jobs",
        metavar="N",
        help="number of processes for an input that is converted tool by tool "
        "(default: one for each core, one below 32 MB)",
    )
    add("--rejects", metavar="FILE", help="write the tools and lines that were left out, unchanged")
    _add_gates(
        add, "besides tools that could not be converted", never="only an output that could not be written sets it"
    )
    add("--resume", action="store_true", help="continue where the same command was interrupted, if nothing has changed")
    _add_limits(add)
    loud = convert.add_mutually_exclusive_group()
    _add_quiet(loud.add_argument)
    loud.add_argument("-v", "--verbose", action="store_true", help="print every place of every loss")


def _add_pull(pull: ArgumentParser) -> None:
    """Add the arguments of `toolbridge pull`."""
    add = pull.add_argument
    _add_server(pull, required=True)
    add("-o", "--output", metavar="OUT", help="file to write to (default: standard output)")
    add("--kinds", metavar="KINDS", help="fetch tools,resources,prompts (default: tools) into a directory OUT")
    _add_quiet(add)


def _add_server(parser: ArgumentParser, *, required: bool) -> None:
    """Add the arguments of a command that asks a running server."""
    add = parser.add_argument
    one = parser.add_mutually_exclusive_group(required=required)
    one.add_argument("--stdio", metavar="COMMAND", help="start this MCP server (without a shell)")
    one.add_argument("--http", metavar="URL", help="connect to this MCP server (streamable HTTP)")
    one.add_argument("--oxp", metavar="URL", help="connect to this server of Tool Definition 1.0 (GET URL/tools)")
    _add_list(add, "--header", "'NAME: VALUE'", "send this with requests")
    _add_list(add, "--env", "NAME[=VALUE]", "pass this variable to the program, besides PATH, HOME and similar ones")
    add("--timeout", metavar="SECONDS", help="total time limit (default: 60)")


def _add_gates(add: Callable[..., object], besides: str, *, never: str) -> None:
    """Add the arguments that say what sets the exit code, and what is ignored."""
    _add_list(
        add,
        "--fail-on",
        "SELECTOR,...",
        f"what sets the exit code 1, {besides}: error, warning, info, or selectors as for --ignore; never: {never}",
    )
    _add_list(
        add,
        "--ignore",
        "CODE[:TOOL],...",
        "leave these findings out of messages, reports and the exit code: a code, a prefix such as TB3, a name, an "
        "effect such as safety, or a rule of check such as openai/root; TOOL is a name or a pattern",
    )
    add("--baseline", metavar="FILE", help="leave out the findings that are in this file")
    add("--write-baseline", metavar="FILE", help="write all findings to this file, for --baseline")


def _add_diff(diff: ArgumentParser) -> None:
    """Add the arguments of `toolbridge diff`."""
    add = diff.add_argument
    add("old", metavar="OLD", help="the old catalogue: a file, or - for standard input")
    add("new", metavar="NEW", help="the new catalogue")
    add("--as", dest="target", metavar="FORMAT", help="convert both to this format first: what its users will see")
    add("--old-format", metavar="FORMAT", help="the format of OLD (default: detected)")
    add("--new-format", metavar="FORMAT", help="the format of NEW (default: detected)")
    add(
        "--fail-on",
        metavar="SELECTOR,...",
        action="append",
        default=[],
        help="exit with 1 if there is such a change: breaking, safety, or kinds of changes such as narrowed "
        "(default: never)",
    )
    add("--output-format", choices=("text", "json"), default="text", help="the form of the output (default: text)")
    _add_limits(add)
    _add_quiet(add)


def _add_lock(lock: ArgumentParser) -> None:
    """Add the arguments of `toolbridge lock`."""
    add = lock.add_argument
    add("input", metavar="IN", nargs="?", help="a file, or - for standard input, unless a server is named")
    add("--check", metavar="LOCK", help="compare with this lock file instead of writing one")
    add("--from", dest="source", metavar="FORMAT", help="the format of IN (default: detected)")
    _add_server(lock, required=False)
    add("-o", "--output", metavar="OUT", help="the lock file to write (default: standard output)")
    _add_limits(add)
    _add_quiet(add)


def _add_fix(fix: ArgumentParser) -> None:
    """Add the arguments of `toolbridge fix`."""
    add = fix.add_argument
    add("input", metavar="IN", help="a file, or - for standard input")
    add(
        "--as",
        dest="target",
        metavar="FORMAT",
        required=True,
        help="the format to repair for, such as openai@chat-strict",
    )
    add("--from", dest="source", metavar="FORMAT", help="the format of IN, of the same vendor (default: detected)")
    add("-o", "--output", metavar="OUT", help="file to write to (default: standard output)")
    add("--report", metavar="FILE", help="write the report of losses in the form of FILE's ending, as for convert")
    _add_limits(add)
    _add_quiet(add)


def _add_reports(add: Callable[..., object], instead: str) -> None:
    """Add the arguments that say where a report is written, and in which form."""
    from argparse import Action

    class SingleOption(Action):
        """An option that is given once: another one would replace the first without a word."""

        def __call__(
            self, parser: ArgumentParser, namespace: Namespace, values: Any, option_string: str | None = None
        ) -> None:
            if getattr(namespace, self.dest) is not None:
                parser.error(f"{option_string} is given twice; --output-format writes another form to standard output")
            setattr(namespace, self.dest, values)

    add(
        "--report",
        action=SingleOption,
        metavar="FILE",
        help="write the report: as SARIF to a .sarif file, as JUnit to .xml, as a page for browsers to .html, with one "
        "finding on each line to .jsonl, as JSON to .json or a name without an ending",
    )
    add(
        "--output-format",
        choices=("text", "json", "sarif", "junit", "github", "html"),
        metavar="FORM",
        default="text",
        help=f"write the report, not the {instead}, to standard output: as json, sarif, junit, html, or github "
        "(annotations of GitHub Actions); default: text",
    )


def _add_limits(add: Callable[..., object]) -> None:
    _add_list(
        add,
        "--limits",
        "NAME=N,...",
        "other limits for documents and schemas, such as nodes=50000: depth, document, unpacked, failures, nodes, "
        "output, references, enum, pattern, steps",
    )


def _add_quiet(add: Callable[..., object]) -> None:
    add("-q", "--quiet", action="store_true", help="print only errors on standard error")


def _add_list(add: Callable[..., object], option: str, metavar: str, does: str) -> None:
    """Add an option that may be given several times."""
    add(option, metavar=metavar, action="append", default=[], help=f"{does} (repeatable)")


def _deferred(module: str, name: str) -> Callable[[Namespace], int]:
    """The function of a command, whose module is imported when the command runs."""

    def run(options: Namespace) -> int:
        from importlib import import_module

        return getattr(import_module(f".{module}", __package__), name)(options)

    return run
