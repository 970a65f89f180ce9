// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindings of array shapes for a kernel: sizes, shapes of results, memory. A kernel caches the most recent ones.
#include "python/core.h"

#include <stdlib.h>
#include <string.h>

void bound_leave(const Kernel *k, Bound *b) {
  if (!b || --b->uses > 0)
    return;
  for (int i = 0; b->made && i < k->outputs; i++)
    Py_XDECREF(b->made[i]);
  free(b->in), free(b->argument), free(b->out), free(b->made), free(b->offset), free(b->plan);
  free(b);
}

int is_aligned(const Py_buffer *b, int align) {
  return b->len == 0 || (uintptr_t)b->buf % (uintptr_t)align == 0;
}

int same_shape(const reshapec_shape *a, const Py_buffer *b) {
  return a->rank == b->ndim &&
         (a->rank == 0 || memcmp(a->dim, b->shape, sizeof(int64_t) * (size_t)a->rank) == 0);
}

// (shape, dtype), as numpy.empty takes them
PyObject *empty_arguments(const reshapec_shape *shape, PyObject *type) {
  PyObject *dims = PyTuple_New(shape->rank);
  for (int i = 0; dims && i < shape->rank; i++)
    PyTuple_SetItem(dims, i, PyLong_FromLongLong(shape->dim[i]));
  return dims ? Py_BuildValue("(NO)", dims, type) : NULL;
}

static int bound_fill(Kernel *k, Bound *b, const Py_buffer *in) {
  b->in = calloc((size_t)k->inputs + 1, sizeof *b->in);
  b->argument = calloc((size_t)k->parameters.count + 1, sizeof *b->argument);
  b->out = calloc((size_t)k->outputs + 1, sizeof *b->out);
  b->made = calloc((size_t)k->outputs + 1, sizeof(PyObject *));
  b->offset = calloc((size_t)k->outputs + 1, sizeof *b->offset);
  if (!b->in || !b->argument || !b->out || !b->made || !b->offset) {
    PyErr_NoMemory();
    return 0;
  }
  for (int i = 0; i < k->inputs; i++) {
    b->in[i].rank = in[i].ndim;
    for (int d = 0; d < in[i].ndim; d++)
      b->in[i].dim[d] = in[i].shape[d];
  }
  reshapec_message message = {.text = "the arrays do not fit"};
  program_enter(k->program);
  reshapec_status status =
      reshapec_bind(k->r, k->graph, b->in, b->argument, b->out, b->offset, &b->scratch);
  if (status != RESHAPEC_OK) {
    reshapec_get_message(k->r, reshapec_message_count(k->r) - 1, &message);
    PyErr_SetString(call_error, message.text);
  }
  program_leave(k->program);
  if (status != RESHAPEC_OK)
    return 0;
  for (int i = 0; i < k->outputs && !k->shape; i++) {
    b->made[i] = empty_arguments(&b->out[i], k->out_type[i]);
    if (!b->made[i])
      return 0;
  }
  return 1;
}

Bound *bound_find(Kernel *k, const Py_buffer *in) {
  for (int n = 0; n < BOUND && k->bound[n]; n++) {
    Bound *b = k->bound[n];
    int same = 1;
    for (int i = 0; same && i < k->inputs; i++)
      same = same_shape(&b->in[i], &in[i]);
    if (same) {
      b->uses++;
      return b;
    }
  }
  Bound *b = calloc(1, sizeof *b);
  if (!b)
    return (Bound *)PyErr_NoMemory();
  b->uses = 1;
  if (!bound_fill(k, b, in)) {
    bound_leave(k, b);
    return NULL;
  }
  bound_leave(k, k->bound[k->next]);
  k->bound[k->next] = b;
  k->next = (k->next + 1) % BOUND;
  b->uses++;
  return b;
}
