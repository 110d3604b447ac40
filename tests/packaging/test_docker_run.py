"""docker/run: choice of the environment, and behaviour as of the command itself."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clones import PROJECT, YES, Clone, copy_of_project

DOCKER_THAT_NOTES_ITS_ARGUMENTS = """
printf '%s\\n' "$*" >> "$DOCKER_LOG"
case $1 in
    image) exit 1 ;;
    info) echo "$ENGINE_INFO" ;;
    build) seq 2000 ;;
    run) exit 7 ;;
esac
"""

# --- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "no command to run"),
        (["--env"], "--env needs a value"),
        (["--env", "conda", "true"], "--env takes"),
        (["--debian", "buster", "true"], "--debian takes"),
        (["--extra", "sound", "true"], "docker/packages-sound.txt not found"),
        (["--sudo", "true"], "option --sudo"),
    ],
)
def test_misuse_gets_one_sentence_and_exit_code_2(
    clone: Clone, arguments: list[str], complaint: str
) -> None:
    result = clone.run(*arguments)
    assert result.returncode == 2
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_help_names_every_option(clone: Clone) -> None:
    result = clone.run("--help")
    assert result.returncode == 0
    for option in ("--env", "--which", "--debian", "--extra", "FECONTACT_CACHE"):
        assert option in result.stdout


# --- which environment --------------------------------------------------------------------------


def test_a_python_with_all_dependencies_comes_first(clone: Clone) -> None:
    clone.fake("python3", YES)
    clone.fake("docker", YES)
    assert clone.run("--which").stdout.startswith("native: ")


def test_a_docker_engine_comes_second(clone: Clone) -> None:
    clone.fake("docker", YES)
    first, second = clone.run("--which").stdout.splitlines()
    assert first.startswith("docker: Docker is running")
    assert second.startswith("not native: ")


def test_a_root_file_system_comes_last(clone: Clone) -> None:
    first, *others = clone.run("--which").stdout.splitlines()
    assert first.startswith(f"rootfs: {clone.cache}")
    assert [line.split(":")[0] for line in others] == ["not native", "not docker"]


@pytest.mark.parametrize("kind", ["native", "docker", "rootfs"])
def test_one_kind_can_be_requested(clone: Clone, kind: str) -> None:
    clone.fake("python3", YES)
    clone.fake("docker", YES)
    result = clone.run("--env", kind, "--which")
    assert result.stdout.startswith(f"{kind}: ")
    assert result.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("native", "cannot be used"), ("docker", "neither Docker nor Podman is running")],
)
def test_a_kind_that_is_requested_but_not_there_is_not_replaced(
    clone: Clone, kind: str, reason: str
) -> None:
    result = clone.run("--env", kind, "true")
    assert result.returncode == 125
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1


def test_another_debian_release_is_another_environment_and_never_native(clone: Clone) -> None:
    clone.fake("python3", YES)
    assert "/sid-" in clone.run("--debian", "sid", "--which").stdout


def test_the_recipe_decides_which_environment_it_is(clone: Clone) -> None:
    before = clone.name()
    (clone.folder / "docker" / "README.md").write_text("Another text.\n")
    assert clone.name() == before
    with (clone.folder / "docker" / "packages.txt").open("a") as packages:
        packages.write("hello\n")
    assert clone.name() != before


def test_a_python_without_dolfinx_is_reported(clone: Clone) -> None:
    isolated = [sys.executable, "-I", "-S", PROJECT / "docker" / "dependencies.py"]
    result = subprocess.run(isolated, capture_output=True, text=True)
    assert result.returncode == 1
    assert "dolfinx" in result.stdout


def test_the_python_these_tests_run_in_has_every_dependency(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, PROJECT / "docker" / "dependencies.py"],
        env={**os.environ, "FECONTACT_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stdout) == (0, "")
    assert list((tmp_path / "native").iterdir()), "the import test should leave its mark"


# --- the command, in every kind of environment that can be had here ----------------------------


def root_file_system() -> Path:
    """The cache directory that has this project's root file system; without one, skip the test."""
    run = [PROJECT / "docker" / "run", "--env", "rootfs"]
    which = subprocess.run([*run, "--which"], capture_output=True, text=True).stdout
    if "already built" not in which:
        pytest.skip("the root file system has not been made on this host")
    entering = subprocess.run([*run, "true"], capture_output=True, text=True)
    if entering.returncode != 0:
        pytest.skip(f"the root file system cannot be entered here: {entering.stderr.strip()}")
    return Path(which.removeprefix("rootfs: ").partition(", already built")[0]).parent


