// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large files are mapped (npy.h). Where another program cuts one short while it is read, what is missing
// cannot be read any more: the system says so with a signal, and this says it to people.
#include "driver/base/commands.h"

#include <signal.h>
#include <unistd.h>

static void report(int signal) {
  static const char text[] =
      "reshapec: error: a file was cut short by another program while it was read\n";
  (void)signal;
  ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  _exit(written < 0 ? EXIT_INTERNAL : EXIT_INPUT);
}

void watch_mapped_files(void) {
  struct sigaction action = {.sa_handler = report};
  sigaction(SIGBUS, &action, NULL);
}
