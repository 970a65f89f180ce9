// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as the XML of OpenVINO IR, with weights beside it. The requirements are the same as for ONNX models.
//
// RUN: %{python} -B %S/Inputs/openvino_seeds.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:2000} %t.seeds/*
// RUN: rm -rf %t.corpus && mkdir %t.corpus && tar -xzf %S/Inputs/openvino-corpus.tar.gz -C %t.corpus
// RUN: %t 0 %t.corpus/*
#define _XOPEN_SOURCE 700
#include "Inputs/model.h"

#include "frontend/onnx/openvino.h"

#include <fcntl.h>
#include <sys/mman.h>

static char xml[64], bin[64];

static void write_file(const char *path, const void *bytes, size_t size) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  REQUIRE(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
}

// Small 64-bit integers, usable as targets and axes.
static void begin(void) {
  int64_t weights[64];
  for (int i = 0; i < 64; i++)
    weights[i] = i % 7 - 1;
  snprintf(xml, sizeof xml, "%s/model.xml", fuzz_folder());
  snprintf(bin, sizeof bin, "%s/model.bin", fuzz_folder());
  write_file(bin, weights, sizeof weights);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (xml[0] == '\0')
    begin();
  write_file(xml, bytes, size);
  Arena *arena = arena_new();
  Diag diag = {.arena = arena, .file = xml};
  FILE *out = fopen("/dev/null", "w");
  REQUIRE(out);
  const OnnxFile *file = openvino_file_read(arena, xml, &diag);
  REQUIRE((file == NULL) == (diag.errors > 0));
  if (file)
    check_model(arena, file, &diag, out);
  for (const OnnxWeights *w = file ? *file->weights : NULL; w; w = w->next) // else for as long as
    munmap((void *)w->bytes.data, w->bytes.size);                           // the program runs
  diag_print(&diag, out, false);
  fclose(out);
  arena_free(arena);
  return 0;
}
