# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes each system call of each command fail, or do half of its request: one call per run.

The command must then do all that it normally does, or exit with status 1 or 3 and one line that names the file. Outputs
must be complete or unchanged, and nothing may be left behind.
usage: faults.py RESHAPEC FAULT FOLDER [--share N] [--seed N] [--only NAME] [--calls NAME,...]

--share limits the number of faults per command, and --calls the system calls that fail. Otherwise all are tried.
"""

import collections
import errno
import os
import random
import re
import sys

from commands import COMMANDS, WRITTEN, Bench, arguments

options = arguments()
options.add_argument("--calls")
options = options.parse_args()

bench = Bench(options.reshapec, options.fault, options.folder)

# The errors that each call may return; EINTR only if POSIX lists it, or the manual page of a call of Linux alone.
ERRORS = {
    "open": ["EMFILE", "EACCES", "EINTR", "EIO"],
    "openat": ["EMFILE", "EACCES", "EINTR", "EIO", "ENOSPC"],
    "read": ["EIO", "EINTR", "short"],
    "pread64": ["EIO"],
    "write": ["ENOSPC", "EIO", "EINTR", "short", "all=ENOSPC"],
    "close": ["EIO", "EINTR"],
    "mmap": ["ENOMEM"], "munmap": ["ENOMEM"], "mprotect": ["ENOMEM"],
    "clone": ["EAGAIN"], "clone3": ["EAGAIN"], "fork": ["EAGAIN"], "vfork": ["EAGAIN"],
    "wait4": ["EINTR"], "waitid": ["EINTR"],
    "rename": ["EIO", "ENOSPC", "EACCES"],
    "dup": ["EMFILE"], "dup2": ["EINTR"], "pipe": ["EMFILE"], "pipe2": ["EMFILE"],
    "fcntl": ["EBADF"], "ioctl": ["ENOTTY"], "lseek": ["ESPIPE"], "execve": ["ENOMEM"],
    "flock": ["ENOLCK", "EINTR"],
    "getrandom": ["EINTR", "ENOSYS"],
}


def kinds(call):
    _, name, *path = call.split(" ", 2)
    is_pipe = path and path[0].startswith("pipe:")
    for kind in ERRORS.get(name, ["EIO"]):
        if is_pipe and kind not in ("EINTR", "short"):
            continue
        how, _, error = kind.rpartition("=")
        yield kind if kind == "short" else f"{how or 'errno'}={getattr(errno, error)}", kind


def file_words(path):
    """Returns the names that a message may use for that file."""
    name = os.path.basename(path)
    if beside := re.fullmatch(r"\.reshapec-(.+)-\d+\.tmp", name):
        return [beside[1]]
    if name == "in":
        return WRITTEN + ["mine.rsh", "out.o", "old.tuning", "out.json"]
    return [name]


def judge(run, good, command, call, kind):
    """Returns "" if the run is right, else what is wrong."""
    _, name, *path = call.split(" ", 2)
    path = path[0] if path else ""
    known = set(command.files())
    if name in ("unlink", "unlinkat", "rmdir") and path.startswith(bench.folder):
        run.left = []  # it cannot be removed
    fault = run.untidy(good)
    if fault:
        return fault
    if run.end == good.end:
        if run.end == "ended 0" and (run.stdout, run.files) != (good.stdout, good.files):
            return "ends with 0, with other bytes"
        return ""
    if run.end not in ("ended 1", "ended 3"):
        return run.end
    lines = run.stderr.splitlines()
    added = [line for line in lines if "error: " in line]  # without lines of source text
    if name == "write" and path == bench.complaints or not added and b'"bad_file"' in run.stdout:
        return ""
    if kind == "all" and all("cannot write" in line for line in added):
        added = added[:1]  # one per file
    if len(added) != 1:
        return f"message {run.stderr!r}"
    is_ours = path and os.path.basename(path) in known | {f for f in [os.path.basename(path)] if f.startswith(".reshapec-")}
    if is_ours and not any(word in added[0] for word in file_words(path)) and "standard" not in added[0]:
        return f"names no file: {added[0]}"
    return ""


generator = random.Random(options.seed)
total = collections.Counter()
for title, command in COMMANDS.items():
    if options.only and options.only != title:
        continue
    good = bench.run(command)
    bench.expect(title, command, good)
    tries = [(call, at, *kind) for at, call in good.own_calls()
             if not options.calls or call.split()[1] in options.calls.split(",") for kind in kinds(call)]
    if options.share and options.share < len(tries):
        tries = sorted(generator.sample(tries, options.share), key=lambda t: t[1])
    found = collections.Counter()
    for call, at, kind, shown in tries:
        run = bench.run(command, kind, at, CALL=call.split()[1])
        fault = judge(run, good, command, run.calls[0] if run.calls else call, kind.partition("=")[0])
        if fault:
            found[fault] += 1
            if found[fault] == 1 or options.all_findings:
                print(f"{title}: {shown} of {call}: {fault}")
    print(f"{title}: {len(good.own_calls())} calls, {len(tries)} faults, {sum(found.values())} wrong", flush=True)
    total.update(faults=len(tries), wrong=sum(found.values()))
print(f"{total['faults']} faults, {total['wrong']} wrong")
sys.exit(total["wrong"] > 0)
