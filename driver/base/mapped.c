// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large files are mapped (npy.h). If another program truncates one while it is read, access to the missing part raises
// SIGBUS. This turns the signal into a message.
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
