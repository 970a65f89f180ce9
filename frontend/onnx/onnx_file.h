// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONNX files as messages, decoded by protobuf-c from libonnx-dev's schema. A file is scanned before it is
// decoded, since protobuf-c limits neither depth nor memory.
//
// Weights are not copied. The scan makes a skeleton of the file, in which long `raw_data` is a reference to
// its position in the file; onnx_raw_data follows it.
#ifndef FRONTEND_ONNX_FILE_H
#define FRONTEND_ONNX_FILE_H

#include "frontend/text/diag.h"
#include "frontend/onnx/onnx.pb-c.h"

typedef struct OnnxBytes {
  const uint8_t *data;
  size_t size;
} OnnxBytes;

// A file of weights in memory.
typedef struct OnnxWeights {
  const char *path; // "model/weights.bin"
  OnnxBytes bytes;  // all of it
  struct OnnxWeights *next;
} OnnxWeights;

// A function of a model, with what the oldest schema lacks.
typedef struct OnnxFunction {
  const Onnx__FunctionProto *proto;
  Onnx__AttributeProto **attribute; // values of attributes that a call may leave out
  size_t n_attribute;
  const char *overload; // tells functions of one name apart; "" if there is none
} OnnxFunction;

// The sizes that an input of OpenVINO IR may have on an axis: "1..8".
typedef struct OnnxBound {
  const char *input;
  int axis;
  int64_t least, most;
} OnnxBound;

typedef struct OnnxFile {
  const char *path;
  const uint8_t *bytes; // of the file; they stay valid until the program exits
  size_t size;
  const Onnx__ModelProto *model;
  const OnnxFunction *function; // of each of the model's functions
  OnnxBytes xml;                // of OpenVINO IR
  OnnxWeights **weights;        // in the order of first use
  const OnnxBound *bound;       // of sizes that are not known
  int bound_count;
  bool is_openvino; // made from OpenVINO IR; the doc_string of a part says which layer it came from
  bool reads_external; // may read weights from other files, below the model's folder
  bool
      has_open_defaults; // an initializer that is also an input is unknown: a caller may pass another value
} OnnxFile;

enum {
  ONNX_MAX_DEPTH = 100,                   // of nested messages; a subgraph takes three
  ONNX_MAX_SKELETON = 128 * 1024 * 1024,  // bytes without weights
  ONNX_MAX_MESSAGES = 256 * 1024 * 1024,  // bytes of the decoded messages
  ONNX_MAX_EXTERNAL = 1024 * 1024 * 1024, // bytes of one tensor in an external file
};

// The domain of OpenVINO IR layers that are not, and cannot be expressed as, ONNX operators (openvino.h).
#define ONNX_OPENVINO_DOMAIN "openvino"

enum { ONNX_OTHER_TYPE = -1 }; // an element type of OpenVINO that ONNX lacks

// Maps a file until the program exits: pages that are never accessed are never read. False: *why.
bool onnx_file_map(const char *path, OnnxBytes *out, const char **why);

// NULL: an error was reported, as a message about the file.
const OnnxFile *onnx_file_read(Arena *arena, const char *path, bool reads_external, Diag *diag);
const OnnxFile *onnx_file_parse(Arena *arena, const char *path, const uint8_t *bytes, size_t size,
                                Diag *diag);

// Gives a message, and those in it, "" for each text that it leaves out, which is NULL otherwise.
void onnx_give_texts(ProtobufCMessage *message);

// A text that libonnx-dev's schema may lack. "": the message has none.
const char *onnx_text_field(Arena *arena, const ProtobufCMessage *message, unsigned number);

// The raw_data of a tensor as stored in the file.
OnnxBytes onnx_bytes_in_file(const OnnxFile *file, const Onnx__TensorProto *tensor);
// The same, from any location. False: *why says what is wrong.
bool onnx_raw_data(Arena *arena, const OnnxFile *file, const Onnx__TensorProto *tensor,
                   OnnxBytes *out, const char **why);

// The files that hold a model's weights, relative to its folder, each once (onnx_locations.c).
typedef VEC(const char *) OnnxLocations;
void onnx_locations(Arena *arena, const OnnxFile *file, OnnxLocations *out);

// The skeleton of a file's bytes. NULL, with *why: they are not a message of the schema, or exceed a limit.
OnnxBytes onnx_skeleton(Arena *arena, const uint8_t *bytes, size_t size, const char **why);

// The name of a size (onnx_parts.c). NULL: it has none, or a placeholder for any size: "?", "-1", "None".
const char *onnx_size_name(const Onnx__TensorShapeProto__Dimension *dim);
// Whether a size is declared as a number. A negative one is open, as some writers have it.
bool onnx_size_is_number(const Onnx__TensorShapeProto__Dimension *dim);

#endif