@pytest.fixture(params=["native", "rootfs"])
def entered(request: pytest.FixtureRequest, clone: Clone) -> Clone:
    """A clone whose docker/run enters the kind of environment under test."""
    if request.param == "native":
        clone.fake("python3", YES)
    else:
        clone.cache = root_file_system()
    return clone


def test_the_exit_code_is_the_commands(entered: Clone) -> None:
    assert entered.run("sh", "-c", "exit 42").returncode == 42


def test_a_command_that_does_not_exist_is_127(entered: Clone) -> None:
    assert entered.run("no-such-command").returncode == 127


def test_standard_streams_are_the_commands(entered: Clone) -> None:
    process = entered.start("sh", "-c", "cat; echo fault >&2", stdin=subprocess.PIPE)
    assert process.communicate("said\n", timeout=60) == ("said\n", "fault\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_the_command_and_its_answer_comes_back(
    entered: Clone, number: signal.Signals
) -> None:
    script = f"trap 'exit 9' {number.value}; echo ready; while :; do sleep 0.05; done"
    process = entered.start("bash", "-c", script)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert process.wait(timeout=60) == 9


def test_arguments_arrive_unchanged(entered: Clone) -> None:
    odd = ["a b", "", "*", "$HOME", "'", '"', "--which", "é"]
    assert entered.run("printf", "%s\n", *odd).stdout.split("\n")[:-1] == odd


def test_the_current_directory_is_unchanged(entered: Clone, tmp_path: Path) -> None:
    elsewhere = tmp_path / "some where"
    elsewhere.mkdir()
    assert entered.run("pwd", cwd=elsewhere).stdout.strip() == str(elsewhere)
    assert entered.run("pwd", cwd="/usr").stdout.strip() == "/usr"
    assert entered.run("pwd", cwd="/").stdout.strip() == "/"


def test_files_belong_to_the_caller(entered: Clone, tmp_path: Path) -> None:
    assert entered.run("touch", tmp_path / "written").returncode == 0
    assert (tmp_path / "written").stat().st_uid == os.getuid()


def test_fecontact_is_the_command_of_this_clone(entered: Clone) -> None:
    found = entered.run("sh", "-c", "command -v fecontact; echo $PYTHONPATH").stdout.split("\n")
    assert found[0] == str(entered.folder / "docker" / "bin" / "fecontact")
    assert found[1].split(":")[0] == str(entered.folder)


def test_one_thread_per_process_by_default(entered: Clone) -> None:
    assert entered.run("printenv", "OMP_NUM_THREADS").stdout == "1\n"
    entered.variables["OMP_NUM_THREADS"] = "2"
    assert entered.run("printenv", "OMP_NUM_THREADS").stdout == "2\n"


def test_compiled_kernels_are_stored_in_the_cache_directory(entered: Clone) -> None:
    kept = Path(entered.run("printenv", "NUMBA_CACHE_DIR").stdout.strip())
    assert kept.is_relative_to(entered.cache)


# --- the root file system -----------------------------------------------------------------------


@pytest.fixture(params=["/tmp", "/opt", "/usr/local/src", "/home", "/var/lib"])
def clone_elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Clone]:
    """A clone in one of the places where people put source code."""
    cache = root_file_system()
    if not os.access(request.param, os.W_OK):
        pytest.skip(f"{request.param} cannot be written here")
    folder = Path(request.param) / f"fecontact-test-{os.getpid()}"
    try:
        clone = copy_of_project(folder, tmp_path)
        clone.cache = cache
        yield clone
    finally:
        shutil.rmtree(folder)


