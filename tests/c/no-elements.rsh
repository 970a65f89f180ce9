# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tensors without elements may be null: no address is computed from them, which UBSan would trap.
# RUN: %{reshapec} --emit=c %s -o %t.c --header %t.h
# RUN: echo 'int main(void) { return flat(0, NULL, NULL) != RSH_ok || turned(0, NULL, NULL) != RSH_ok || rest(2, (float[]){1, 2}, NULL) != RSH_ok; }' > %t.main.c
# RUN: %{cc} -std=c99 -fsanitize=undefined -fsanitize-undefined-trap-on-error -include stddef.h -include %t.h %t.c %t.main.c -o %t.exe && %t.exe
# RUN: clang-19 -std=c99 -fsanitize=undefined -fsanitize-trap=undefined -include stddef.h -include %t.h %t.c %t.main.c -o %t.exe && %t.exe
graph flat(x: f32[A, 3]) -> y { y = reshape(x, [3, A]) }

graph turned(x: f32[A, 3]) -> y { y = transpose(x) }

graph rest(x: f32[A]) -> y where A >= 2 { y = x[2:] }
