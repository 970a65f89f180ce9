// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files are complete or untouched: replacing, modes, links, devices, and a write that fails.
// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: %{cc} %{cflags} %s -o %t %{libs} && cd %t.dir && %t
#define _XOPEN_SOURCE 700
#include "frontend/data/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int wrong;
static char error[300];

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("line %d: %s (last error: %s)\n", __LINE__, #condition, error);                       \
      wrong++;                                                                                     \
    }                                                                                              \
  } while (0)

static bool put(const char *path, const char *text) {
  error[0] = '\0';
  return file_write_whole(path, text, strlen(text), error, sizeof error);
}

static bool holds(const char *path, const char *text) {
  char found[64] = "";
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  size_t n = fread(found, 1, sizeof found - 1, file);
  fclose(file);
  found[n] = '\0';
  return strcmp(found, text) == 0;
}

static int mode_of(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 ? (int)(s.st_mode & 0777) : -1;
}

static int files_here(void) {
  int n = 0;
  DIR *dir = opendir(".");
  if (!dir)
    return -1;
  while (readdir(dir))
    n++;
  closedir(dir);
  return n - 2;
}

static void new_and_replaced(void) {
  umask(027);
  EXPECT(put("a", "one"));
  EXPECT(holds("a", "one") && mode_of("a") == 0640);
  EXPECT(chmod("a", 0751) == 0);
  EXPECT(put("a", "two"));
  EXPECT(holds("a", "two") && mode_of("a") == 0751);
  EXPECT(put("a", "") && holds("a", ""));
  umask(022);

  // A reader keeps the old file.
  EXPECT(put("a", "old"));
  char old[4] = "";
  int fd = open("a", O_RDONLY);
  EXPECT(put("a", "new") && read(fd, old, 3) == 3 && strcmp(old, "old") == 0);
  close(fd);

  OutputPart parts[] = {{"he", 2}, {NULL, 0}, {"ad", 2}};
  EXPECT(file_write_parts("b", parts, 3, error, sizeof error) && holds("b", "head"));
  EXPECT(files_here() == 2);
  remove("a");
  remove("b");
}

static void links(void) {
  EXPECT(mkdir("sub", 0777) == 0);
  EXPECT(put("sub/real", "old") && symlink("sub/real", "link") == 0);
  EXPECT(put("link", "new") && holds("sub/real", "new"));
  struct stat s;
  EXPECT(lstat("link", &s) == 0 && S_ISLNK(s.st_mode));
  remove("sub/real");
  EXPECT(put("link", "made") && holds("sub/real", "made"));
  remove("link");
  remove("sub/real");
  remove("sub");
}

static void bad_paths(void) {
  EXPECT(mkdir("sub", 0777) == 0);
  EXPECT(!put("sub", "x") &&
         strcmp(error, "cannot write 'sub': Is a directory; add the name of a file") == 0);
  EXPECT(!put("none/x", "x") &&
         strcmp(error, "cannot write 'none/x': No such file or directory; its folder does not "
                       "exist") == 0);
  EXPECT(!put("", "x"));
  EXPECT(put("sub/file", "x") && !put("sub/file/x", "x") && strstr(error, "Not a directory"));
  EXPECT(!put("new/", "x"));
  remove("sub/file");
  remove("sub");
  EXPECT(files_here() == 0);

  // The longest possible name, and one character more.
  char name[257];
  memset(name, 'n', 256);
  name[255] = '\0';
  EXPECT(put(name, "x") && holds(name, "x"));
  remove(name);
  name[255] = 'n';
  name[256] = '\0';
  EXPECT(!put(name, "x") && strstr(error, "File name too long"));
  EXPECT(files_here() == 0);

  // Messages are truncated to the available room.
  char small[12];
  EXPECT(!file_write_whole("none/x", "x", 1, small, sizeof small) &&
         strcmp(small, "cannot writ") == 0);
}

static void devices(void) {
  EXPECT(put("/dev/null", "x") && mode_of("/dev/null") != -1);
  if (access("/dev/full", F_OK) == 0)
    EXPECT(!put("/dev/full", "x") &&
           strcmp(error, "cannot write '/dev/full': No space left on device") == 0);
  struct stat s;
  EXPECT(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
}

// A limit of 4096 bytes a file simulates a full disk.
static void failed_write_leaves_the_old_file(void) {
  static char big[10000];
  struct rlimit limit, old;
  EXPECT(put("a", "old"));
  signal(SIGXFSZ, SIG_IGN);
  EXPECT(getrlimit(RLIMIT_FSIZE, &old) == 0);
  limit = old;
  limit.rlim_cur = 4096;
  EXPECT(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  EXPECT(!file_write_whole("a", big, sizeof big, error, sizeof error) &&
         strcmp(error, "cannot write 'a': File too large") == 0);
  EXPECT(!file_write_whole("b", big, sizeof big, error, sizeof error));
  EXPECT(setrlimit(RLIMIT_FSIZE, &old) == 0);
  EXPECT(holds("a", "old") && access("b", F_OK) != 0 && files_here() == 1);
  remove("a");
}

// The next run for an output removes what a killed run left; files that another run is writing stay.
static void leftovers(void) {
  const char *left = ".reshapec-a-0.tmp";
  EXPECT(put(left, "left") && put("a", "new") && holds("a", "new") && files_here() == 1);
  EXPECT(put(left, "theirs"));
  int theirs = open(left, O_RDONLY);
  EXPECT(theirs >= 0 && flock(theirs, LOCK_EX) == 0);
  EXPECT(put("a", "newer") && holds("a", "newer") && holds(left, "theirs") && files_here() == 2);
  close(theirs);
  remove(left);

  // Not the file of a run: it stays, and the next name is used.
  EXPECT(mkdir(left, 0777) == 0 && put("a", "beside a folder") && holds("a", "beside a folder"));
  remove(left);
  EXPECT(symlink("a", left) == 0 && put("a", "beside a link") && holds("a", "beside a link"));
  remove(left);
  EXPECT(mkfifo(left, 0600) == 0 && put("a", "beside a pipe") && files_here() == 2);
  remove(left);
  remove("a");

  // A long name of multibyte characters is cut between two of them.
  char name[256] = "x";
  for (int i = 0; i < 80; i++)
    strcat(name, "\u20ac");
  EXPECT(put(name, "x") && holds(name, "x") && files_here() == 1);
  remove(name);
}

// No file of a set is replaced unless all were written.
static void together(void) {
  OutputPart x = {"x", 1}, y = {"y", 1};
  OutputFile good[] = {{"a", &x, 1}, {"b", &y, 1}, {"/dev/null", &x, 1}};
  EXPECT(file_write_together(good, 3, error, sizeof error) && holds("a", "x") && holds("b", "y"));
  OutputFile bad_folder[] = {{"a", &y, 1}, {"none/b", &x, 1}};
  EXPECT(!file_write_together(bad_folder, 2, error, sizeof error) && strstr(error, "'none/b'"));
  OutputFile full[] = {{"a", &y, 1}, {"/dev/full", &x, 1}};
  if (access("/dev/full", F_OK) == 0)
    EXPECT(!file_write_together(full, 2, error, sizeof error) && strstr(error, "'/dev/full'"));
  EXPECT(holds("a", "x") && holds("b", "y") && files_here() == 2);
  EXPECT(file_write_together(NULL, 0, error, sizeof error));
  remove("a");
  remove("b");
}

int main(void) {
  new_and_replaced();
  links();
  bad_paths();
  devices();
  failed_write_leaves_the_old_file();
  leftovers();
  together();
  return wrong != 0;
}
