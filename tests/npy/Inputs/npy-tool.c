// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The .npy reader and writer as a command:
//
//   npy-tool TYPE IN [OUT]
//
// reads IN as TYPE ("any": the file's own), prints its type and shape, and writes it to OUT. An error is printed as
// "kind: text" and ends it with status 1.
#include "frontend/data/npy.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4)
    return 2;
  rsh_dtype want = rsh_dtype_find(argv[1], strlen(argv[1]));
  if (want == RSH_DTYPE_NONE && strcmp(argv[1], "any") != 0)
    return 2;
  Npy array;
  NpyError error;
  if (!npy_read(argv[2], want, &array, &error)) {
    printf("%s: %s\n", error.kind, error.text);
    return 1;
  }
  fprintf(stderr, "%s", rsh_dtype_name(array.dtype));
  for (int i = 0; i < array.rank; i++)
    fprintf(stderr, " %lld", (long long)array.dim[i]);
  fprintf(stderr, "\n");
  bool good = argc == 3 || npy_write(argv[3], &array, &error);
  if (!good)
    printf("%s: %s\n", error.kind, error.text);
  npy_free(&array);
  return good ? 0 : 1;
}
