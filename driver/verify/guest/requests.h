// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What verify asks of a program for another machine (guest.c), through its standard input and output. Numbers are in
// the byte order of that machine.
//
//   verify   guest
//            hello: where its memory for tensors lies, and how many bytes it has
//   ALLOW    from here on these bytes of it may be touched; before, none may
//   WRITE    and the bytes
//   CALL     and the arguments
//            the status
//   READ     the bytes
#ifndef DRIVER_GUEST_REQUESTS_H
#define DRIVER_GUEST_REQUESTS_H

#include <stdint.h>

enum { REQUEST_ALLOW, REQUEST_WRITE, REQUEST_CALL, REQUEST_READ };
enum { GUEST_HELLO = 0x52534847, GUEST_MOST_ARGUMENTS = 256 };
// How it ends where it has no signals: code touched what it may not.
enum { GUEST_FAULT = 98 };

typedef struct Request {
  uint64_t kind;
  uint64_t at;    // an address, or which function is called
  uint64_t count; // of bytes, or arguments of 8 bytes: sizes and addresses
} Request;

#endif
