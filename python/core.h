// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec._core: programs and kernels for Python, through the stable ABI of Python 3.11.
//
// A call of a kernel takes NumPy arrays, looks up the binding of their shapes in a cache, allocates the results with
// numpy.empty, and calls the function. The package's Python code handles everything else (other arrays, new shapes of
// `rearrange`), and then calls this module.
//
//   program.c   texts and models        kernel.c   kernels, and the arguments of a call       core.c   the module, rearrange
//   bound.c     shapes                  call.c     results                                    pool.c   threads
#ifndef PYTHON_CORE_H
#define PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "include/reshapec.h"
#include "runtime/dlpack.h"

enum {
  MAX_INPUTS = 64,
  MAX_OUTPUTS = 64,
  MAX_PARAMETERS = 160,
  MAX_THREADS = 64,     // a kernel has no more tasks
  BOUND = 16,           // shapes that a kernel remembers
  QUIET_BYTES = 1 << 15 // calls of at least this many bytes let other Python threads run meanwhile
};

extern PyObject *program_type, *kernel_type, *compile_error, *call_error; // exceptions
extern PyObject *numpy_empty, *numpy_array, *name_dtype, *slow, *slow_call,
    *keep; // numpy.empty, numpy.ndarray, "dtype", and functions of the package

// ---- Programs ----

typedef struct Program {
  PyObject_HEAD reshapec *r;
  char *cpu, *features;    // options of r, which does not copy them
  int threads;             // of its kernels
  PyThread_type_lock lock; // of r, which only one thread may use at a time
  unsigned long owner;     // the thread that holds it,
  int depth;               // and how many times; both are guarded by the GIL
} Program;

extern PyType_Spec program_spec;
// Enclose all uses of a program's handle. Other threads wait without the GIL.
void program_enter(Program *program);
void program_leave(Program *program);
PyObject *raise_messages(reshapec *r, reshapec_status status);
void object_free(PyObject *self);

// ---- Kernels ----

// The binding of inputs of some shapes.
typedef struct Bound {
  int uses; // reference count: the kernel and calls in progress, since other threads may run during a call
  reshapec_shape *in; // the shapes
  reshapec_argument *argument;
  reshapec_shape *out;
  PyObject **made; // arguments of numpy.empty for each output
  int64_t *offset;
  int64_t scratch;
  void *plan; // of a dynamic graph, from its last call with these shapes; NULL before the first
  int plan_is_used; // by a call in progress
} Bound;

// The parameters of a function.
typedef struct Parameters {
  int count;
  int kind[MAX_PARAMETERS], index[MAX_PARAMETERS];
} Parameters;

typedef struct Kernel {
  PyObject_HEAD Program *program;
  reshapec *r;
  reshapec_kernel *function;
  reshapec_kernel *shape;               // of a dynamic graph, else NULL
  reshapec_kernel *task_count, *task;   // NULL: it runs on one thread
  int threads;                          // the default of calls
  int graph, inputs, outputs, is_alias; // is_alias: all outputs are
  Parameters parameters, shape_parameters;
  int alias_of[MAX_OUTPUTS], out_rank[MAX_OUTPUTS];
  int place_of[MAX_OUTPUTS]; // the input that `out` may share memory with; -1: none
  DLDataType in_element[MAX_INPUTS], out_element[MAX_OUTPUTS];
  int in_align[MAX_INPUTS], out_align[MAX_OUTPUTS];      // of pointers, in bytes
  PyObject *in_type[MAX_INPUTS], *out_type[MAX_OUTPUTS]; // NumPy dtypes
  Bound *bound[BOUND];
  int next;
} Kernel;

extern PyType_Spec kernel_spec;
// Loads the function, once a result is needed that is not a view. False: an exception is set.
int kernel_load(Kernel *k);

// Whether a buffer begins at a multiple of `align` bytes, as a kernel requires, or is empty.
int is_aligned(const Py_buffer *b, int align);
int same_shape(const reshapec_shape *a, const Py_buffer *b);
PyObject *empty_arguments(const reshapec_shape *shape, PyObject *type);
// The caller must call bound_leave. NULL: an exception is set.
Bound *bound_find(Kernel *k, const Py_buffer *in);
void bound_leave(const Kernel *k, Bound *b);

// Calls the kernel with arrays whose buffers are available, row-major, aligned and of the kernel's types.
PyObject *call_bound(Kernel *k, PyObject *const *input, const Py_buffer *in, PyObject *const *out,
                     int threads);

// ---- Threads ----

// The number of threads of a caller's argument. 0: an exception is set.
int threads_of(PyObject *number);
// Runs all tasks on this thread and up to `threads` - 1 others, without the GIL. Returns the status of all.
int pool_run(reshapec_kernel *task, const reshapec_argument *argument, int arguments, int tasks,
             int threads);
// Call once per process: children of a fork begin without threads.
void pool_open(void);

#endif
