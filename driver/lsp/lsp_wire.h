// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages on a pair of streams, framed by the base protocol of LSP 3.17:
//
//   Content-Length: 27\r\n
//   \r\n
//   {"jsonrpc": "2.0", ... }
#ifndef DRIVER_LSP_WIRE_H
#define DRIVER_LSP_WIRE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Wire {
  int in;
  FILE *out;
  char *bytes; // read but not yet consumed
  size_t count, capacity;
  size_t scanned; // no header ends before this offset
  bool has_length;
  uint64_t length; // of the next body, if has_length; else of the last one
  uint64_t skip;   // bytes of a refused body still to come
} Wire;

typedef enum WireResult {
  WIRE_MESSAGE,   // *out is a JSON value
  WIRE_NOTHING,   // `waits` is false, and no complete message has arrived
  WIRE_NO_JSON,   // an invalid body; `why` says why
  WIRE_TOO_LARGE, // the body is skipped
  WIRE_NO_HEADER, // the rest of the stream cannot be parsed
  WIRE_FAILED,    // reading failed: errno says why
  WIRE_END        // the other side has closed the stream
} WireResult;

enum { WIRE_MAX_BODY = 128 * 1024 * 1024, WIRE_MAX_HEADER = 8192 };

WireResult wire_read(Wire *wire, bool waits, json_t **out, char why[JSON_ERROR_TEXT_LENGTH]);
// Consumes the message. False: the client has closed the stream.
bool wire_write(Wire *wire, json_t *message);
void wire_free(Wire *wire);

#endif
