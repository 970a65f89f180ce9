// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requests of verify to a program for another machine (guest.c), on its standard input and output. Numbers are in
// the byte order of that machine.
//
//   verify   guest
//            hello: address and size of its memory for tensors
//   ALLOW    makes these bytes of it accessible; at first none are
//   FORBID   makes all of these bytes inaccessible again: the same that were allowed, in the same order
//   WRITE    followed by the bytes
//   CALL     followed by the arguments: a word for each size or address, TENSOR_WORDS for each DLTensor
//            the status
//   READ     the bytes
#ifndef DRIVER_GUEST_REQUESTS_H
#define DRIVER_GUEST_REQUESTS_H

#include <stdint.h>

enum { REQUEST_ALLOW, REQUEST_FORBID, REQUEST_WRITE, REQUEST_CALL, REQUEST_READ };
enum { GUEST_HELLO = 0x52534847, GUEST_MOST_WORDS = 512 };
// Exit status on a forbidden access, if the machine has no signals.
enum { GUEST_FAULT = 98 };

typedef struct Request {
  uint64_t kind;
  uint64_t at;    // an address, or the number of the function
  uint64_t count; // of bytes, or of the words of a call
} Request;

enum {
  TENSOR_DATA,
  TENSOR_SHAPE,
  TENSOR_STRIDES, // 0: row-major
  TENSOR_OFFSET,
  TENSOR_RANK,
  TENSOR_CODE,
  TENSOR_BITS,
  TENSOR_LANES,
  TENSOR_WORDS
};

#endif
