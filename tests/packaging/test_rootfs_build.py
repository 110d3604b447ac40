"""Root file systems: an existing one is complete; failed or interrupted builds leave none.

A fake apt-get serves one small package, so that these tests need no network and little time.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from clones import NO, PROJECT, Clone

# What rootfs/build asks of apt-get. MEANWHILE is what a test wants to happen during the download.
FAKE_APT_GET = """
echo "$*" >> "$APT_LOG"
case $* in
    *indextargets*) echo file:/mirror ;;
    *--print-uris*)
        echo "'file:/mirror/base-files.deb' base-files_1_all.deb 1000000"
        echo "After this operation, ${STORE:-5} MB of additional disk space will be used."
        ;;
    *--download-only*)
        ${MEANWHILE:-true}
        cp "$PACKAGE" "$FECONTACT_CACHE/building/archives/base-files_1_all.deb"
        ;;
esac
"""
ENTER_WITHOUT_CHROOT = """#!/bin/bash
[ "$1" = --writable ] && shift
shift
exec "$@"
"""

pytestmark = pytest.mark.skipif(
    shutil.which("dpkg-deb") is None or shutil.which("flock") is None,
    reason="a root file system is made with Debian's tools, which this host does not have",
)


def set_script(clone: Clone, name: str, text: str) -> None:
    path = clone.folder / "docker" / name
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def builder(clone: Clone, tmp_path: Path) -> Clone:
    """A clone whose environment is one empty package, made in an instant."""
    control = tmp_path / "package" / "DEBIAN" / "control"
    control.parent.mkdir(parents=True)
    control.write_text(
        "Package: base-files\nVersion: 1\nArchitecture: all\n"
        "Maintainer: nobody <nobody@localhost>\nDescription: a test\n"
    )
    (tmp_path / "package" / "usr").mkdir()
    package = tmp_path / "base-files.deb"
    subprocess.run(["dpkg-deb", "--build", control.parents[1], package], check=True)
    clone.variables |= {"PACKAGE": str(package), "APT_LOG": str(tmp_path / "apt.log")}
    clone.fake("apt-get", FAKE_APT_GET)
    clone.fake("apt-cache", "exit 0")
    set_script(clone, "rootfs/enter", ENTER_WITHOUT_CHROOT)
    set_script(clone, "finish", "#!/bin/sh\nexit 0\n")
    # The keys of the archive are the host's; nothing is verified here.
    library = clone.folder / "docker" / "rootfs" / "apt.sh"
    library.write_text(library.read_text().replace("/usr/share/keyrings", str(tmp_path)))
    (tmp_path / "debian-archive-keyring.gpg").touch()
    return clone


def downloads(clone: Clone) -> int:
    return Path(clone.variables["APT_LOG"]).read_text().count("--download-only")


def made(clone: Clone) -> bool:
    return (clone.cache / clone.name()).is_dir()


def is_clean(clone: Clone) -> bool:
    return not (clone.cache / "building").exists()


def test_the_first_run_makes_the_environment_and_later_ones_use_it(builder: Clone) -> None:
    first = builder.run("echo", "works")
    assert first.stdout == "works\n"
    assert "MB to download" in first.stderr
    assert "MB on disk" in first.stderr
    assert made(builder)
    assert is_clean(builder)
    second = builder.run("echo", "works")
    assert (second.stdout, second.stderr) == ("works\n", "")
    assert downloads(builder) == 1


def test_another_clone_with_the_same_recipe_uses_the_same_environment(
    builder: Clone, tmp_path: Path
) -> None:
    builder.run("true")
    shutil.copytree(builder.folder, tmp_path / "second")
    builder.folder = tmp_path / "second"
    assert builder.run("true").stderr == ""


def test_an_environment_that_fails_its_own_test_is_not_used(builder: Clone) -> None:
    set_script(builder, "finish", "#!/bin/sh\nexit 1\n")
    result = builder.run("echo", "works")
    assert result.returncode == 125
    assert result.stdout == ""
    assert "its own test" in result.stderr
    assert not made(builder)
    assert is_clean(builder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_build_leaves_nothing(builder: Clone, number: signal.Signals) -> None:
    builder.variables["MEANWHILE"] = "sleep 60"
    process = builder.start("true")
    wait_until(lambda: Path(builder.variables["APT_LOG"]).exists() and downloads(builder) == 1)
    os.killpg(process.pid, number)
    process.communicate(timeout=10)
    assert process.returncode != 0
    assert not made(builder)
    wait_until(lambda: is_clean(builder))


def test_what_a_killed_build_leaves_is_removed_by_the_next(builder: Clone) -> None:
    builder.variables["MEANWHILE"] = "sleep 60"
    process = builder.start("true")
    wait_until(lambda: Path(builder.variables["APT_LOG"]).exists() and downloads(builder) == 1)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=10)
    assert not is_clean(builder), "nobody could clean up"
    assert not made(builder)
    rest = builder.cache / "building" / "tree" / "rest"
    rest.touch()
    builder.variables["MEANWHILE"] = "true"
    assert builder.run("echo", "works").stdout == "works\n"
    assert is_clean(builder)
    assert not (builder.cache / builder.name() / "rest").exists()


def test_of_two_builds_at_once_one_waits_for_the_other(builder: Clone) -> None:
    builder.variables["MEANWHILE"] = "sleep 1"
    processes = [builder.start("echo", "works") for _ in range(2)]
    answers = [process.communicate(timeout=60) for process in processes]
    assert [out for out, _ in answers] == ["works\n", "works\n"]
    assert sum("waiting" in err for _, err in answers) == 1
    assert downloads(builder) == 1


def test_an_extra_is_made_on_top_of_the_environment_and_leaves_it_as_it_is(builder: Clone) -> None:
    builder.run("true")
    base = builder.cache / builder.name()
    before = (base / "var/lib/dpkg/status").read_text()
    assert builder.run("--extra", "browser", "echo", "works").stdout == "works\n"
    assert len(list(builder.cache.glob("trixie-*"))) == 2
    assert (base / "var/lib/dpkg/status").read_text() == before


@pytest.mark.parametrize(
    ("lack", "sentence"),
    [
        ({"STORE": "900000000"}, "MB are needed"),
        ({"MEANWHILE": "exit 100"}, "could not be fetched"),
    ],
)
def test_missing_parts_are_reported(builder: Clone, lack: dict[str, str], sentence: str) -> None:
    builder.variables |= lack
    result = builder.run("true")
    assert result.returncode == 125
    assert sentence in result.stderr.splitlines()[-1]
    assert not made(builder)
    assert is_clean(builder)


def test_a_user_who_may_not_enter_is_reported_before_anything_is_fetched(
    builder: Clone, tmp_path: Path
) -> None:
    shutil.copy(PROJECT / "docker" / "rootfs" / "enter", builder.folder / "docker" / "rootfs")
    builder.fake("unshare", NO)
    result = builder.run("true")
    assert result.returncode == 125
    assert "allow user namespaces" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not Path(builder.variables["APT_LOG"]).exists()


def test_a_mirror_that_does_not_answer_is_named_as_the_reason(builder: Clone) -> None:
    builder.fake("apt-get", "case $* in *update*) exit 100;; esac\n" + FAKE_APT_GET)
    result = builder.run("true")
    assert result.returncode == 125
    assert "check the network" in result.stderr.splitlines()[-1]


def test_a_host_without_a_mirror_is_reported_with_the_option_to_set_one(builder: Clone) -> None:
    builder.fake("apt-get", "case $* in *indextargets*) exit 0;; esac\n" + FAKE_APT_GET)
    result = builder.run("true")
    assert result.returncode == 125
    assert "FECONTACT_MIRROR" in result.stderr.splitlines()[-1]


def test_a_cache_directory_that_cannot_be_made_is_named(builder: Clone) -> None:
    builder.cache = Path("/proc/fecontact")
    result = builder.run("--env", "rootfs", "true")
    assert result.returncode == 125
    assert "FECONTACT_CACHE" in result.stderr
    assert result.stderr.count("\n") == 1


# --- stand-ins ----------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="this host has no apt-get")
@pytest.mark.parametrize(("version", "real_package"), [("2", False), ("1", True)])
def test_a_stand_in_of_another_version_makes_way_for_the_real_package(
    tmp_path: Path, version: str, real_package: bool
) -> None:
    """`library` needs exactly version 2 of its headers; they are stood in for in version 2 or 1."""
    tail = "Architecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: a test\n"
    (tmp_path / "Packages").write_text(
        f"Package: library\nVersion: 2\nDepends: headers (= 2)\nFilename: l.deb\nSize: 1\n{tail}\n"
        f"Package: headers\nVersion: 2\nFilename: h.deb\nSize: 1\n{tail}"
    )
    (tmp_path / "names").write_text("headers # a comment\nunknown\n")
    (tmp_path / "state" / "lists" / "partial").mkdir(parents=True)
    (tmp_path / "state" / "status").touch()
    (tmp_path / "sources.list").write_text(f"deb [trusted=yes] file:{tmp_path} ./\n")
    options = {
        "Dir::State": tmp_path / "state",
        "Dir::State::status": tmp_path / "state" / "status",
        "Dir::Cache": tmp_path,
        "Dir::Etc::sourcelist": tmp_path / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "APT::Sandbox::User": "root",
        "APT::Update::Post-Invoke": "",
    }
    apt = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    subprocess.run(["apt-get", *apt, "update"], check=True, capture_output=True)
    standins = subprocess.run(
        [PROJECT / "docker" / "standins", tmp_path / "names", *apt],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "Provides: headers (= 2)" in standins
    assert "unknown" not in standins

    installed = standins.replace("(= 2)", f"(= {version})")
    (tmp_path / "state" / "status").write_text(
        installed.replace("Version: 1\n", "Version: 1\nStatus: install ok installed\n")
    )
    plan = subprocess.run(
        ["apt-get", *apt, "--simulate", "install", "library"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "Inst library" in plan
    assert ("Inst headers" in plan) == real_package


# --- the real thing -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("apt-get") is None, reason="this host has no apt-get")
def test_from_nothing_to_a_working_environment_in_four_minutes(clone: Clone) -> None:
    start = time.monotonic()
    process = clone.start("--env", "rootfs", "python3", "-c", "import dolfinx; print('works')")
    out, err = process.communicate(timeout=600)
    assert out == "works\n", err
    assert time.monotonic() - start < 240
    start = time.monotonic()
    assert clone.run("--env", "rootfs", "true").returncode == 0
    assert time.monotonic() - start < 0.3


def wait_until(condition: object, seconds: float = 20.0) -> None:
    """Wait until the condition holds; fail if it does not within the given time."""
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
