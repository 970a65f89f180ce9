// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONNX files as messages: protobuf-c decodes them, from the schema that libonnx-dev has. A file is
// scanned before it is decoded, since protobuf-c knows no limits: neither of depth nor of memory.
//
// Weights are not copied. The scan makes a skeleton of the file, in which long `raw_data` is a reference
// to where it stands in the file; onnx_raw_data follows it.
#ifndef FRONTEND_ONNX_FILE_H
#define FRONTEND_ONNX_FILE_H

#include "frontend/text/diag.h"
#include "frontend/onnx/onnx.pb-c.h"

typedef struct OnnxBytes {
  const uint8_t *data;
  size_t size;
} OnnxBytes;

// A file of weights that was read.
typedef struct OnnxWeights {
  const char *path; // "model/weights.bin"
  OnnxBytes bytes;  // all of it
  struct OnnxWeights *next;
} OnnxWeights;

typedef struct OnnxFile {
  const char *path;
  const uint8_t *bytes; // of the file, for as long as the program runs
  size_t size;
  const Onnx__ModelProto *model;
  OnnxBytes xml;         // of OpenVINO IR
  OnnxWeights **weights; // in the order in which they were first asked for
  bool is_openvino;      // made of OpenVINO IR; the doc_string of a part says which layer it was
  bool reads_external;   // weights in files of their own may be read, below the model's folder
  bool
      has_open_defaults; // an initializer that is an input too is not known: a caller may give another
} OnnxFile;

enum {
  ONNX_MAX_DEPTH = 100,                   // of messages within messages; a subgraph takes three
  ONNX_MAX_SKELETON = 128 * 1024 * 1024,  // bytes without weights
  ONNX_MAX_MESSAGES = 256 * 1024 * 1024,  // bytes that the decoded messages take
  ONNX_MAX_EXTERNAL = 1024 * 1024 * 1024, // bytes of one tensor in a file of its own
};

// The domain of layers of OpenVINO IR that are no operators of ONNX, nor said by some (openvino.h).
#define ONNX_OPENVINO_DOMAIN "openvino"

// A file as memory, for as long as the program runs: parts that nobody asks for are never read. False: *why.
bool onnx_file_map(const char *path, OnnxBytes *out, const char **why);

// NULL: reported, as a message about the file.
const OnnxFile *onnx_file_read(Arena *arena, const char *path, bool reads_external, Diag *diag);
const OnnxFile *onnx_file_parse(Arena *arena, const char *path, const uint8_t *bytes, size_t size,
                                Diag *diag);

// The raw_data of a tensor as the file has it.
OnnxBytes onnx_bytes_in_file(const OnnxFile *file, const Onnx__TensorProto *tensor);
// The same, wherever it is. False: *why says what is wrong.
bool onnx_raw_data(Arena *arena, const OnnxFile *file, const Onnx__TensorProto *tensor,
                   OnnxBytes *out, const char **why);

// The files that weights of a model are in, relative to its folder, each once (onnx_locations.c).
typedef VEC(const char *) OnnxLocations;
void onnx_locations(Arena *arena, const Onnx__ModelProto *model, OnnxLocations *out);

// The skeleton of a file's bytes; NULL with *why where they are no message of the schema, or too much.
OnnxBytes onnx_skeleton(Arena *arena, const uint8_t *bytes, size_t size, const char **why);

#endif
