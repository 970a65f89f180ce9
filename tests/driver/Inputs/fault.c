// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program, and makes one of its system calls fail, do less than requested, or coincide with a signal. The kernel
// asks this process about each call (seccomp's user notifications), so libc's own calls are included.
//
//     fault LIST KIND AT PROGRAM ARGUMENT...
//
// KIND is `none`, `errno=N`, `all=N` (this call and all later ones of the same name, except writes of messages),
// `short`, `signal=N`, or `meanwhile`, which runs the shell command $MEANWHILE before that call. AT counts from 1. If
// $CALL is set, AT means that call or the next one with this name, since parents and children run in any order.
// With KIND none, LIST receives a line for each counted call, `12 openat g.rsh`; otherwise only for call AT. Then it
// receives how the program ended: `ended 0`, `killed 15`. Calls of programs that it starts do not count, nor those of
// threads, whose order varies.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_ROOM = 512, MOST_BYTES = 1 << 16, AFTER = 10000 }; // AFTER: ms in which programs that it started must end

typedef enum Operand { NOTHING, FILE_0, FILE_4, PATH_0, PATH_1 } Operand;

typedef struct Call {
  int number;
  const char *name;
  Operand operand; // the argument that names the file; FILE_4 is mmap's
} Call;

// Calls that can fail although the program is correct. sendmsg is not among them, because it sends the listener.
static const Call calls[] = {
#define CALL(name, operand) {__NR_##name, #name, operand},
#ifdef __NR_open
    CALL(open, PATH_0) CALL(creat, PATH_0) CALL(stat, PATH_0) CALL(lstat, PATH_0) CALL(access, PATH_0)
    CALL(readlink, PATH_0) CALL(rename, PATH_0) CALL(unlink, PATH_0) CALL(link, PATH_0) CALL(mkdir, PATH_0)
    CALL(rmdir, PATH_0) CALL(chmod, PATH_0) CALL(pipe, NOTHING) CALL(dup2, FILE_0) CALL(poll, NOTHING)
    CALL(fork, NOTHING) CALL(vfork, NOTHING)
#endif
#ifdef __NR_renameat
    CALL(renameat, PATH_1)
#endif
    CALL(openat, PATH_1) CALL(newfstatat, PATH_1) CALL(statx, PATH_1) CALL(faccessat, PATH_1)
    CALL(faccessat2, PATH_1) CALL(readlinkat, PATH_1) CALL(renameat2, PATH_1) CALL(unlinkat, PATH_1)
    CALL(linkat, PATH_1) CALL(mkdirat, PATH_1) CALL(fchmodat, PATH_1) CALL(execve, PATH_0)
    CALL(read, FILE_0) CALL(pread64, FILE_0) CALL(readv, FILE_0) CALL(write, FILE_0) CALL(pwrite64, FILE_0)
    CALL(writev, FILE_0) CALL(close, FILE_0) CALL(fstat, FILE_0) CALL(lseek, FILE_0) CALL(fcntl, FILE_0)
    CALL(ioctl, FILE_0) CALL(fchmod, FILE_0) CALL(ftruncate, FILE_0) CALL(fsync, FILE_0) CALL(flock, FILE_0)
    CALL(getdents64, FILE_0) CALL(dup, FILE_0) CALL(dup3, FILE_0) CALL(mmap, FILE_4) CALL(munmap, NOTHING)
    CALL(mprotect, NOTHING) CALL(madvise, NOTHING) CALL(pipe2, NOTHING) CALL(ppoll, NOTHING) CALL(clone, NOTHING)
    CALL(clone3, NOTHING) CALL(wait4, NOTHING) CALL(waitid, NOTHING) CALL(getcwd, NOTHING) CALL(getrandom, NOTHING)
    CALL(sysinfo, NOTHING) CALL(sched_getaffinity, NOTHING) CALL(memfd_create, NOTHING)
#undef CALL
};
enum { CALLS = sizeof calls / sizeof *calls };

static _Noreturn void stop(const char *what) {
  fprintf(stderr, "fault: %s: %s\n", what, strerror(errno));
  _exit(99);
}

// ---- the program ----

static int listen_to_self(void) {
  struct sock_filter code[2 * CALLS + 2];
  size_t n = 0;
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < CALLS; i++) {
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number, 0, 1);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  }
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {(unsigned short)n, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    stop("prctl");
  int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (listener < 0)
    stop("seccomp");
  return listener;
}

typedef union Control {
  struct cmsghdr header;
  char room[CMSG_SPACE(sizeof(int))];
} Control;

