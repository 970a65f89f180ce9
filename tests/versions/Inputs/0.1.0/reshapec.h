/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libreshapec: the compiler as a library, for C11 and C++.
 *
 *   reshapec *r;
 *   if (reshapec_open(NULL, NULL, &r) == RESHAPEC_OK &&
 *       reshapec_read_text(r, "swap", text, strlen(text)) == RESHAPEC_OK &&
 *       reshapec_emit(r, RESHAPEC_EMIT_OBJECT, "swap.h", &object, &header) == RESHAPEC_OK) ...
 *   reshapec_close(r);
 *
 * A handle is one compilation: open it, read one source file or model, then request code and descriptions. No function
 * prints or changes the state of the process. None ends the process, but LLVM aborts if an allocation of its own fails.
 * One thread at a time may use a handle; different threads may use different handles at once. Several threads may call
 * one kernel (reshapec_kernel) at once.
 *
 * Strings, bytes and kernels that functions return belong to the handle and live until it is closed. Unless noted
 * otherwise, sizes are in elements, and counts and offsets in bytes. Tensors are row-major without gaps.
 */
#ifndef RESHAPEC_H
#define RESHAPEC_H

#include <stddef.h>
#include <stdint.h>

#define RESHAPEC_VERSION "0.1.0"

#if defined(__GNUC__)
#define RESHAPEC_API __attribute__((visibility("default")))
#else
#define RESHAPEC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The first four are the exit statuses of the command line. */
typedef enum reshapec_status {
  RESHAPEC_OK = 0,
  RESHAPEC_INPUT = 1,    /* the input is wrong; the messages say where and why */
  RESHAPEC_USAGE = 2,    /* the call is wrong: a pointer is NULL, an index is out of range, ... */
  RESHAPEC_INTERNAL = 3, /* a bug in the compiler or in LLVM; the handle can only be closed */
  RESHAPEC_MEMORY = 4    /* out of memory; the handle can only be closed */
} reshapec_status;

enum { RESHAPEC_MAX_RANK = 16, RESHAPEC_OPEN = -1 };

typedef struct reshapec reshapec;

/* Allocates the memory of a handle; LLVM uses malloc and new. `allocate` returns blocks aligned like those of malloc,
 * or NULL if no memory is left. */
