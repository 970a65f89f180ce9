# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two conditions share a difference, which is computed once, before it is known to fit: 0 - 3*C is -(2^63 + 1) here.
# RUN: %{reshapec} --emit=c %s -o %t.c --header %t.h
# RUN: echo 'int main(void) { return near(0, 3074457345618258603, NULL, NULL, NULL, NULL) != RSH_overflow; }' > %t.main.c
# RUN: %{cc} -std=c99 -fsanitize=undefined -fsanitize-undefined-trap-on-error -include stddef.h -include %t.h %t.c %t.main.c -o %t.exe && %t.exe
# RUN: clang-19 -std=c99 -fsanitize=undefined -fsanitize-trap=undefined -include stddef.h -include %t.h %t.c %t.main.c -o %t.exe && %t.exe
graph near(x: u8[A], y: u8[C]) -> (p, q) where A - 3*C >= -5, A - 3*C <= 5 {
    p = flip(x, 0)
    q = flip(y, 0)
}
