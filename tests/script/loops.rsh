# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A loop runs its body for each entry of a list: files, integers, tensors. Names first assigned in it are local; other
# names keep the value it assigns.
# RUN: rm -rf %t && mkdir -p %t/in %t/out && cd %t
# RUN: %{python} -c 'import numpy as n; [n.save(f"in/{i}.npy", n.arange(6 * (1 + i % 3), dtype="f4").reshape(2, -1) + i) for i in range(9)]'
# RUN: %{reshapec} run %s | FileCheck %s --match-full-lines --strict-whitespace
# RUN: %{python} -c 'import numpy as n; assert all((n.load(f"out/turned_{i}.npy") == n.load(f"in/{i}.npy").T).all() for i in range(9))'
# RUN: %{reshapec} fmt --check %s

# The loop variable and the names of its body end with it, so they may have another kind next time.
total = 0
for f in glob("in/*.npy") {
    x = load(f)
    total = total + size(x)
    x |> transpose() |> save("out/turned_" + basename(f))
}
#      CHECK:elements 108 files 9
print("elements", total, "files", len(glob("out/turned_*.npy")))

# CHECK-NEXT:0 2 4
# CHECK-NEXT:0 1 4
# CHECK-NEXT:1 2 5
# CHECK-NEXT:1 1 5
for x in range(2) {
    f = x + 4
    for y in range(2, 0, -1) {
        print(x, y, f)
    }
}

# No entries, no iterations.
# CHECK-NEXT:[]
for f in glob("in/*.txt") {
    assert(false)
}
print(range(3, 3))

# Tensors carried from one iteration to the next: in a list, and each made from the one before.
kept = []
sum = arange(4)
for x in [1, 10, 100] {
    kept = kept + [arange(4) |> mul(x)]
    sum = sum |> add(x)
}
# CHECK-NEXT:i64[3, 4]
# CHECK-NEXT:{{\[\[  0   1   2   3\]}}
# CHECK-NEXT: [  0  10  20  30]
# CHECK-NEXT: [  0 100 200 300]]
# CHECK-NEXT:i64[4]
# CHECK-NEXT:[111 112 113 114]
print(stack(kept), sum)

# A list of tensors, and their names in messages.
# CHECK-NEXT:[3, 2] 0
# CHECK-NEXT:[6, 2] 1
n = 0
for x in load(["in/0.npy", "in/1.npy"]) {
    y = transpose(x)
    print(shape(y), n)
    n = n + 1
}

# CHECK-NEXT:a.b c.tar
# CHECK-NEXT:f16[3]
# CHECK-NEXT:[0. 1. 2.]
# CHECK-NEXT:u8[2, 1]
# CHECK-NEXT:{{\[\[0\]}}
# CHECK-NEXT: [0]]
print(basename("x/a.b"), stem("x/y.d/c.tar.gz"))
print(arange(3, f16), zeros([2, 1], u8))
