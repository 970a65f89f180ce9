// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a kernel: allocates results, and calls the function, which fills them.
#include "python/core.h"

#include <stdlib.h>

// A view of an input: numpy.ndarray(shape, dtype, buffer, offset)
static PyObject *view_of(PyObject *made, PyObject *input, int64_t offset) {
  return PyObject_CallFunction(numpy_array, "OOOL", PyTuple_GetItem(made, 0),
                               PyTuple_GetItem(made, 1), input, (long long)offset);
}

static int overlaps(const Py_buffer *a, const Py_buffer *b) {
  return a->len > 0 && b->len > 0 && (char *)a->buf < (char *)b->buf + b->len &&
         (char *)b->buf < (char *)a->buf + a->len;
}

// A call's results, and the buffers of those that are written.
typedef struct Results {
  PyObject *array[MAX_OUTPUTS];
  Py_buffer buffer[MAX_OUTPUTS];
  int has_buffer[MAX_OUTPUTS];
} Results;

// Whether a result is at its place in an input: an alias, or a result that is computed in place.
static int is_in_place(const Kernel *k, const Bound *b, int i, const Py_buffer *in,
                       const Results *results) {
  int input = k->place_of[i];
  return input >= 0 && !k->shape &&
         (char *)results->buffer[i].buf == (char *)in[input].buf + b->offset[i];
}

// Whether memory that a call writes overlaps an input or another result that the caller passed. If so, an exception is
// set.
static int is_shared(const Kernel *k, const Bound *b, int i, const Py_buffer *in,
                     const Results *results) {
  int own = is_in_place(k, b, i, in, results) ? k->place_of[i] : -1;
  for (int j = 0; j < k->inputs; j++)
    if (j != own && overlaps(&results->buffer[i], &in[j])) {
      PyErr_SetString(call_error, "out overlaps an input");
      return 1;
    }
  for (int j = 0; j < i; j++)
    if (results->has_buffer[j] && overlaps(&results->buffer[i], &results->buffer[j])) {
      PyErr_Format(call_error, "arrays %d and %d of out overlap", j + 1, i + 1);
      return 1;
    }
  return 0;
}

// Says what an array must be to receive a result, and what it is. (Some buffers have no dtype.)
static void refuse_out(PyObject *type, PyObject *shape, PyObject *given, int fits) {
  PyObject *its_type = PyObject_GetAttr(given, name_dtype);
  PyErr_Clear();
  PyObject *its_shape = PyObject_GetAttrString(given, "shape");
  PyErr_Clear();
  if (!fits && its_type && its_shape)
    PyErr_Format(call_error,
                 "out must be row-major, of type %S and shape %R; it is of type %S and shape %R",
                 type, shape, its_type, its_shape);
  else if (fits)
    PyErr_Format(call_error, "out must be row-major, without gaps; it has other strides");
  else
    PyErr_Format(call_error, "out must be row-major, of type %S and shape %R", type, shape);
  Py_XDECREF(its_type);
  Py_XDECREF(its_shape);
}

static int take_out(const Kernel *k, const Bound *b, int i, PyObject *given, const Py_buffer *in,
                    Results *results) {
  Py_buffer *buffer = &results->buffer[i];
  if (!PyObject_CheckBuffer(given)) {
    PyErr_Format(call_error, "out must be an array, not %R", given);
    return 0;
  }
  if (PyObject_GetBuffer(given, buffer, PyBUF_STRIDES) != 0)
    return 0;
  results->has_buffer[i] = 1;
  results->array[i] = Py_NewRef(given);
  if (buffer->readonly) {
    PyErr_SetString(call_error, "out is read-only");
    return 0;
  }
  PyObject *type = PyObject_GetAttr(given, name_dtype);
  int same =
      type ? type == k->out_type[i] || PyObject_RichCompareBool(type, k->out_type[i], Py_EQ) == 1
           : 0;
  Py_XDECREF(type);
  int fits = same && same_shape(&b->out[i], buffer);
  if (!fits || !PyBuffer_IsContiguous(buffer, 'C')) {
    refuse_out(k->out_type[i], PyTuple_GetItem(b->made[i], 0), given, fits);
    return 0;
  }
  if (!is_aligned(buffer, k->out_align[i])) {
    PyErr_Format(call_error, "out is at an address that is not a multiple of %d bytes",
                 k->out_align[i]);
    return 0;
  }
  return !is_shared(k, b, i, in, results);
}

