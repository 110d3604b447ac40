"""Scripts of the report and of the site: unit tests of pure functions by node's test runner, and a
linter.

Both are in `docker/run --extra browser`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fecontact import results

PROJECT = Path(__file__).parents[3]
NODE, TSC = shutil.which("node"), shutil.which("tsc")
# Undefined, duplicate and unused names, wrong numbers of arguments, unreachable code, syntax. The
# other messages of the compiler concern types, which plain JavaScript does not declare.
LINTED = re.compile(r"error TS(?:1\d{3}|2304|2552|2300|2451|2554|6133|6196|7027):")


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_pure_functions_of_the_page():
    assert NODE is not None
    tests = Path(__file__).parent / "page" / "pure.test.mjs"
    done = subprocess.run([NODE, "--test", str(tests)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def _lint(*scripts: Path) -> list[str]:
    options = "--allowJs --checkJs --noEmit --target es2022 --lib es2022,dom --noUnusedLocals"
    command = [str(TSC), *options.split(), *map(str, scripts)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return [line for line in done.stdout.splitlines() if LINTED.search(line)]


@pytest.mark.skipif(TSC is None, reason="tsc is not installed")
def test_the_scripts_have_no_undefined_or_unused_names(tmp_path: Path):
    scripts = sorted((Path(results.__file__).parent / "page").glob("*.js"))
    assert len(scripts) > 20
    site = sorted((PROJECT / "docs").glob("*.js"))
    assert len(site) > 1
    newer = tmp_path / "newer.d.ts"  # than the compiler's list of what browsers have
    newer.write_text(
        "declare const DecompressionStream: any;\ndeclare const renderMathInElement: any;\n"
    )
    assert _lint(*scripts, *site, newer) == []
    wrong = tmp_path / "wrong.js"
    wrong.write_text("function f() { const unused = 1; return undefinedName; }\n")
    assert len(_lint(wrong)) == 2
