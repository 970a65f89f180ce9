// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicates with the program of driver/verify/guest, which runs in an emulator.
#include "driver/verify/guest.h"

#include "driver/verify/guest/requests.h"
#include "frontend/text/rescue.h"
#include "runtime/dlpack.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 }; // a multiple of the page size of all these machines
static const uint64_t MOST_GUARD = UINT64_C(64) << 20;

// ---- bytes ----

static void swap_bytes(uint8_t *bytes, int64_t count, int unit) {
  for (int64_t at = 0; at + unit <= count; at += unit)
    for (int i = 0; i < unit / 2; i++) {
      uint8_t byte = bytes[at + i];
      bytes[at + i] = bytes[at + unit - 1 - i];
      bytes[at + unit - 1 - i] = byte;
    }
}

static bool pass_all(ssize_t pass(int, void *, size_t), int file, void *bytes, size_t count) {
  uint8_t *at = bytes;
  while (count > 0) {
    ssize_t passed = pass(file, at, count);
    if (passed < 0 && errno == EINTR)
      continue;
    if (passed <= 0)
      return false;
    at += passed;
    count -= (size_t)passed;
  }
  return true;
}

static ssize_t give(int file, void *bytes, size_t count) { return write(file, bytes, count); }

static bool receive(const Line *line, void *bytes, size_t count) {
  return pass_all(read, line->from, bytes, count);
}

static bool receive_words(const Line *line, uint64_t *words, int count) {
  size_t size = (size_t)count * sizeof *words;
  bool good = receive(line, words, size);
  if (line->swaps)
    swap_bytes((uint8_t *)words, (int64_t)size, sizeof *words);
  return good;
}

// Output is buffered until flush, so that the two programs switch once per call and not once per request.
static uint8_t *enqueue(Line *line, const void *bytes, size_t count) {
  if (line->length + count > line->capacity) {
    line->capacity = 2 * (line->length + count);
    line->text = memory_of(realloc(line->text, line->capacity));
  }
  uint8_t *at = line->text + line->length;
  memcpy(at, bytes, count);
  line->length += count;
  return at;
}

static void enqueue_words(Line *line, const uint64_t *words, int count) {
  size_t size = (size_t)count * sizeof *words;
  uint8_t *at = enqueue(line, words, size);
  if (line->swaps)
    swap_bytes(at, (int64_t)size, sizeof *words);
}

static void request(Line *line, uint64_t kind, uint64_t at, uint64_t count) {
  enqueue_words(line, (const uint64_t[]){kind, at, count}, 3);
}

static bool flush(Line *line) {
  size_t length = line->length;
  line->length = 0;
  return pass_all(give, line->to, line->text, length);
}

// ---- the program ----

static void become_emulator(const Guest *guest, int from, int to, unsigned seconds) {
  int quiet = open("/dev/null", O_WRONLY);
  dup2(from, STDIN_FILENO);
  dup2(to, STDOUT_FILENO);
  if (quiet >= 0)
    dup2(quiet, STDERR_FILENO);
  for (int file = STDERR_FILENO + 1; file < 64; file++)
    close(file);
  signal(SIGPIPE, SIG_DFL);
  alarm(seconds);
  const char *argument[MOST_EMULATOR_ARGUMENTS + 3];
  int count = 0;
  argument[count++] = guest->emulator;
  for (int i = 0; guest->argument[i]; i++)
    argument[count++] = guest->argument[i];
  argument[count++] = guest->program;
  argument[count] = NULL;
  execv(guest->emulator, (char *const *)argument);
  _exit(127);
}

bool line_open(Line *line, const Guest *guest, unsigned seconds) {
  int there[2], back[2];
  uint64_t hello[3];
  time_t now = time(NULL);
  if (line->opened && now - line->opened < seconds)
    return true;
  line_close(line);
  *line = (Line){.swaps = guest->swaps, .to = -1, .from = -1, .opened = now};
  signal(SIGPIPE, SIG_IGN);
  if (pipe(there) != 0 || pipe(back) != 0)
    return false;
  line->id = fork();
  if (line->id == 0)
    become_emulator(guest, there[0], back[1], 2 * seconds);
  close(there[0]);
  close(back[1]);
  line->to = there[1];
  line->from = back[0];
  if (line->id < 0 || !receive_words(line, hello, 3) || hello[0] != GUEST_HELLO)
    return false;
  line->memory = hello[1];
  line->buffer_there = hello[2];
  return true;
}

// ---- memory ----

static uint64_t blocks_of(const Mirror *m) { return (m->bytes + BLOCK - 1) / BLOCK * BLOCK; }

bool line_allow(Line *line) {
  uint64_t bytes = 0, at = line->memory;
  for (int i = 0; i < line->mirror.count; i++)
    bytes += blocks_of(&line->mirror.item[i]);
  if (bytes > line->buffer_there)
    return false;
  uint64_t guard =
      (line->buffer_there - bytes) / (uint64_t)(line->mirror.count + 1) / BLOCK * BLOCK;
  if (guard == 0)
    return false;
  guard = guard < MOST_GUARD ? guard : MOST_GUARD;
  for (int i = 0; i < line->mirror.count; i++) {
    Mirror *m = &line->mirror.item[i];
    m->there = at + guard;
    at = m->there + blocks_of(m);
    request(line, REQUEST_ALLOW, m->there, m->bytes);
  }
  return flush(line);
}