// Provides memory for each result. Returns the number of results that must be written, or -1.
static int make_results(const Kernel *k, const Bound *b, PyObject *const *input,
                        const Py_buffer *in, PyObject *const *out, Results *results) {
  int written = 0;
  for (int i = 0; i < k->outputs; i++) {
    if (out && out[i]) {
      if (!take_out(k, b, i, out[i], in, results))
        return -1;
      written++;
      continue;
    }
    if (k->alias_of[i] >= 0) {
      results->array[i] = view_of(b->made[i], input[k->alias_of[i]], b->offset[i]);
    } else {
      results->array[i] = PyObject_Call(numpy_empty, b->made[i], NULL);
      written++;
    }
    if (!results->array[i])
      return -1;
    if (k->alias_of[i] < 0) {
      if (PyObject_GetBuffer(results->array[i], &results->buffer[i], PyBUF_ND) != 0)
        return -1;
      results->has_buffer[i] = 1;
    }
  }
  return written;
}

// The tensors of one call, if a rank is open.
typedef struct Tensors {
  DLTensor in[MAX_INPUTS], out[MAX_OUTPUTS];
} Tensors;

static DLTensor tensor_of(const Py_buffer *buffer, DLDataType type) {
  DLTensor t = {.data = buffer->buf, .ndim = buffer->ndim, .dtype = type};
  t.device.device_type = kDLCPU;
  t.shape = (int64_t *)buffer->shape; // only read
  return t;
}

static void raise_status(const Kernel *k, int status) {
  PyObject *name = PyObject_GetAttrString((PyObject *)k, "name");
  if (name)
    PyErr_Format(call_error, "graph '%S' cannot take these arguments: %s: %s", name,
                 reshapec_call_status_name(status), reshapec_call_status_text(status));
  Py_XDECREF(name);
}

// Writes the shapes of the results of a dynamic graph to `out`. False: an exception is set.
static int find_shapes(const Kernel *k, const Bound *b, const Py_buffer *in, reshapec_shape *out) {
  const Parameters *p = &k->shape_parameters;
  reshapec_argument argument[MAX_PARAMETERS];
  DLTensor tensor[MAX_INPUTS];
  for (int i = 0; i < k->outputs; i++)
    out[i].rank = k->out_rank[i];
  for (int i = 0; i < p->count; i++) {
    int index = p->index[i];
    switch ((reshapec_parameter_kind)p->kind[i]) {
    case RESHAPEC_SIZE: // sizes come first in both functions
      argument[i] = b->argument[i];
      break;
    case RESHAPEC_POINTER_IN:
      argument[i].input = in[index].buf;
      break;
    case RESHAPEC_TENSOR_IN:
      tensor[index] = tensor_of(&in[index], k->in_element[index]);
      argument[i].input = &tensor[index];
      break;
    case RESHAPEC_DIMS:
      argument[i].output = out[index].dim;
      break;
    case RESHAPEC_RANK:
      argument[i].output = &out[index].rank;
      break;
    case RESHAPEC_POINTER_OUT:
    case RESHAPEC_TENSOR_OUT:
    case RESHAPEC_SCRATCH:
    case RESHAPEC_PLAN:
      argument[i].output = NULL;
      break;
    }
  }
  int status = k->shape(argument);
  if (status != 0)
    raise_status(k, status);
  return status == 0;
}

// Scratch memory, or the plan of the last call, unless another thread is using it.
static void *take_memory(const Kernel *k, Bound *b) {
  size_t bytes = ((size_t)b->scratch / 64 + 1) * 64;
  if (!k->shape)
    return aligned_alloc(64, bytes);
  if (b->plan_is_used)
    return calloc(1, bytes);
  if (!b->plan)
    b->plan = calloc(1, bytes);
  b->plan_is_used = b->plan != NULL;
  return b->plan;
}

static void leave_memory(Bound *b, void *memory) {
  if (memory && memory == b->plan)
    b->plan_is_used = 0;
  else
    free(memory);
}

// Runs on as many threads as is worthwhile.
static int run_function(const Kernel *k, const reshapec_argument *argument, int threads) {
  int tasks = threads > 1 && k->task ? k->task_count(argument) : 1;
  return tasks > 1 ? pool_run(k->task, argument, k->parameters.count, tasks, threads)
                   : k->function(argument);
}

