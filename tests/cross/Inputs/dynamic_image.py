#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links a program with the dynamic graph of FILE for a Cortex-M, runs it, and prints the resources it uses.

    dynamic_image.py --reshapec PATH --work DIR --core m0 --target TRIPLE --form object|c --emulator "qemu-system-arm ..."
                     --script LINKER-SCRIPT --stack BYTES --text BYTES --plan BYTES FILE

gcc builds the runtime library for firmware (SYMBOLS=0) at -Os. Code that no table of the graph names is not linked.
"""

import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
BOARDS = os.path.join(ROOT, "examples", "firmware")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr  # qemu prints semihosting output as errors


parser = argparse.ArgumentParser()
for option in ("reshapec", "work", "core", "target", "form", "emulator", "script", "stack"):
    parser.add_argument("--" + option, required=True)
for option in ("text", "plan"):
    parser.add_argument("--" + option, required=True, type=int)
parser.add_argument("file")
args = parser.parse_args()
os.makedirs(args.work, exist_ok=True)
os.chdir(args.work)
gcc = ["arm-none-eabi-gcc", f"-mcpu=cortex-{args.core}", "-mthumb"]
size = ["-Os", "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-I.", f"-I{BOARDS}", f"-DSTACK={args.stack}"]
tables = ["-fno-jump-tables"] if args.core == "m0" else []
run("make", "-C", ROOT, f"BUILD={args.work}/runtime", f"CC={' '.join(gcc)}", f"CFLAGS={' '.join(['-Os', *tables])}", "PIC=", "SYMBOLS=0",
    "AR=arm-none-eabi-ar", "SANITIZE=0", "runtime")  # fmt: skip
emit = ["-o", "image.o"] if args.form == "object" else ["--emit=c", "-o", "image.c"]
run(args.reshapec, "-Os", f"--target={args.target}", "-fno-verify", args.file, *emit, "--header", "image.h")
objects = ["image.o"]
for source in (f"{HERE}/dynamic_image.c", f"{BOARDS}/cortex-m.c", *(["image.c"] if args.form == "c" else [])):
    objects.append(os.path.basename(source)[:-2] + ".o")
    run(*gcc, "-std=c11", *size, "-c", source, "-o", objects[-1])
run(*gcc, "-nostdlib", "-Wl,--gc-sections,--no-warn-execstack,-Map=map", "-T", args.script, f"-L{os.path.dirname(args.script)}",
    f"-L{BOARDS}", *dict.fromkeys(objects), "runtime/librsh_runtime.a", "-lgcc", "-o", "image")  # fmt: skip
text = int(run("arm-none-eabi-size", "image").splitlines()[1].split()[0])
with open("image.h", encoding="utf-8") as file:
    plan = int(re.search(r"_PLAN_BYTES (\d+)", file.read())[1])
print(run(*args.emulator.split(), "-kernel", "image").strip())
print(f"{args.core} {args.form}: text {text}, plan {plan}")
if text >= args.text or plan >= args.plan:
    sys.exit(f"more than wanted: text {args.text}, plan {args.plan}")
print("rules:", *sorted(set(re.findall(r"\b(rsh_(?:rule|fold)_\w+)", run("arm-none-eabi-nm", "image")))))