void line_forbid(Line *line) {
  for (int i = 0; i < line->mirror.count; i++)
    request(line, REQUEST_FORBID, line->mirror.item[i].there, line->mirror.item[i].bytes);
  memset(&line->mirror, 0, sizeof line->mirror);
}

// The end of a mirror belongs to it, for tensors without bytes; but if the next mirror starts there, it belongs to that
// one.
static uint64_t address_there(const Line *line, const void *here) {
  const uint8_t *at = here;
  Mirror *found = NULL;
  for (int i = 0; here && i < line->mirror.count; i++) {
    Mirror *m = &line->mirror.item[i];
    if (at < m->low || at > m->low + m->bytes)
      continue;
    found = m;
    if (at < m->low + m->bytes)
      break;
  }
  if (!found)
    return 0;
  found->is_used = true;
  return found->there + (uint64_t)(at - found->low);
}

// Converts between the byte orders of the two programs.
static void swap_numbers(const Line *line, const Mirror *m, uint8_t *copy) {
  const uint8_t *from = m->data ? *m->data : m->low;
  int64_t count = m->count ? *m->count : (int64_t)m->bytes;
  if (line->swaps && from && from >= m->low && from + count <= m->low + m->bytes)
    swap_bytes(copy + (from - m->low), count, m->unit);
}

void line_reread(const Line *line, uint8_t *bytes, int64_t all, int unit, int64_t count,
                 int wanted) {
  if (!line->swaps || unit == wanted)
    return;
  swap_bytes(bytes, all, unit);
  swap_bytes(bytes, count, wanted);
}

static void put(Line *line, const Mirror *m) {
  if (!m->is_used)
    return;
  request(line, REQUEST_WRITE, m->there, m->bytes);
  swap_numbers(line, m, enqueue(line, m->low, m->bytes));
}

static void ask(Line *line, const Mirror *m) {
  if (m->is_used)
    request(line, REQUEST_READ, m->there, m->bytes);
}

static bool fetch(const Line *line, const Mirror *m) {
  if (!m->is_used)
    return true;
  bool good = receive(line, m->low, m->bytes);
  swap_numbers(line, m, m->low);
  return good;
}

static void tensor_there(const Line *line, const DLTensor *tensor, uint64_t *word) {
  word[TENSOR_DATA] = address_there(line, tensor->data);
  word[TENSOR_SHAPE] = address_there(line, tensor->shape);
  word[TENSOR_STRIDES] = address_there(line, tensor->strides);
  word[TENSOR_OFFSET] = tensor->byte_offset;
  word[TENSOR_RANK] = (uint64_t)tensor->ndim;
  word[TENSOR_CODE] = tensor->dtype.code;
  word[TENSOR_BITS] = tensor->dtype.bits;
  word[TENSOR_LANES] = tensor->dtype.lanes;
}

// Translates the arguments for the program, and marks the mirrors that they point to. Returns the number of words.
static int arguments_there(const Line *line, const Graph *graph, const Signature *signature,
                           const JitArgument *argument, uint64_t *word) {
  int count = 0;
  for (int i = 0; i < line->mirror.count; i++)
    line->mirror.item[i].is_used = false;
  for (int i = 0; i < signature->parameter.count; i++) {
    ParameterKind kind = signature->parameter.item[i].kind;
    if (parameter_is_tensor(graph, kind)) {
      tensor_there(line, argument[i].input, word + count);
      count += TENSOR_WORDS;
    } else {
      word[count++] = parameter_is_pointer(kind) ? address_there(line, argument[i].input)
                                                 : (uint64_t)argument[i].size;
    }
  }
  return count;
}

static void wait_for_end(const Line *line, int *ended) {
  while (waitpid(line->id, ended, 0) < 0 && errno == EINTR)
    continue;
}

bool line_call(Line *line, int function, const Graph *graph, const Signature *signature,
               const JitArgument *argument, int64_t *status, int *ended) {
  uint64_t word[GUEST_MOST_WORDS], result = 0;
  int count = arguments_there(line, graph, signature, argument, word);
  for (int i = 0; i < line->mirror.count; i++)
    put(line, &line->mirror.item[i]);
  request(line, REQUEST_CALL, (uint64_t)function, (uint64_t)count);
  enqueue_words(line, word, count);
  for (int i = 0; i < line->mirror.count; i++)
    ask(line, &line->mirror.item[i]);
  bool good = flush(line) && receive_words(line, &result, 1);
  for (int i = 0; good && i < line->mirror.count; i++)
    good = fetch(line, &line->mirror.item[i]);
  *status = (int64_t)result;
  if (!good)
    wait_for_end(line, ended);
  return good;
}

// A guest that reads end of file ends.
void line_close(Line *line) {
  if (!line->opened)
    return;
  line->opened = 0;
  close(line->to);
  close(line->from);
  free(line->text);
  if (line->id > 0)
    wait_for_end(line, NULL);
}
