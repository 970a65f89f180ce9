// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs reshapec for tests that do so thousands of times. Each run is a child of this process, which starts only once:
// starting takes several times as long as reading a text.
//
//     runs SECONDS
//
// A request is a line `LENGTH<tab>ARGUMENT<tab>ARGUMENT...`, followed by LENGTH bytes of standard input. The answer is
// a line `STATUS SECONDS KIB OUT ERR`, followed by OUT bytes of standard output and ERR bytes of standard error. STATUS
// is negative for a signal. A signal ends a run after SECONDS of processor time.
#define _GNU_SOURCE // memfd_create, wait4
int reshapec_main(int argc, char **argv);
#define main reshapec_main
#include "driver/main.c"
#undef main

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { ARGUMENTS = 16, LINE = 10000 };

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

static int file[3]; // standard input, output and error of a run

static void start(char **argv, rlim_t seconds) {
  const struct rlimit limit = {seconds, seconds};
  int argc = 0;
  for (int i = 0; i < 3; i++)
    dup2(file[i], i);
  for (int i = 0; i < 3; i++)
    close(file[i]);
  setrlimit(RLIMIT_CPU, &limit);
  while (argv[argc])
    argc++;
  int status = reshapec_main(argc, argv);
#ifdef __SANITIZE_ADDRESS__
  exit(status); // also checks for memory leaks
#else
  if (getenv("LLVM_PROFILE_FILE")) // coverage counters are written on exit
    exit(status);
  fflush(NULL);
  _exit(status); // skips LLVM's destructors of options
#endif
}

static void take_input(size_t length) {
  for (int i = 0; i < 3; i++)
    REQUIRE(ftruncate(file[i], 0) == 0 && lseek(file[i], 0, SEEK_SET) == 0);
  char *bytes = malloc(length + 1);
  REQUIRE(bytes && fread(bytes, 1, length, stdin) == length);
  REQUIRE(write(file[0], bytes, length) == (ssize_t)length && lseek(file[0], 0, SEEK_SET) == 0);
  free(bytes);
}

static void print_output(int fd, off_t length) {
  char *bytes = malloc((size_t)length + 1);
  REQUIRE(bytes && pread(fd, bytes, (size_t)length, 0) == length);
  fwrite(bytes, 1, (size_t)length, stdout);
  free(bytes);
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

static void run(char **argv, rlim_t seconds) {
  struct rusage used;
  int ended;
  pid_t id = fork();
  if (id == 0)
    start(argv, seconds);
  REQUIRE(id > 0 && wait4(id, &ended, 0, &used) == id);
  off_t out = lseek(file[1], 0, SEEK_END), err = lseek(file[2], 0, SEEK_END);
  printf("%d %.3f %ld %ld %ld\n", WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended),
         seconds_of(used.ru_utime) + seconds_of(used.ru_stime), used.ru_maxrss, (long)out,
         (long)err);
  print_output(file[1], out);
  print_output(file[2], err);
  fflush(stdout);
}

// Splits a line into arguments, and returns the number before them.
static size_t read_line(char *line, char **argument) {
  size_t length = strtoul(line, NULL, 10);
  int count = 0;
  strtok(line, "\t\n");
  argument[count++] = "reshapec";
  while ((argument[count] = strtok(NULL, "\t\n")))
    REQUIRE(++count < ARGUMENTS);
  return length;
}

int main(int argc, char **argv) {
  static char line[LINE];
  char *argument[ARGUMENTS];
  REQUIRE(argc == 2);
  for (int i = 0; i < 3; i++)
    REQUIRE((file[i] = memfd_create("run", 0)) >= 0);
  while (fgets(line, LINE, stdin)) {
    take_input(read_line(line, argument));
    run(argument, strtoul(argv[1], NULL, 10));
  }
  return 0;
}