static struct msghdr message_of(struct iovec *letter, Control *control) {
  return (struct msghdr){.msg_iov = letter, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof *control};
}

static void become(int to, char **argv) {
  Control control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  char letter = 0;
  struct iovec one = {&letter, 1};
  struct msghdr message = message_of(&one, &control);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  fcntl(to, F_SETFD, FD_CLOEXEC);
  int listener = listen_to_self();
  memcpy(CMSG_DATA(&control.header), &listener, sizeof listener);
  if (sendmsg(to, &message, 0) != 1)
    stop("sendmsg");
  execv(argv[0], argv);
  stop(argv[0]);
}

static int receive_listener(int from) {
  Control control;
  char letter;
  int listener;
  struct iovec one = {&letter, 1};
  struct msghdr message = message_of(&one, &control);
  if (recvmsg(from, &message, 0) != 1)
    stop("recvmsg");
  memcpy(&listener, CMSG_DATA(&control.header), sizeof listener);
  return listener;
}

// ---- one call ----

typedef struct Fault {
  const char *kind;
  int number; // of an error or a signal
  long at, count;
  int failing;          // with all=: the number of call `at`
  char program[PATH_ROOM];
  FILE *list;
  int listener;
  pid_t first;
  int is_started, is_done; // its execve was seen; call `at` was
  const char *call;        // NULL: any
} Fault;

static const Call *call_of(int number) {
  for (size_t i = 0; i < CALLS; i++)
    if (calls[i].number == number)
      return &calls[i];
  return NULL;
}

static const char *link_text(char *text, const char *format, int pid, int file) {
  char link[64];
  snprintf(link, sizeof link, format, pid, file);
  ssize_t n = readlink(link, text, PATH_ROOM - 1);
  text[n > 0 ? n : 0] = '\0';
  return text;
}

