# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends each command with a signal, at system calls and at random times; and lets two runs write the same file.

Outputs must then be complete or unchanged, nothing may be left behind, and the exit status must be that of the signal.
The next run removes what SIGKILL leaves, except for folders in $TMPDIR, which the system empties.
usage: interrupts.py RESHAPEC FAULT FOLDER [--share N] [--seed N] [--only NAME] [--kinds KIND,...]

--share limits the number of interrupts per command, whose kinds are drawn. Otherwise all are tried, and --moments
random times of each signal.
"""

import collections
import os
import random
import resource
import select
import shlex
import signal
import subprocess
import sys
import time

from commands import COMMANDS, Bench, Command, Run, arguments

options = arguments()
options.add_argument("--moments", type=int, default=10)
options.add_argument("--kinds", default="calls,moments,sizes,readers,meanwhile,killed")
options = options.parse_args()

bench = Bench(options.reshapec, options.fault, options.folder)
generator = random.Random(options.seed)
SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGPIPE", "SIGXFSZ", "SIGKILL"]


def default():
    for name in SIGNALS[:-1]:
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def is_mine(name):
    return name.startswith(".reshapec-") and name.endswith(".tmp")


def judge(run, good, number):
    if number == signal.SIGKILL:  # `killed` checks that the next run removes it
        run.files = {name: content for name, content in run.files.items() if not is_mine(name)}
        run.left = []
    fault = run.untidy(good)
    if fault or run.same(good):
        return fault
    return "" if run.end == f"killed {int(number)}" else f"{run.end} {run.stderr!r}"


def at_calls(good, command):
    calls = good.own_calls()
    for name in SIGNALS:
        number = getattr(signal, name)
        for at, call in calls:
            yield f"{name} at {call}", lambda at=at, number=number: judge(bench.run(command, f"signal={number}", at), good, number)


def at_moment(good, command, name, moment):
    number = getattr(signal, name)
    bench.put(command)
    ends, running = os.pipe()
    with bench.stdin(command) as stdin, subprocess.Popen(
            [bench.reshapec, *command.arguments], cwd=bench.work, env=bench.environment, preexec_fn=default,
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[running]) as process:
        os.close(running)
        time.sleep(moment)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=120)
        ended = subprocess.CompletedProcess([], process.returncode, stdout, stderr)
    has_ended = select.select([ends], [], [], 10)[0]  # and what it has started, too
    os.close(ends)
    if not has_ended:
        return "something that it started goes on"
    return judge(Run(bench, command, ended), good, number)


def at_moments(good, command):
    start = time.monotonic()
    bench.plain(command)
    lasts = time.monotonic() - start
    for name in SIGNALS:
        for _ in range(options.moments):
            moment = generator.uniform(0, 1.1 * lasts)
            yield f"{name} after {moment * 1000:.1f} ms", lambda name=name, moment=moment: at_moment(good, command, name, moment)


def with_size(good, command, size):
    def limit():
        default()
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    run = bench.plain(command, preexec_fn=limit)
    if run.end in ("ended 1", "ended 3") and "error: " in run.stderr:
        return run.untidy(good)
    return judge(run, good, signal.SIGXFSZ)


def sizes(good, command):
    made = {len(content) for name, content in good.files.items() if content != command.files()[name]}
    for size in sorted({0, 1} | {n + d for n in made for d in (-1, 0)}):
        yield f"ulimit -f of {size} bytes", lambda size=size: with_size(good, command, size)


def with_reader(good, command, count):
    """Runs with a pipe as standard output, whose reader closes it after `count` bytes."""
    bench.put(command)
    reader, writer = os.pipe()
    if count == 0:
        os.close(reader)
    with bench.stdin(command) as stdin, subprocess.Popen(
            [bench.reshapec, *command.arguments], cwd=bench.work, env=bench.environment, preexec_fn=default,
            stdin=stdin, stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        if count:
            os.read(reader, count)
            os.close(reader)
        _, stderr = process.communicate(timeout=120)
    run = Run(bench, command, subprocess.CompletedProcess([], process.returncode, good.stdout, stderr))
    if run.end in ("ended 1", "ended 3") and "error: " in run.stderr:
        return run.untidy(good)
    return judge(run, good, signal.SIGPIPE)


def readers(good, command):
    for count in (0, 1):
        yield f"a reader of {count} bytes", lambda count=count: with_reader(good, command, count)


RIVAL = Command("part.rsh", "-o", "out", "--header", "out.h")  # writes other bytes to the same files


def meanwhile(good, command):
    """Runs another command between two calls of this one: the same command, and one that writes other bytes."""
    if command.stdin or good.files == command.files():
        return
    rival = bench.plain(RIVAL)

    def both(at, other):
        words = shlex.join([bench.reshapec, *other.arguments])
        run = bench.run(command, "meanwhile", at, MEANWHILE=f"{words} < /dev/null > /dev/null 2>&1")
        for name in ("out", "out.h"):
            if other is RIVAL and run.files.get(name) == rival.files[name]:
                run.files[name] = good.files[name]
        return run.untidy(good) or ("" if run.same(good) else f"{run.end} {run.stderr!r}")

    for at, call in good.own_calls():
        for other in (command,) if "--check" in command.arguments else (command, RIVAL):  # it reads what it wrote
            yield f"{' '.join(other.arguments)} at {call}", lambda at=at, other=other: both(at, other)


def killed(good, command):
    """Checks that the run after a killed one removes its files."""
    def after(at):
        bench.put(command)
        subprocess.run([bench.fault, bench.list, "signal=9", str(at), bench.reshapec, *command.arguments], cwd=bench.work,
                       env=bench.environment, input=command.stdin, capture_output=True, timeout=120, check=False)
        run = bench.plain(command, is_put=True)
        run.left = []
        return run.untidy(good)

    if good.files != command.files():
        for at, call in good.own_calls():
            yield f"a run after SIGKILL at {call}", lambda at=at: after(at)


KINDS = {"calls": at_calls, "moments": at_moments, "sizes": sizes, "readers": readers, "meanwhile": meanwhile, "killed": killed}
total = collections.Counter()
for title, command in COMMANDS.items():
    if options.only and options.only != title:
        continue
    good = bench.run(command)
    bench.expect(title, command, good)
    chosen = {kind: list(KINDS[kind](good, command)) for kind in options.kinds.split(",")}
    chosen = {kind: tries for kind, tries in chosen.items() if tries}
    if options.share:
        counts = collections.Counter(generator.choice(list(chosen)) for _ in range(options.share))
        chosen = {kind: generator.sample(chosen[kind], min(count, len(chosen[kind]))) for kind, count in sorted(counts.items())}
    for kind, tries in chosen.items():
        wrong = 0
        for name, attempt in tries:
            fault = attempt()
            if fault:
                wrong += 1
                if wrong == 1 or options.all_findings:
                    print(f"{title}: {name}: {fault}")
        total.update(tries=len(tries), wrong=wrong)
    print(f"{title}: {', '.join(f'{len(tries)} {kind}' for kind, tries in chosen.items())}", flush=True)
print(f"{total['tries']} interrupts, {total['wrong']} wrong")
sys.exit(total["wrong"] > 0)