typedef struct reshapec_allocator {
  void *(*allocate)(void *user, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} reshapec_allocator;

/* All zero: the defaults of the command line. */
typedef struct reshapec_options {
  const char *target;   /* a triple; NULL: this machine */
  const char *cpu;      /* as -mcpu; NULL: the baseline, or "native" for kernels in this process */
  const char *features; /* as -mattr; NULL: none */
  const char *abi;      /* as -mabi; NULL: the target's own */
  char level;           /* as -O: '0' ... '3', 's', 'z'; 0: '2' */
  int freestanding, libm, library,
      warnings_are_errors; /* not 0: the option of that name; library: --libc=mem */
  int parallel;            /* not 0: as --parallel */
  const char *prefix;      /* as --prefix; NULL: none */
} reshapec_options;

/* `options` and `allocator` are copied and may be NULL; strings that options point to must outlive the handle. *out is
 * NULL unless the status is RESHAPEC_OK. */
RESHAPEC_API reshapec_status reshapec_open(const reshapec_options *options,
                                           const reshapec_allocator *allocator, reshapec **out);
RESHAPEC_API void reshapec_close(reshapec *r); /* NULL is allowed */
RESHAPEC_API const char *reshapec_version(void);

/* Reads source text, an ONNX model, or OpenVINO IR (version 11), and plans its graphs. Messages call it `name`;
 * imports are looked up in the folder of `name`. `bin`: the weights of the IR, all bytes of its .bin file; NULL if
 * bin_size is 0. */
RESHAPEC_API reshapec_status reshapec_read_text(reshapec *r, const char *name, const char *text,
                                                size_t length);
RESHAPEC_API reshapec_status reshapec_read_onnx(reshapec *r, const char *name, const void *bytes,
                                                size_t size);
RESHAPEC_API reshapec_status reshapec_read_openvino(reshapec *r, const char *name, const void *xml,
                                                    size_t xml_size, const void *bin,
                                                    size_t bin_size);

/* ---- Messages ----
 *
 * The messages of reading stay. Those of a call that explains, emits, loads, saves, restores or binds stay until the
 * next such call, which starts without them: after a refused call, the handle can be used as before. */

typedef enum reshapec_severity {
  RESHAPEC_ERROR,
  RESHAPEC_WARNING,
  RESHAPEC_NOTE
} reshapec_severity;

/* A note belongs to the error or warning before it. */
typedef struct reshapec_message {
  reshapec_severity severity;
  const char *kind; /* a name of `reshapec explain-error`; "note" for notes */
  const char *text;
  const char *file;
  uint32_t line, column, end_line, end_column; /* from 1, end exclusive; all 0: the whole file */
} reshapec_message;

RESHAPEC_API int reshapec_message_count(const reshapec *r);
RESHAPEC_API reshapec_status reshapec_get_message(reshapec *r, int index, reshapec_message *out);
/* All messages as the command line prints them, with the source line and a caret; "" if there are none. */
RESHAPEC_API const char *reshapec_messages_text(reshapec *r);

/* ---- Graphs ---- */

typedef enum reshapec_tier {
  RESHAPEC_ALIAS,
  RESHAPEC_STATIC,
  RESHAPEC_SYMBOLIC,
  RESHAPEC_DYNAMIC
} reshapec_tier;

typedef struct reshapec_tensor {
  const char *name;
  const char *type;               /* of an element: "f32" */
  const char *text;               /* "f32[B, 4*S]" */
  int bits;                       /* of an element; 0: a pointer to a string */
  int is_plain;                   /* row-major without gaps, and in memory of its own */
  int dlpack_code;                /* DLDataType.code of DLPack; -1: DLPack has no such type */
  int align;                      /* of a pointer to the elements, in bytes */
  int rank;                       /* RESHAPEC_OPEN: known only at run time */
  int64_t dim[RESHAPEC_MAX_RANK]; /* RESHAPEC_OPEN: known only at run time */
  /* Of outputs: */
  reshapec_tier tier;
  int alias_of;    /* the input whose memory it shares; -1: none */
  int in_place_of; /* the input in whose memory it may be computed, which overwrites it; -1: none */
  int64_t bytes_moved; /* -1: depends on open sizes */
  const char *why;     /* why it has this tier; one line */
} reshapec_tensor;

typedef enum reshapec_parameter_kind {
  RESHAPEC_SIZE,        /* int64_t */
  RESHAPEC_POINTER_IN,  /* const T *: input number `index` */
  RESHAPEC_POINTER_OUT, /* T *: output number `index` */
  RESHAPEC_SCRATCH,     /* void *: scratch memory, aligned to 64 bytes */
  /* Of dynamic graphs: */
  RESHAPEC_DIMS, /* int64_t[RESHAPEC_MAX_RANK]: receives the sizes of output `index`; may be NULL */
  RESHAPEC_RANK, /* int32_t *: receives its rank; may be NULL */
  RESHAPEC_PLAN, /* void *: memory of the plan, all zeros before the first call, aligned to 8 bytes */
  RESHAPEC_TENSOR_IN, /* const DLTensor *: input number `index`, if a rank is open */
  RESHAPEC_TENSOR_OUT /* DLTensor *: output number `index`, if a rank is open */
} reshapec_parameter_kind;

typedef struct reshapec_parameter {
  reshapec_parameter_kind kind;
  int index;
  const char *name;
} reshapec_parameter;

typedef struct reshapec_graph {
  const char *name;
  int inputs, outputs, parameters;
  int returns_status;   /* 0: the function returns void */
  int shape_parameters; /* of the function that computes output shapes; 0: the graph is not dynamic */
} reshapec_graph;

RESHAPEC_API int reshapec_graph_count(const reshapec *r);
RESHAPEC_API reshapec_status reshapec_get_graph(reshapec *r, int graph, reshapec_graph *out);
RESHAPEC_API reshapec_status reshapec_get_input(reshapec *r, int graph, int index,
                                                reshapec_tensor *out);
RESHAPEC_API reshapec_status reshapec_get_output(reshapec *r, int graph, int index,
                                                 reshapec_tensor *out);
RESHAPEC_API reshapec_status reshapec_get_parameter(reshapec *r, int graph, int index,
                                                    reshapec_parameter *out);
/* The same for NAME_shape of a dynamic graph, the function that computes the shapes of outputs. */
RESHAPEC_API reshapec_status reshapec_get_shape_parameter(reshapec *r, int graph, int index,
                                                          reshapec_parameter *out);

/* Bytes, followed by a 0 that `size` does not count. */
typedef struct reshapec_bytes {
  const char *data;
  size_t size;
} reshapec_bytes;

/* Descriptions of all graphs, as `reshapec explain` and --dump=plan print them. */
typedef enum reshapec_view {
  RESHAPEC_VIEW_TEXT,
  RESHAPEC_VIEW_JSON,
  RESHAPEC_VIEW_SVG,
  RESHAPEC_VIEW_DOT,
  RESHAPEC_VIEW_PLAN
} reshapec_view;
RESHAPEC_API reshapec_status reshapec_explain(reshapec *r, reshapec_view view, reshapec_bytes *out);

/* ---- Code ---- */

typedef enum reshapec_emit_kind {
  RESHAPEC_EMIT_OBJECT,
  RESHAPEC_EMIT_ASM,
  RESHAPEC_EMIT_LLVM_IR,
  RESHAPEC_EMIT_BITCODE,
  RESHAPEC_EMIT_C
} reshapec_emit_kind;

/* All graphs as one object or text, the same bytes that the command line writes. If `header` is not NULL, it receives
 * the C header, which emitted C includes by the name `header_name`, without quotes and line breaks. */
RESHAPEC_API reshapec_status reshapec_emit(reshapec *r, reshapec_emit_kind kind,
                                           const char *header_name, reshapec_bytes *code,
                                           reshapec_bytes *header);

/* One argument of a kernel; arguments are in the order of its parameters. Pointers are aligned as reshapec_tensor.align
 * says, and overlap only if the C header allows that. */
typedef union reshapec_argument {
  int64_t size;
  const void *input;
  void *output;
} reshapec_argument;

/* Returns an rsh_status: 0, or the status of the condition that the call violates. */
typedef int reshapec_kernel(const reshapec_argument *arguments);

/* The first call compiles all graphs to functions in this process. `target` must be NULL, so that the code can run. */
RESHAPEC_API reshapec_status reshapec_load(reshapec *r, int graph, reshapec_kernel **out);
/* NAME_shape of a dynamic graph: writes to the arguments RESHAPEC_DIMS and RESHAPEC_RANK. Only inputs that are read as
 * lists, such as target shapes, need memory. RESHAPEC_USAGE: the graph is not dynamic. */
RESHAPEC_API reshapec_status reshapec_load_shape(reshapec *r, int graph, reshapec_kernel **out);

/* The tasks of a graph whose handle was opened with `parallel`. *count takes the arguments of the kernel and returns
 * the number of tasks, not a status. *task takes the number of a task, as a size, before these arguments. Tasks may run
 * in any order and on any threads; all tasks of one call return the same status. RESHAPEC_USAGE: `parallel` is 0, or
 * the graph is dynamic and has no tasks. */
RESHAPEC_API reshapec_status reshapec_load_tasks(reshapec *r, int graph, reshapec_kernel **count,
                                                 reshapec_kernel **task);

/* Saved code, for a cache of files. reshapec_save returns the code of all graphs. reshapec_restore loads it instead of
 * compiling, in a handle with the same source and the same options, in the same build of this library, on a
 * processor of the same kind. reshapec_get_key returns a hash of all of these as 64 digits; NULL if the source is
 * larger than 64 MiB, since hashing it takes longer than compiling it.
 *
 *     reshapec_get_key(r, &key);                        -> "9f3c0e...": the name of a file
 *     reshapec_restore(r, bytes, size)                  -> RESHAPEC_OK: the next reshapec_load does not compile
 *     reshapec_save(r, &code)                           -> compiles, and returns what to write to that file
 *
 * RESHAPEC_USAGE from reshapec_restore: the bytes are damaged or belong to another key; nothing has changed, and the
 * next reshapec_load compiles. A handle that already has its code returns RESHAPEC_OK and does not read the bytes. The
 * hash in the bytes detects damage, not attacks: they are machine code, so read them only from a place where no one
 * else can write. All three return RESHAPEC_USAGE if nothing was read, if there is a `target`, or, except for
 * reshapec_get_key, if there is no key. */
RESHAPEC_API reshapec_status reshapec_get_key(reshapec *r, const char **out);
RESHAPEC_API reshapec_status reshapec_save(reshapec *r, reshapec_bytes *out);
RESHAPEC_API reshapec_status reshapec_restore(reshapec *r, const void *bytes, size_t size);

typedef struct reshapec_shape {
  int rank;
  int64_t dim[RESHAPEC_MAX_RANK];
} reshapec_shape;

/* Prepares a call with inputs of these shapes: sets the arguments that are sizes, and returns the shapes of outputs,
 * the offset of each alias and result in place in its input (`offset_bytes` may be NULL), and the size of the scratch
 * memory.
 * RESHAPEC_INPUT: the inputs do not fit the graph; the last message says why. For a dynamic graph, outputs have the
 * rank RESHAPEC_OPEN, the function of reshapec_load_shape computes their shapes, and the size is that of the plan. */
RESHAPEC_API reshapec_status reshapec_bind(reshapec *r, int graph, const reshapec_shape *inputs,
                                           reshapec_argument *arguments, reshapec_shape *outputs,
                                           int64_t *offset_bytes, int64_t *scratch_bytes);

/* The name of a status, such as "bad_dim", and a sentence about it; NULL: there is no such status. */
RESHAPEC_API const char *reshapec_call_status_name(int status);
RESHAPEC_API const char *reshapec_call_status_text(int status);

#ifdef __cplusplus
}
#endif
#endif