static const char *file_of(const struct seccomp_notif *asked, Operand operand, char *text) {
  const uint64_t *args = (const uint64_t *)asked->data.args;
  struct iovec to = {text, PATH_ROOM - 1}, from = {(void *)(uintptr_t)args[operand == PATH_1], PATH_ROOM - 1};
  ssize_t n = 0;
  switch (operand) {
  case NOTHING:
    break;
  case FILE_0:
    return link_text(text, "/proc/%d/fd/%d", (int)asked->pid, (int)args[0]);
  case FILE_4:
    return (int)args[4] >= 0 ? link_text(text, "/proc/%d/fd/%d", (int)asked->pid, (int)args[4]) : "";
  case PATH_0:
  case PATH_1:
    for (; n <= 0 && from.iov_len > 0; from.iov_len /= 2) // up to the end of what is mapped
      n = process_vm_readv((pid_t)asked->pid, &to, 1, &from, 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return text;
  }
  return "";
}

// Performs half of the request instead of the program. Returns 0 if it cannot be halved.
static int64_t do_half(const struct seccomp_notif *asked) {
  static char bytes[MOST_BYTES];
  const uint64_t *args = (const uint64_t *)asked->data.args;
  int number = asked->data.nr;
  size_t half = (size_t)(args[2] / 2 < MOST_BYTES ? args[2] / 2 : MOST_BYTES);
  struct iovec here = {bytes, half}, there = {(void *)(uintptr_t)args[1], half};
  if ((number != __NR_read && number != __NR_write) || half == 0)
    return 0;
  int pid = (int)syscall(SYS_pidfd_open, asked->pid, 0);
  int file = (int)syscall(SYS_pidfd_getfd, pid, (int)args[0], 0);
  ssize_t done = 0;
  struct pollfd ready = {file, number == __NR_read ? POLLIN : POLLOUT, 0};
  if (file >= 0 && poll(&ready, 1, 0) <= 0) { // who is at the other end of a pipe may wait for this process
    close(file);
    file = -1;
  }
  if (file >= 0 && number == __NR_write && process_vm_readv((pid_t)asked->pid, &here, 1, &there, 1, 0) == (ssize_t)half)
    done = write(file, bytes, half);
  else if (file >= 0 && number == __NR_read && (done = read(file, bytes, half)) > 0) {
    here.iov_len = there.iov_len = (size_t)done;
    process_vm_writev((pid_t)asked->pid, &here, 1, &there, 1, 0);
  }
  close(file);
  close(pid);
  return done;
}

// A close that fails still closes the file: another file may get the number.
static void close_there(const Fault *f, const struct seccomp_notif *asked) {
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  struct seccomp_notif_addfd other = {.id = asked->id,
                                      .flags = SECCOMP_ADDFD_FLAG_SETFD,
                                      .srcfd = (uint32_t)nothing,
                                      .newfd = (uint32_t)asked->data.args[0],
                                      .newfd_flags = O_CLOEXEC};
  ioctl(f->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &other);
  close(nothing);
}

// A process that runs the same program.
static int is_child(const Fault *f, int id) {
  char text[PATH_ROOM];
  snprintf(text, sizeof text, "/proc/%d/task/%d", (int)f->first, id);
  return access(text, F_OK) != 0 && strcmp(link_text(text, "/proc/%d/exe", id, 0), f->program) == 0;
}

static void answer(Fault *f, const struct seccomp_notif *asked, struct seccomp_notif_resp *reply) {
  char text[PATH_ROOM];
  const Call *call = call_of(asked->data.nr);
  reply->id = asked->id;
  reply->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  if (!f->is_started) {
    f->is_started = 1;
    return;
  }
  if ((pid_t)asked->pid != f->first && !is_child(f, (int)asked->pid))
    return;
  f->count++;
  int is_it = !f->is_done && f->at > 0 && f->count >= f->at && (!f->call || strcmp(f->call, call->name) == 0);
  f->is_done |= is_it;
  if (is_it || strcmp(f->kind, "none") == 0)
    fprintf(f->list, "%ld %s %s\n", f->count, call->name, file_of(asked, call->operand, text));
  if (is_it)
    f->failing = asked->data.nr;
  int64_t half;
  if (is_it && strcmp(f->kind, "signal") == 0)
    kill(f->first, f->number);
  else if (is_it && strcmp(f->kind, "meanwhile") == 0 && system(getenv("MEANWHILE")) != 0)
    fprintf(stderr, "fault: the other command failed\n");
  else if ((is_it && strcmp(f->kind, "errno") == 0) || (strcmp(f->kind, "all") == 0 && f->failing == asked->data.nr && asked->data.args[0] != STDERR_FILENO)) {
    reply->flags = 0;
    reply->error = -f->number;
    if (asked->data.nr == __NR_close)
      close_there(f, asked);
  } else if (is_it && strcmp(f->kind, "short") == 0 && (half = do_half(asked)) > 0) {
    reply->flags = 0;
    reply->val = half;
  }
}

static void watch(Fault *f) {
  static union {
    struct seccomp_notif asked;
    char room[512];
  } in;
  static union {
    struct seccomp_notif_resp reply;
    char room[512];
  } out;
  int status = 0, has_ended = 0;
  for (;;) {
    struct pollfd ready = {f->listener, POLLIN, 0};
    if (!has_ended && waitpid(f->first, &status, WNOHANG) == f->first)
      has_ended = 1;
    int n = poll(&ready, 1, has_ended ? AFTER : 100);
    if (n > 0 && !(ready.revents & POLLIN))
      break;
    if (n == 0 && has_ended) {
      fprintf(f->list, "runs\n");
      break;
    }
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    if (n <= 0 || ioctl(f->listener, SECCOMP_IOCTL_NOTIF_RECV, &in) != 0)
      continue;
    answer(f, &in.asked, &out.reply);
    ioctl(f->listener, SECCOMP_IOCTL_NOTIF_SEND, &out); // it may have been killed meanwhile
  }
  if (!has_ended)
    waitpid(f->first, &status, 0);
  if (WIFSIGNALED(status))
    fprintf(f->list, "killed %d\n", WTERMSIG(status));
  else
    fprintf(f->list, "ended %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  int line[2];
  Fault f = {.kind = "none", .failing = -1};
  if (argc < 5)
    return 99;
  char *equals = strchr(argv[2], '=');
  if (equals) {
    *equals = '\0';
    f.number = atoi(equals + 1);
  }
  f.kind = argv[2];
  f.call = getenv("CALL");
  f.at = atol(argv[3]);
  f.list = fopen(argv[1], "we");
  if (!f.list || !realpath(argv[4], f.program) || socketpair(AF_UNIX, SOCK_STREAM, 0, line) != 0)
    stop("start");
  f.first = fork();
  if (f.first == 0) {
    close(line[0]);
    become(line[1], argv + 4);
  }
  close(line[1]);
  f.listener = receive_listener(line[0]);
  signal(SIGPIPE, SIG_IGN);
  watch(&f);
  return fclose(f.list) == 0 ? 0 : 99;
}
