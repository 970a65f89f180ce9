// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec._core: programs and kernels for Python, by the stable interface of Python 3.11.
//
// A call of a kernel takes arrays of numpy, looks up what their shapes were found to mean before, makes the results
// with numpy.empty, and calls the function. What is not of that kind (other arrays, new shapes of `rearrange`) is left to
// the package's Python, which brings it here.
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
  QUIET_BYTES = 1 << 15 // from so many bytes on other threads of Python may run meanwhile
};

extern PyObject *kernel_type, *compile_error, *call_error; // exceptions
extern PyObject *numpy_empty, *numpy_array, *name_dtype, *slow, *slow_call,
    *keep; // numpy.empty, numpy.ndarray, "dtype", the package's own

// ---- Programs ----

typedef struct Program {
  PyObject_HEAD reshapec *r;
  int threads;             // of its kernels
  PyThread_type_lock lock; // of r, which one thread uses at a time
  unsigned long owner;     // the thread that has it,
  int depth;               // as many times; both under the interpreter's lock
} Program;

extern PyType_Spec program_spec;
// Around all uses of a program's handle. Others wait without the interpreter.
void program_enter(Program *program);
void program_leave(Program *program);
PyObject *raise_messages(reshapec *r, reshapec_status status);
void object_free(PyObject *self);

// ---- Kernels ----

// What inputs of some shapes mean.
typedef struct Bound {
  int uses;           // the kernel, and calls: while one makes arrays, others may run
  reshapec_shape *in; // the shapes
  reshapec_argument *argument;
  reshapec_shape *out;
  PyObject **made; // arguments of numpy.empty for each output
  int64_t *offset;
  int64_t scratch;
  void *plan; // of a dynamic graph, from its last call with these shapes; NULL before the first
  int plan_is_used; // by a call that runs
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
  int threads;                          // of a call, if that does not say
  int graph, inputs, outputs, is_alias; // is_alias: all outputs are
  Parameters parameters, shape_parameters;
  int alias_of[MAX_OUTPUTS], out_rank[MAX_OUTPUTS];
  DLDataType in_element[MAX_INPUTS], out_element[MAX_OUTPUTS];
  PyObject *in_type[MAX_INPUTS], *out_type[MAX_OUTPUTS]; // dtypes of numpy
  Bound *bound[BOUND];
  int next;
} Kernel;

extern PyType_Spec kernel_spec;
// What is called, once results are wanted that are no views. False: raised.
int kernel_load(Kernel *k);

int same_shape(const reshapec_shape *a, const Py_buffer *b);
PyObject *empty_arguments(const reshapec_shape *shape, PyObject *type);
// For the caller to leave. NULL: raised.
Bound *bound_find(Kernel *k, const Py_buffer *in);
void bound_leave(const Kernel *k, Bound *b);

// Of arrays whose buffers are there, row-major and of the types that the kernel takes.
PyObject *call_bound(Kernel *k, PyObject *const *input, const Py_buffer *in, PyObject *const *out,
                     int threads);

// ---- Threads ----

// A number of threads that a caller gives. 0: raised.
int threads_of(PyObject *number);
// Runs all tasks on this thread and up to `threads` - 1 others, without the interpreter. The status of all.
int pool_run(reshapec_kernel *task, const reshapec_argument *argument, int arguments, int tasks,
             int threads);
// Once for the process: children of a fork begin without threads.
void pool_open(void);

#endif
