// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program that calls the code to verify on another machine. guest_build.c compiles it after the C header of that
// code and functions that call it through that header:
//
//   static int64_t guest_call_0(const uint64_t *guest_argument) { return heads((int64_t)guest_argument[0], ...); }
//   static int64_t (*const guest_call[])(const uint64_t *) = {guest_call_0};
//
// Names of graphs must not begin with guest_.
#include "driver/verify/guest/board.h"
#include "driver/verify/guest/requests.h"
#include "driver/verify/guest/start.h"

enum { FAILED = 99 };

#ifndef GUEST_BOARD

enum { PROTECT_NONE = 0, PROTECT_READ_WRITE = 3, MEMORY = 1 << 30 };

static _Alignas(1 << 16) unsigned char guest_memory[MEMORY];
static const uint64_t guest_room = MEMORY;

static void guest_stop(int status) { guest_system(SYSTEM_EXIT, status, 0, 0); }

static long guest_read_part(void *to, uint64_t count) {
  return guest_system(SYSTEM_READ, 0, (long)(uintptr_t)to, (long)count);
}
static long guest_write_part(void *from, uint64_t count) {
  return guest_system(SYSTEM_WRITE, 1, (long)(uintptr_t)from, (long)count);
}

static int guest_protect(void *at, uint64_t count, long how) {
  return guest_system(SYSTEM_MPROTECT, (long)(uintptr_t)at, (long)count, how) == 0;
}

static int guest_allow(void *at, uint64_t count) {
  return guest_protect(at, count, PROTECT_READ_WRITE);
}
static int guest_forbid(void *at, uint64_t count) { return guest_protect(at, count, PROTECT_NONE); }
static int guest_forbid_all(void) { return guest_forbid(guest_memory, MEMORY); }

#endif

// Passes all of `count` bytes; the system may pass them in parts.
static void guest_pass(long part(void *, uint64_t), void *bytes, uint64_t count) {
  unsigned char *at = bytes;
  while (count > 0) {
    long passed = part(at, count);
    if (passed <= 0 || (uint64_t)passed > count)
      guest_stop(passed == 0 ? 0 : FAILED);
    at += passed;
    count -= (uint64_t)passed;
  }
}

static void guest_receive(void *to, uint64_t count) { guest_pass(guest_read_part, to, count); }
static void guest_give(void *from, uint64_t count) { guest_pass(guest_write_part, from, count); }

static void guest_carry_out(const Request *request) {
  static uint64_t argument[GUEST_MOST_WORDS];
  void *at = (void *)(uintptr_t)request->at;
  int64_t status;
  switch (request->kind) {
  case REQUEST_ALLOW:
    if (!guest_allow(at, request->count))
      guest_stop(FAILED);
    break;
  case REQUEST_FORBID:
    if (!guest_forbid(at, request->count))
      guest_stop(FAILED);
    break;
  case REQUEST_WRITE:
    guest_receive(at, request->count);
    break;
  case REQUEST_CALL:
    guest_receive(argument, request->count * sizeof *argument);
    status = guest_call[request->at](argument);
    guest_give(&status, sizeof status);
    break;
  case REQUEST_READ:
    guest_give(at, request->count);
    break;
  default:
    guest_stop(FAILED);
  }
}

// What C compilers call even where there is no library, unless the code brings its own.
#define GUEST_WEAK __attribute__((weak))

GUEST_WEAK void *memmove(void *to, const void *from, size_t count) {
  unsigned char *into = to;
  const unsigned char *out_of = from;
  if (into < out_of)
    for (size_t i = 0; i < count; i++)
      into[i] = out_of[i];
  else
    for (size_t i = count; i-- > 0;)
      into[i] = out_of[i];
  return to;
}

GUEST_WEAK void *memcpy(void *to, const void *from, size_t count) {
  return memmove(to, from, count);
}

GUEST_WEAK void *memset(void *to, int byte, size_t count) {
  unsigned char *into = to;
  for (size_t i = 0; i < count; i++)
    into[i] = (unsigned char)byte;
  return to;
}

int main(void) {
  uint64_t hello[] = {GUEST_HELLO, (uintptr_t)guest_memory, guest_room};
  if (!guest_forbid_all())
    guest_stop(FAILED);
  guest_give(hello, sizeof hello);
  for (;;) {
    Request request;
    guest_receive(&request, sizeof request);
    guest_carry_out(&request);
  }
}
