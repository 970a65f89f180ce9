# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on threads against numpy: threads.py; and the default of the environment: threads.py default N, threads.py refused"""
import os
import sys
import threading
import warnings

import numpy as np

import reshapec as rs

TURN = "graph turn(x: u32[N, M]) -> y { y = transpose(x) }"


def in_process():
    return len(os.listdir("/proc/self/task"))


def refused(text, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except rs.CallError as error:
        assert text in str(error), error
        return
    raise AssertionError(f"nothing was raised that says '{text}'")


def square(n, m):
    return np.arange(n * m, dtype="u4").reshape(n, m)


def check_default(threads):
    before = in_process()
    x = square(1200, 900)
    assert np.array_equal(rs.rearrange(x, "a b -> b a"), x.T) and in_process() == before + threads - 1
    assert np.array_equal(rs.rearrange(x, "a b -> b a", threads=2), x.T)


def values():
    x, small = square(1200, 900), square(3, 5)
    before = in_process()
    assert np.array_equal(rs.rearrange(x, "a b -> b a", threads=1), x.T) and in_process() == before
    assert np.array_equal(rs.rearrange(small, "a b -> b a", threads=64), small.T) and in_process() == before
    assert np.array_equal(rs.rearrange(x, "a b -> b a", threads=4), x.T) and in_process() == before + 3
    assert np.array_equal(rs.rearrange(x, "a b -> b a", threads=2), x.T) and in_process() == before + 3
    assert np.array_equal(rs.rearrange(x[::2, ::3], "a b -> b a", threads=4), x[::2, ::3].T)
    assert np.array_equal(rs.rearrange([x, x + 1], "s a b -> b s a", threads=4), np.stack([x, x + 1]).transpose(2, 0, 1))
    assert np.array_equal(rs.repeat(x, "a b -> b n a", n=3, threads=4), np.repeat(x.T[:, None], 3, 1))
    packed, shapes = rs.pack([x, x[:, :7]], "a *", threads=4)
    assert np.array_equal(packed, np.concatenate([x, x[:, :7]], 1))
    parts = rs.unpack(packed, shapes, "a *", threads=4)
    assert np.array_equal(parts[0], x) and np.array_equal(parts[1], x[:, :7])
    turn = rs.compile(TURN, threads=4)
    for n, m in ((1200, 900), (0, 5), (1, 1), (37, 5000), (2048, 2048)):
        x, out = square(n, m), np.empty((m, n), "u4")
        assert np.array_equal(turn(x), x.T) and np.array_equal(turn(x, threads=1), x.T)
        assert turn(x, out=out, threads=64) is out and np.array_equal(out, x.T)
    x = square(1200, 900)
    assert np.array_equal(turn(memoryview(x), threads=2), x.T)

    @rs.jit(threads=3)
    def halves(x):
        return x.T[:450], x.T[450:] + 1

    for got in (halves(x), halves(x, threads=1)):
        assert np.array_equal(got[0], x.T[:450]) and np.array_equal(got[1], x.T[450:] + 1)
    same = rs.compile("graph same(x: u32[1200, 900]) -> y { y = reshape(x, [900, 1200]) }", threads=4)
    out = np.empty((900, 1200), "u4")
    assert np.shares_memory(same(x), x) and np.array_equal(same(x, out=out), x.reshape(900, 1200))
    dynamic = rs.compile("graph f(x: u32[N, 900], s: i64[2]) -> y { y = reshape(x, s) |> transpose() }", threads=4)
    assert np.array_equal(dynamic(x, np.array([900, 1200])), x.reshape(900, 1200).T)
    guarded = rs.compile("graph f(x: u32[N, 900]) -> y where N % 8 == 0 { y = transpose(x) }", threads=4)
    refused("N % 8 == 0", guarded, x[:1199])


def wrong():
    x = square(2, 3)
    turn = rs.compile(TURN, threads=2)
    traced = rs.jit(lambda x: x.T)
    for number in (0, -1, "x", 1000, 65, 1.5, 1 << 70):
        for call in (lambda: rs.compile(TURN, threads=number), lambda: turn(x, threads=number), lambda: traced(x, threads=number),
                     lambda: rs.rearrange(x, "a b -> b a", threads=number), lambda: rs.repeat(x, "a b -> b a", threads=number),
                     lambda: rs.pack([x], "a *", threads=number), lambda: rs.unpack(x, [(3,)], "a *", threads=number)):
            refused(f"threads is {number!r}: it must be an integer from 1 to 64", call)
    refused("write rs.compile(..., threads=2)", rs.compile(TURN), x, threads=2)


def from_several():
    turn, failed = rs.compile(TURN, threads=4), []

    def work(n):
        x = square(600 + n, 700)
        out = np.empty((700, 600 + n), "u4")
        for i in range(30):
            if not np.array_equal(turn(x, out=out, threads=1 + (i + n) % 5), x.T):
                failed.append((n, i))
            out[:] = 0

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed


def of_one_module():
    """Graphs of one text are compiled, and bind new shapes, from several threads at a time."""
    count, failed = 6, []
    for _ in range(5):
        module = rs.compile("".join(f"graph g{n}(x: u32[N, {n + 2}]) -> y {{ y = transpose(x) }}\n" for n in range(count)))
        start = threading.Barrier(2 * count)

        def work(n):
            start.wait()
            for rows in range(1, 40):
                x = square(rows, n % count + 2)
                if not np.array_equal(module[f"g{n % count}"](x), x.T) or "graph g1" not in module.explain():
                    failed.append((n, rows))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(2 * count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failed, failed


def forks():
    """While other threads call: the child has threads of its own."""
    turn, x, end = rs.compile(TURN, threads=4), square(800, 600), threading.Event()

    def work():
        while not end.is_set():
            turn(x)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        child = os.fork()
        if child == 0:
            good = in_process() == 1 and np.array_equal(turn(x, out=np.empty((600, 800), "u4")), x.T) and in_process() == 4
            os._exit(0 if good else 1)
        assert os.waitpid(child, 0)[1] == 0
    end.set()
    for thread in threads:
        thread.join()


def ends():
    """The interpreter ends while threads call."""
    turn, x = rs.compile(TURN, threads=4), square(800, 600)

    def work():
        while True:
            turn(x)

    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()


if sys.argv[1:2] == ["default"]:
    check_default(int(sys.argv[2]))
elif sys.argv[1:] == ["refused"]:
    refused("RESHAPEC_THREADS: threads is 'many': it must be an integer from 1 to 64", rs.rearrange, square(2, 3), "a b -> b a")
else:
    warnings.filterwarnings("ignore", message=".*multi-threaded.*fork", category=DeprecationWarning)
    for check in (values, wrong, from_several, of_one_module, forks, ends):
        check()
print("done")