def test_a_clone_is_seen_at_its_own_path_wherever_it_is(clone_elsewhere: Clone) -> None:
    folder = clone_elsewhere.folder
    script = "pwd; touch written; command -v fecontact"
    result = clone_elsewhere.run("--env", "rootfs", "sh", "-c", script, cwd=folder)
    assert result.stdout.split() == [str(folder), str(folder / "docker" / "bin" / "fecontact")]
    assert (folder / "written").exists()


@pytest.fixture
def rootfs(clone: Clone) -> Clone:
    clone.cache = root_file_system()
    return clone


def test_mpi_starts_without_a_word_of_its_own(rootfs: Clone) -> None:
    ranks = "from mpi4py import MPI; print(MPI.COMM_WORLD.size, flush=True)"
    mpirun = ["mpirun", "-n", "2", "--oversubscribe"]
    result = rootfs.run("--env", "rootfs", *mpirun, "python3", "-c", ranks)
    # Two processes write simultaneously: lines may be split, but there is no other output.
    assert (sorted(result.stdout), result.stderr) == (sorted("2\n2\n"), "")


@pytest.mark.parametrize(
    ("variables", "command", "transports"),
    [
        ({}, ["sh"], "self,sm"),
        ({"OMPI_MCA_btl": "tcp,self"}, ["sh"], "tcp,self"),
        ({"SLURM_JOB_NUM_NODES": "1"}, ["sh"], "self,sm"),
        ({"SLURM_JOB_NUM_NODES": "2"}, ["sh"], ""),
        ({"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_SIZE": "4"}, ["sh"], "self,sm"),
        ({"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}, ["sh"], ""),
        ({}, ["mpirun", "-n", "2", "sh"], "self,sm"),
        ({}, ["mpirun", "--host", "a,b", "sh"], ""),
        ({}, ["timeout", "60", "mpirun", "--host", "a,b", "sh"], ""),
        ({}, ["sh", "--host", "a,b"], "self,sm"),
    ],
)
def test_only_ranks_on_one_computer_avoid_networks(
    variables: dict[str, str], command: list[str], transports: str
) -> None:
    """On two computers Open MPI with `self,sm` alone would never end."""
    kept = next(
        line
        for line in (PROJECT / "docker" / "run").read_text().splitlines()
        if line.startswith("several_computers")
    )
    messages = subprocess.run(
        ["bash", "-c", f'. "$0"; {kept}; echo "${{OMPI_MCA_btl:-}}"',
         str(PROJECT / "docker" / "choice.sh"), *command],
        env={"PATH": os.environ["PATH"]} | variables, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert messages.stdout.strip() == transports


def test_nothing_that_runs_in_the_root_file_system_changes_it(rootfs: Clone) -> None:
    result = rootfs.run("--env", "rootfs", "touch", "/usr/bin/intruder")
    assert result.returncode != 0
    assert "Read-only" in result.stderr


def test_no_mount_is_left_behind(rootfs: Clone) -> None:
    before = Path("/proc/self/mounts").read_text()
    assert rootfs.run("--env", "rootfs", "true").returncode == 0
    assert Path("/proc/self/mounts").read_text() == before


@pytest.mark.parametrize("trap", ["link", "open"])
def test_a_temporary_directory_that_others_could_change_is_not_used(
    rootfs: Clone, tmp_path: Path, trap: str
) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    usual = tmp_path / "usual"
    if trap == "link":
        usual.symlink_to(tmp_path / "elsewhere")
    else:
        usual.mkdir()
        usual.chmod(0o777)
    script = rootfs.folder / "docker" / "run"
    script.write_text(script.read_text().replace("/tmp/fecontact-$(id -u)", str(usual)))
    used = {rootfs.run("--env", "rootfs", "printenv", "TMPDIR").stdout.strip() for _ in range(2)}
    assert used == {str(rootfs.cache / "tmp")}  # not another one for each call
    assert (rootfs.cache / "tmp").stat().st_mode & 0o777 == 0o700


def test_a_private_temporary_directory_with_the_sticky_bit_is_used(
    rootfs: Clone, tmp_path: Path
) -> None:
    usual = tmp_path / "usual"
    usual.mkdir()
    usual.chmod(0o1700)
    script = rootfs.folder / "docker" / "run"
    script.write_text(script.read_text().replace("/tmp/fecontact-$(id -u)", str(usual)))
    assert rootfs.run("--env", "rootfs", "printenv", "TMPDIR").stdout.strip() == str(usual)


def test_settings_for_the_hosts_programs_do_not_mislead_the_environments(rootfs: Clone) -> None:
    rootfs.variables |= {"LD_LIBRARY_PATH": "/host", "PETSC_DIR": "/host", "CC": "host-cc"}
    result = rootfs.run("--env", "rootfs", "env")
    assert "host" not in [line.partition("=")[2].strip("/") for line in result.stdout.split("\n")]
    assert "host-cc" not in result.stdout


# --- Docker -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "info", "rootless"),
    [
        ("docker", "[name=seccomp,profile=builtin]", False),
        ("docker", "[name=seccomp,profile=builtin name=rootless]", True),
        ("podman", "rootless=false", False),
        ("podman", "rootless=true", True),
    ],
)
def test_an_engine_builds_the_image_once_then_runs_the_command_as_the_caller(
    clone: Clone, tmp_path: Path, engine: str, info: str, rootless: bool
) -> None:
    log = tmp_path / "log"
    clone.cache.mkdir(exist_ok=True)
    clone.variables |= {"DOCKER_LOG": str(log), "ENGINE_INFO": info, "NO_COLOR": "1"}
    clone.fake(engine, DOCKER_THAT_NOTES_ITS_ARGUMENTS)
    result = clone.run("--env", "docker", "--extra", "browser", "pytest", "-q", cwd=tmp_path)
    assert result.returncode == 7, "the exit code of the engine's `run`"
    lines = [line for line in result.stderr.splitlines() if line.startswith("docker/run: ")]
    assert len(lines) == 2, "the build and the kernels; what the engine prints is in a file"
    build = next(line for line in log.read_text().split("\n") if line.startswith("build "))
    compiles, run = [line for line in log.read_text().split("\n") if line.startswith("run ")]
    assert compiles.endswith(" fecontact compile")
    assert "DEBIAN=trixie" in build
    assert "EXTRA=browser" in build
    assert build.endswith(str(clone.folder / "docker"))
    assert f"--user {'0:0' if rootless else f'{os.getuid()}:{os.getgid()}'}" in run
    assert "--env NO_COLOR" in run
    assert f"--workdir {tmp_path}" in run
    assert run.endswith(" pytest -q")


def test_an_engine_that_is_installed_later_does_not_replace_what_is_made_already(
    rootfs: Clone, tmp_path: Path
) -> None:
    """Only its own image, or being asked for, makes it the choice."""
    rootfs.variables |= {"DOCKER_LOG": str(tmp_path / "log"), "ENGINE_INFO": ""}
    rootfs.fake("docker", "exit 1")
    rootfs.fake("podman", DOCKER_THAT_NOTES_ITS_ARGUMENTS)
    assert "not docker: Podman is running, but" in rootfs.run("--which").stdout
    assert rootfs.run("--env", "docker", "--which").stdout.startswith("docker: Podman is running")
    rootfs.fake("podman", "exit 0")
    assert rootfs.run("--which").stdout.startswith("docker: Podman is running")


def test_every_script_can_be_executed() -> None:
    scripts = [p for p in (PROJECT / "docker").rglob("*") if p.is_file()]
    scripts = [p for p in scripts if p.read_bytes().startswith(b"#!")]
    assert scripts
    assert [p.name for p in scripts if not p.stat().st_mode & stat.S_IXUSR] == []
