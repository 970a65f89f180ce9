# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends a command with a signal while it waits for another program, and prints what it leaves.

    killed.py FOLDER SIGNAL COMMAND...

FOLDER/tmp is its $TMPDIR, FOLDER/out contains its outputs, FOLDER/bin is its $PATH. A program there that does not end
writes its process number to the file $STARTED. A command may also wait for the reader of an output that is a pipe. This
script prints how many files existed while the command waited, what ended it, and the files after that program has also
ended.
"""

import os
import signal
import subprocess
import sys
import time

folder, name, *command = sys.argv[1:]
sent = getattr(signal, name)
started = os.path.join(folder, "started")
for made in ("tmp", "out"):
    os.makedirs(os.path.join(folder, made), exist_ok=True)
if os.path.exists(started):
    os.remove(started)


def wait_for(what):
    end = time.monotonic() + 60
    while not what():
        if time.monotonic() > end:
            sys.exit("it takes too long")
        time.sleep(0.01)


def still_runs(number):
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def default():
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)


environment = {**os.environ, "TMPDIR": os.path.join(folder, "tmp"), "PATH": os.path.join(folder, "bin"), "STARTED": started}

def files():
    return sorted(os.listdir(os.path.join(folder, "out")) + [f for _, _, f in os.walk(environment["TMPDIR"]) for f in f])


def helper():
    """Returns the process number of the called program, 0 before it is called."""
    if not os.path.exists(started):
        return 0
    with open(started, encoding="utf-8") as file:
        return int(file.read() or 0)


with subprocess.Popen(command, env=environment, preexec_fn=default, stdout=subprocess.DEVNULL) as process:
    wait_for(lambda: helper() or os.listdir(os.path.join(folder, "out")))
    meanwhile = len(files())
    process.send_signal(sent)
    ended = process.wait(60)
wait_for(lambda: not still_runs(helper()))
left = files() + os.listdir(environment["TMPDIR"])
print(f"{meanwhile} files, ended by {signal.Signals(-ended).name if ended < 0 else ended}, leaves {left}")
