"""Tasks distributed over processes: all are completed, also if some fail."""

from __future__ import annotations

import os
import signal
import sys
import time

from fecontact.workers import Fault, Lost, Progress, shared_out


def double_or_end(task: object, report_progress) -> object:
    report_progress(0.5)
    if task == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "leaves":
        os._exit(3)
    if task == "raises":
        raise ValueError("a reason")
    return 2 * task


def reported_working_directory(task: object, report_progress) -> list[str]:
    return [os.getcwd(), *sys.path]


def slow(task: int, report_progress) -> int:
    time.sleep(60.0)
    return os.getpid()


def test_a_process_that_ends_costs_its_own_task_and_no_other() -> None:
    tasks = [1, "killed", 2, "leaves", "raises", 3]
    answers = {
        number: news
        for number, news in shared_out(double_or_end, tasks, 2)
        if not isinstance(news, Progress)
    }
    assert [answers[number] for number in (0, 2, 5)] == [2, 4, 6]
    assert answers[1] == Lost("its process ended: signal SIGKILL")
    assert answers[3] == Lost("its process ended: exit code 3")
    assert answers[4] == Fault("ValueError: a reason")


def by_whom(task: str, report_progress) -> tuple[str, int]:
    return task, os.getpid()


def test_a_process_stays_with_its_kind_while_there_is_one() -> None:
    """Kernels of a kind are then compiled by one process, and no process waits for another."""
    kinds = ["lumped", "elements", "lumped", "elements", "elements"]
    (*alone,) = (news for _, news in shared_out(by_whom, kinds, 1, kinds))
    assert [kind for kind, _ in alone] == [*3 * ["elements"], *2 * ["lumped"]]
    begun = {}
    for _, (kind, process) in shared_out(by_whom, kinds, 2, kinds):
        begun.setdefault(process, kind)
    assert sorted(begun.values()) == ["elements", "lumped"]


def test_tasks_report_their_progress() -> None:
    assert (0, Progress(0.5)) in list(shared_out(double_or_end, [1], 1))


def test_workers_do_not_outlive_the_one_who_shares_out() -> None:
    def children() -> set[int]:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return {int(pid) for pid in file.read().split()}

    before = children()
    tasks = shared_out(slow, [1, 2], 2)
    started = time.monotonic()
    thread_safe = iter(tasks)
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError))
    signal.alarm(1)
    try:
        next(thread_safe)
    except TimeoutError:
        pass
    finally:
        signal.alarm(0)
    tasks.close()
    while children() - before and time.monotonic() - started < 20.0:
        for pid in children() - before:
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.05)
    assert children() == before