static int run(Kernel *k, Bound *b, const Py_buffer *in, Results *results, int threads) {
  reshapec_argument argument[MAX_PARAMETERS];
  Tensors tensors;
  void *scratch = NULL;
  int64_t bytes = 0;
  if (!k->function && !kernel_load(k)) // all results could be views, but the caller wants copies
    return 0;
  if (b->scratch > 0 && !(scratch = take_memory(k, b))) {
    PyErr_NoMemory();
    return 0;
  }
  for (int i = 0; i < k->parameters.count; i++) {
    int index = k->parameters.index[i];
    switch ((reshapec_parameter_kind)k->parameters.kind[i]) {
    case RESHAPEC_SIZE:
      argument[i] = b->argument[i];
      break;
    case RESHAPEC_POINTER_IN:
      argument[i].input = in[index].buf;
      break;
    case RESHAPEC_POINTER_OUT:
      if (results->has_buffer[index]) {
        argument[i].output = results->buffer[index].buf;
        bytes += results->buffer[index].len;
      } else { // the same pointer, so nothing is copied
        argument[i].output = (char *)in[k->alias_of[index]].buf + b->offset[index];
      }
      break;
    case RESHAPEC_TENSOR_IN:
      tensors.in[index] = tensor_of(&in[index], k->in_element[index]);
      argument[i].input = &tensors.in[index];
      break;
    case RESHAPEC_TENSOR_OUT:
      tensors.out[index] = tensor_of(&results->buffer[index], k->out_element[index]);
      argument[i].output = &tensors.out[index];
      bytes += results->buffer[index].len;
      break;
    case RESHAPEC_SCRATCH:
    case RESHAPEC_PLAN:
      argument[i].output = scratch;
      break;
    case RESHAPEC_DIMS:
    case RESHAPEC_RANK: // known already
      argument[i].output = NULL;
      break;
    }
  }
  int status;
  if (bytes < QUIET_BYTES) {
    status = k->function(argument);
  } else {
    Py_BEGIN_ALLOW_THREADS status = run_function(k, argument, threads);
    Py_END_ALLOW_THREADS
  }
  leave_memory(b, scratch);
  if (status != 0)
    raise_status(k, status);
  return status == 0;
}

static PyObject *results_object(const Kernel *k, Results *results) {
  if (k->outputs == 1)
    return Py_NewRef(results->array[0]);
  PyObject *tuple = PyTuple_New(k->outputs);
  for (int i = 0; tuple && i < k->outputs; i++)
    PyTuple_SetItem(tuple, i, Py_NewRef(results->array[i]));
  return tuple;
}

// Computes the shapes of the results of a call of a dynamic graph. False: an exception is set.
static int find_open_results(const Kernel *k, const Bound *b, const Py_buffer *in, Bound *open) {
  int good = find_shapes(k, b, in, open->out);
  for (int i = 0; i < k->outputs && good; i++) {
    open->made[i] = empty_arguments(&open->out[i], k->out_type[i]);
    good = open->made[i] != NULL;
  }
  return good;
}

PyObject *call_bound(Kernel *k, PyObject *const *input, const Py_buffer *in, PyObject *const *out,
                     int threads) {
  Results results;
  for (int i = 0; i < k->outputs; i++)
    results.array[i] = NULL, results.has_buffer[i] = 0;
  Bound *b = bound_find(k, in);
  PyObject *result = NULL, *made[MAX_OUTPUTS] = {NULL};
  reshapec_shape shape[MAX_OUTPUTS];
  int written = b ? 0 : -1;
  if (b && k->shape) {
    Bound open = {.out = shape, .made = made};
    written =
        find_open_results(k, b, in, &open) ? make_results(k, &open, input, in, out, &results) : -1;
  } else if (b) {
    written = make_results(k, b, input, in, out, &results);
  }
  if (written == 0 || (written > 0 && run(k, b, in, &results, threads)))
    result = results_object(k, &results);
  for (int i = 0; i < k->outputs; i++)
    Py_XDECREF(made[i]);
  for (int i = 0; i < k->outputs; i++) {
    if (results.has_buffer[i])
      PyBuffer_Release(&results.buffer[i]);
    Py_XDECREF(results.array[i]);
  }
  bound_leave(k, b);
  return result;
}
