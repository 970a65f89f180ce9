// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program for another machine that calls the code which verify proves. verify_guest.c compiles it, behind the C
// header of that code and functions that call it through that header:
//
//   static int64_t call_0(const uint64_t *a) { return heads((int64_t)a[0], (void *)(uintptr_t)a[1], ...); }
//   static int64_t (*const guest_call[])(const uint64_t *) = {call_0};
#include "driver/guest/requests.h"
#include "driver/guest/start.h"

enum { PROTECT_NONE = 0, PROTECT_READ_WRITE = 3, FAILED = 99 };

static _Alignas(1 << 16) unsigned char memory[GUEST_MEMORY];

static void stop(int status) { call_system(SYSTEM_EXIT, status, 0, 0); }

// All of `count` bytes; systems give and take parts.
static void pass(long system, long file, void *bytes, uint64_t count) {
  unsigned char *at = bytes;
  while (count > 0) {
    long passed = call_system(system, file, (long)(uintptr_t)at, (long)count);
    if (passed <= 0 || (uint64_t)passed > count)
      stop(passed == 0 ? 0 : FAILED);
    at += passed;
    count -= (uint64_t)passed;
  }
}

static void receive(void *to, uint64_t count) { pass(SYSTEM_READ, 0, to, count); }
static void give(void *from, uint64_t count) { pass(SYSTEM_WRITE, 1, from, count); }

static void protect(void *at, uint64_t count, long how) {
  if (call_system(SYSTEM_MPROTECT, (long)(uintptr_t)at, (long)count, how) != 0)
    stop(FAILED);
}

static void carry_out(const Request *request) {
  static uint64_t argument[GUEST_MOST_ARGUMENTS];
  void *at = (void *)(uintptr_t)request->at;
  int64_t status;
  switch (request->kind) {
  case REQUEST_ALLOW:
    protect(at, request->count, PROTECT_READ_WRITE);
    break;
  case REQUEST_WRITE:
    receive(at, request->count);
    break;
  case REQUEST_CALL:
    receive(argument, request->count * sizeof *argument);
    status = guest_call[request->at](argument);
    give(&status, sizeof status);
    break;
  case REQUEST_READ:
    give(at, request->count);
    break;
  default:
    stop(FAILED);
  }
}

int main(void) {
  uint64_t hello[2] = {GUEST_HELLO, (uintptr_t)memory};
  protect(memory, GUEST_MEMORY, PROTECT_NONE);
  give(hello, sizeof hello);
  for (;;) {
    Request request;
    receive(&request, sizeof request);
    carry_out(&request);
  }
}
