// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec._core: programs and kernels for Python, by the stable interface of Python 3.11.
//
// A call of a kernel takes arrays of numpy, looks up what their shapes were found to mean before, makes the results
// with numpy.empty, and calls the function. What is not of that kind (other arrays, new shapes of `rearrange`) is left to
// the package's Python, which brings it here.
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "include/reshapec.h"
#include "runtime/dlpack.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_INPUTS = 64,
  MAX_OUTPUTS = 64,
  MAX_PARAMETERS = 160,
  BOUND = 16,           // shapes that a kernel remembers
  SITES = 1024,         // calls of `rearrange` and its like that are remembered
  MAX_SIZES = 8,        // named sizes of such a call
  QUIET_BYTES = 1 << 15 // from so many bytes on other threads of Python may run meanwhile
};

static PyObject *kernel_type, *compile_error, *call_error; // exceptions
static PyObject *numpy_empty, *numpy_array, *name_dtype, *slow,
    *slow_call; // numpy.empty, numpy.ndarray, "dtype", the package's own

// ---- Programs ----

typedef struct Program {
  PyObject_HEAD reshapec *r;
} Program;

static PyObject *raise_messages(reshapec *r, reshapec_status status) {
  const char *text = r ? reshapec_messages_text(r) : "out of memory";
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < reshapec_message_count(r); i++) {
    static const char *const severity[] = {"error", "warning", "note"};
    reshapec_message m;
    if (reshapec_get_message(r, i, &m) != RESHAPEC_OK)
      break;
    PyObject *item =
        Py_BuildValue("{s:s,s:s,s:s,s:s,s:I,s:I,s:I,s:I}", "severity", severity[m.severity], "kind",
                      m.kind, "text", m.text, "file", m.file, "line", m.line, "column", m.column,
                      "end_line", m.end_line, "end_column", m.end_column);
    if (!item || PyList_Append(list, item) != 0) {
      Py_XDECREF(item);
      Py_CLEAR(list);
      break;
    }
    Py_DECREF(item);
  }
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == '\n')
    length--;
  PyObject *error = NULL;
  if (list)
    error = length > 0 ? PyObject_CallFunction(compile_error, "s#", text, (Py_ssize_t)length)
                       : PyObject_CallFunction(compile_error, "s", "the call is wrong");
  if (error && PyObject_SetAttrString(error, "messages", list) == 0)
    PyErr_SetObject(status == RESHAPEC_MEMORY ? PyExc_MemoryError : compile_error, error);
  Py_XDECREF(error);
  Py_XDECREF(list);
  return NULL;
}

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"source", "name", "cpu", "features", "level", NULL};
  Py_buffer text;
  const char *name = "<text>", *level = "2";
  reshapec_options options = {0};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s*|szzs", names, &text, &name, &options.cpu,
                                   &options.features, &level))
    return NULL;
  // The first byte of a model is a field's key, which no text begins with.
  int is_model = PyBytes_Check(PyTuple_GetItem(args, 0));
  options.level = level[0];
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Program *program = (Program *)allocate(type, 0);
  if (!program) {
    PyBuffer_Release(&text);
    return NULL;
  }
  reshapec_status status = reshapec_open(&options, NULL, &program->r);
  if (status == RESHAPEC_OK) {
    Py_BEGIN_ALLOW_THREADS status =
        is_model ? reshapec_read_onnx(program->r, name, text.buf, (size_t)text.len)
                 : reshapec_read_text(program->r, name, text.buf, (size_t)text.len);
    Py_END_ALLOW_THREADS
  }
  PyBuffer_Release(&text);
  if (status == RESHAPEC_OK)
    return (PyObject *)program;
  raise_messages(program->r, status);
  Py_DECREF(program);
  return NULL;
}

static void object_free(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static void program_free(PyObject *self) {
  reshapec_close(((Program *)self)->r);
  object_free(self);
}

static PyObject *describe(const reshapec_tensor *t) {
  static const char *const tier[] = {"alias", "static", "symbolic", "dynamic"};
  PyObject *dims = PyTuple_New(t->rank < 0 ? 0 : t->rank);
  for (int i = 0; dims && i < t->rank; i++)
    PyTuple_SetItem(dims, i, t->dim[i] < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(t->dim[i]));
  return dims ? Py_BuildValue("{s:s,s:s,s:s,s:i,s:O,s:N,s:s,s:i,s:L,s:s}", "name", t->name, "type",
                              t->type, "text", t->text, "bits", t->bits, "is_plain",
                              t->is_plain ? Py_True : Py_False, "dims", dims, "tier", tier[t->tier],
                              "alias_of", t->alias_of, "bytes_moved", (long long)t->bytes_moved,
                              "why", t->why)
              : NULL;
}

static PyObject *tensors(reshapec *r, int graph, int count,
                         reshapec_status (*get)(reshapec *, int, int, reshapec_tensor *)) {
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < count; i++) {
    reshapec_tensor tensor;
    PyObject *item = get(r, graph, i, &tensor) == RESHAPEC_OK ? describe(&tensor) : NULL;
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

static PyObject *program_graphs(PyObject *self, PyObject *unused) {
  (void)unused;
  reshapec *r = ((Program *)self)->r;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < reshapec_graph_count(r); i++) {
    reshapec_graph graph;
    if (reshapec_get_graph(r, i, &graph) != RESHAPEC_OK)
      break;
    PyObject *item = Py_BuildValue("{s:s,s:N,s:N}", "name", graph.name, "inputs",
                                   tensors(r, i, graph.inputs, reshapec_get_input), "outputs",
                                   tensors(r, i, graph.outputs, reshapec_get_output));
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

static PyObject *program_explain(PyObject *self, PyObject *args) {
  static const char *const names[] = {"text", "json", "svg", "dot", "plan"};
  const char *name;
  reshapec *r = ((Program *)self)->r;
  if (!PyArg_ParseTuple(args, "s", &name))
    return NULL;
  for (int i = 0; i < 5; i++)
    if (strcmp(names[i], name) == 0) {
      reshapec_bytes text;
      reshapec_status status = reshapec_explain(r, (reshapec_view)i, &text);
      return status == RESHAPEC_OK ? PyUnicode_FromStringAndSize(text.data, (Py_ssize_t)text.size)
                                   : raise_messages(r, status);
    }
  return PyErr_Format(PyExc_ValueError, "'%s' is not 'text', 'json', 'svg', 'dot' or 'plan'", name);
}

static PyObject *program_emit(PyObject *self, PyObject *args) {
  static const char *const names[] = {"obj", "asm", "llvm-ir", "bc", "c"};
  const char *name, *header_name;
  reshapec *r = ((Program *)self)->r;
  if (!PyArg_ParseTuple(args, "ss", &name, &header_name))
    return NULL;
  for (int i = 0; i < 5; i++)
    if (strcmp(names[i], name) == 0) {
      reshapec_bytes code, header;
      reshapec_status status = reshapec_emit(r, (reshapec_emit_kind)i, header_name, &code, &header);
      return status == RESHAPEC_OK ? Py_BuildValue("y#s#", code.data, (Py_ssize_t)code.size,
                                                   header.data, (Py_ssize_t)header.size)
                                   : raise_messages(r, status);
    }
  return PyErr_Format(PyExc_ValueError, "'%s' is not 'obj', 'asm', 'llvm-ir', 'bc' or 'c'", name);
}

static PyMethodDef program_methods[] = {
    {"graphs", program_graphs, METH_NOARGS,
     "The graphs, with their inputs and outputs, as dictionaries."},
    {"explain", program_explain, METH_VARARGS,
     "What became of all graphs: 'text', 'json', 'svg', 'dot' or 'plan'."},
    {"emit", program_emit, METH_VARARGS, "Code and header: emit('obj', 'name.h')."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot program_slots[] = {
    {Py_tp_new, program_new},
    {Py_tp_dealloc, program_free},
    {Py_tp_methods, program_methods},
    {Py_tp_doc, "Program(source, name='<text>', cpu=None, features=None, level='2')"},
    {0, NULL}};
static PyType_Spec program_spec = {"reshapec._core.Program", sizeof(Program), 0, Py_TPFLAGS_DEFAULT,
                                   program_slots};

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
  PyObject_HEAD PyObject *program;
  reshapec *r;
  reshapec_kernel *function;
  reshapec_kernel *shape;               // of a dynamic graph, else NULL
  int graph, inputs, outputs, is_alias; // is_alias: all outputs are
  Parameters parameters, shape_parameters;
  int alias_of[MAX_OUTPUTS], out_rank[MAX_OUTPUTS];
  DLDataType in_element[MAX_INPUTS], out_element[MAX_OUTPUTS];
  PyObject *in_type[MAX_INPUTS], *out_type[MAX_OUTPUTS]; // dtypes of numpy
  Bound *bound[BOUND];
  int next;
} Kernel;

static void bound_leave(const Kernel *k, Bound *b) {
  if (!b || --b->uses > 0)
    return;
  for (int i = 0; b->made && i < k->outputs; i++)
    Py_XDECREF(b->made[i]);
  free(b->in), free(b->argument), free(b->out), free(b->made), free(b->offset), free(b->plan);
  free(b);
}

static void kernel_free(PyObject *self) {
  Kernel *k = (Kernel *)self;
  for (int i = 0; i < BOUND; i++)
    bound_leave(k, k->bound[i]);
  for (int i = 0; i < k->inputs; i++)
    Py_XDECREF(k->in_type[i]);
  for (int i = 0; i < k->outputs; i++)
    Py_XDECREF(k->out_type[i]);
  Py_XDECREF(k->program);
  object_free(self);
}

static int take_types(PyObject *tuple, int count, PyObject **type) {
  if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != count) {
    PyErr_SetString(PyExc_TypeError, "a dtype for each input and output is wanted");
    return 0;
  }
  for (int i = 0; i < count; i++)
    type[i] = Py_NewRef(PyTuple_GetItem(tuple, i));
  return 1;
}

static void take_parameters(Kernel *k, int count,
                            reshapec_status (*get)(reshapec *, int, int, reshapec_parameter *),
                            Parameters *out) {
  out->count = count;
  for (int i = 0; i < count; i++) {
    reshapec_parameter parameter;
    get(k->r, k->graph, i, &parameter);
    out->kind[i] = (int)parameter.kind;
    out->index[i] = parameter.index;
  }
}

static DLDataType element_of(const reshapec_tensor *t) {
  return (DLDataType){(uint8_t)t->dlpack_code, (uint8_t)t->bits, 1};
}

static int kernel_fill(Kernel *k, PyObject *in, PyObject *out) {
  reshapec_graph graph;
  reshapec_status status = reshapec_get_graph(k->r, k->graph, &graph);
  if (status != RESHAPEC_OK || graph.inputs > MAX_INPUTS || graph.outputs > MAX_OUTPUTS ||
      graph.parameters > MAX_PARAMETERS || graph.shape_parameters > MAX_PARAMETERS) {
    PyErr_SetString(PyExc_ValueError,
                    "there is no such graph, or it has too many tensors for a call from Python");
    return 0;
  }
  if (!take_types(in, graph.inputs, k->in_type))
    return 0;
  k->inputs = graph.inputs;
  if (!take_types(out, graph.outputs, k->out_type))
    return 0;
  k->outputs = graph.outputs;
  k->is_alias = 1;
  reshapec_tensor tensor;
  for (int i = 0; i < k->inputs; i++) {
    reshapec_get_input(k->r, k->graph, i, &tensor);
    k->in_element[i] = element_of(&tensor);
  }
  for (int i = 0; i < k->outputs; i++) {
    reshapec_get_output(k->r, k->graph, i, &tensor);
    k->out_element[i] = element_of(&tensor);
    k->out_rank[i] = tensor.rank;
    k->alias_of[i] = tensor.alias_of;
    k->is_alias = k->is_alias && tensor.alias_of >= 0;
  }
  take_parameters(k, graph.parameters, reshapec_get_parameter, &k->parameters);
  take_parameters(k, graph.shape_parameters, reshapec_get_shape_parameter, &k->shape_parameters);
  if (!k->is_alias) {
    Py_BEGIN_ALLOW_THREADS status = reshapec_load(k->r, k->graph, &k->function);
    if (status == RESHAPEC_OK && graph.shape_parameters > 0)
      status = reshapec_load_shape(k->r, k->graph, &k->shape);
    Py_END_ALLOW_THREADS
  }
  if (status != RESHAPEC_OK)
    raise_messages(k->r, status);
  return status == RESHAPEC_OK;
}

static PyObject *kernel_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  PyObject *program, *in, *out;
  int graph;
  (void)kwargs;
  if (!PyArg_ParseTuple(args, "OiOO", &program, &graph, &in, &out))
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Kernel *k = (Kernel *)allocate(type, 0);
  if (!k)
    return NULL;
  k->program = Py_NewRef(program);
  k->r = ((Program *)program)->r;
  k->graph = graph;
  if (kernel_fill(k, in, out))
    return (PyObject *)k;
  Py_DECREF(k);
  return NULL;
}

static int same_shape(const reshapec_shape *a, const Py_buffer *b) {
  return a->rank == b->ndim &&
         (a->rank == 0 || memcmp(a->dim, b->shape, sizeof(int64_t) * (size_t)a->rank) == 0);
}

// (shape, dtype), as numpy.empty takes them
static PyObject *empty_arguments(const reshapec_shape *shape, PyObject *type) {
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
  reshapec_status status =
      reshapec_bind(k->r, k->graph, b->in, b->argument, b->out, b->offset, &b->scratch);
  if (status != RESHAPEC_OK) {
    reshapec_message message = {.text = "the arrays do not fit"};
    reshapec_get_message(k->r, reshapec_message_count(k->r) - 1, &message);
    PyErr_SetString(call_error, message.text);
    return 0;
  }
  for (int i = 0; i < k->outputs && !k->shape; i++) {
    b->made[i] = empty_arguments(&b->out[i], k->out_type[i]);
    if (!b->made[i])
      return 0;
  }
  return 1;
}

// For the caller to leave. NULL: raised.
static Bound *bound_find(Kernel *k, const Py_buffer *in) {
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

static int take_out(const Kernel *k, const Bound *b, int i, PyObject *given, const Py_buffer *in,
                    Results *results) {
  Py_buffer *buffer = &results->buffer[i];
  if (PyObject_GetBuffer(given, buffer, PyBUF_STRIDES | PyBUF_WRITABLE) != 0)
    return 0;
  results->has_buffer[i] = 1;
  results->array[i] = Py_NewRef(given);
  PyObject *type = PyObject_GetAttr(given, name_dtype);
  int same =
      type ? type == k->out_type[i] || PyObject_RichCompareBool(type, k->out_type[i], Py_EQ) == 1
           : 0;
  Py_XDECREF(type);
  if (!same || !same_shape(&b->out[i], buffer) || !PyBuffer_IsContiguous(buffer, 'C')) {
    PyErr_Format(call_error, "out must be row-major, of dtype %R and shape %R", k->out_type[i],
                 PyTuple_GetItem(b->made[i], 0));
    return 0;
  }
  for (int j = 0; j < k->inputs; j++)
    if (overlaps(buffer, &in[j])) {
      PyErr_SetString(call_error, "out overlaps an input");
      return 0;
    }
  return 1;
}

// Memory for each result; the number of those that must be written, or -1.
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

// The tensors of one call, where a rank is open.
typedef struct Tensors {
  DLTensor in[MAX_INPUTS], out[MAX_OUTPUTS];
} Tensors;

static DLTensor tensor_of(const Py_buffer *buffer, DLDataType type) {
  DLTensor t = {.data = buffer->buf, .ndim = buffer->ndim, .dtype = type};
  t.device.device_type = kDLCPU;
  t.shape = (int64_t *)buffer->shape; // only read
  return t;
}

static void raise_status(int status) {
  PyErr_Format(call_error, "%s (%s)", reshapec_call_status_text(status),
               reshapec_call_status_name(status));
}

// The shapes of the results of a dynamic graph, to `out`. False: raised.
static int find_shapes(const Kernel *k, const Bound *b, const Py_buffer *in, reshapec_shape *out) {
  const Parameters *p = &k->shape_parameters;
  reshapec_argument argument[MAX_PARAMETERS];
  DLTensor tensor[MAX_INPUTS];
  for (int i = 0; i < k->outputs; i++)
    out[i].rank = k->out_rank[i];
  for (int i = 0; i < p->count; i++) {
    int index = p->index[i];
    switch ((reshapec_parameter_kind)p->kind[i]) {
    case RESHAPEC_SIZE: // the first of both functions
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
    raise_status(status);
  return status == 0;
}

// Memory beside inputs and results. The plan of the last call is used again, unless another thread is using it.
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

static int run(const Kernel *k, Bound *b, const Py_buffer *in, Results *results) {
  reshapec_argument argument[MAX_PARAMETERS];
  Tensors tensors;
  void *scratch = NULL;
  int64_t bytes = 0;
  reshapec_kernel *function = k->function;
  if (!function) { // all results are views, but copies of them are wanted
    reshapec_kernel *loaded;
    reshapec_status status = reshapec_load(k->r, k->graph, &loaded);
    if (status != RESHAPEC_OK) {
      raise_messages(k->r, status);
      return 0;
    }
    function = ((Kernel *)k)->function = loaded;
  }
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
      } else { // the same pointer: nothing is copied
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
    case RESHAPEC_RANK: // are known by now
      argument[i].output = NULL;
      break;
    }
  }
  int status;
  if (bytes < QUIET_BYTES) {
    status = function(argument);
  } else {
    Py_BEGIN_ALLOW_THREADS status = function(argument);
    Py_END_ALLOW_THREADS
  }
  leave_memory(b, scratch);
  if (status != 0)
    raise_status(status);
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

// What the results of a call of a dynamic graph are. False: raised.
static int find_open_results(const Kernel *k, const Bound *b, const Py_buffer *in, Bound *open) {
  int good = find_shapes(k, b, in, open->out);
  for (int i = 0; i < k->outputs && good; i++) {
    open->made[i] = empty_arguments(&open->out[i], k->out_type[i]);
    good = open->made[i] != NULL;
  }
  return good;
}

// Of arrays whose buffers are there, row-major and of the types that the kernel takes.
static PyObject *call_bound(Kernel *k, PyObject *const *input, const Py_buffer *in,
                            PyObject *const *out) {
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
  if (written == 0 || (written > 0 && run(k, b, in, &results)))
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

// What `out` gives for each result. False: raised.
static int take_outs(const Kernel *k, PyObject *kwargs, PyObject **out, int *is_given) {
  *is_given = 0;
  if (!kwargs || PyDict_Size(kwargs) == 0)
    return 1;
  PyObject *given = PyDict_GetItemString(kwargs, "out");
  if (!given || PyDict_Size(kwargs) > 1) {
    PyErr_SetString(PyExc_TypeError, "the only keyword is out=");
    return 0;
  }
  *is_given = given != Py_None;
  if (given == Py_None)
    return 1;
  if (k->outputs == 1 && !PyTuple_Check(given)) {
    out[0] = given;
    return 1;
  }
  if (!PyTuple_Check(given) || PyTuple_Size(given) != k->outputs) {
    PyErr_Format(PyExc_TypeError, "out must be a tuple of %d arrays", k->outputs);
    return 0;
  }
  for (int i = 0; i < k->outputs; i++)
    out[i] = PyTuple_GetItem(given, i) == Py_None ? NULL : PyTuple_GetItem(given, i);
  return 1;
}

// The buffer of an argument that is an array of numpy, row-major, of the type that the kernel takes. 0: it is not, and if
// `exact`, that was raised.
static int take_input(const Kernel *k, int i, PyObject *input, int exact, Py_buffer *in) {
  if ((PyObject *)Py_TYPE(input) != numpy_array) {
    if (exact)
      PyErr_Format(PyExc_TypeError, "argument %d is not an array of numpy", i + 1);
    return 0;
  }
  PyObject *type = PyObject_GetAttr(input, name_dtype);
  int same =
      type && (type == k->in_type[i] || PyObject_RichCompareBool(type, k->in_type[i], Py_EQ) == 1);
  if (type && !same && exact)
    PyErr_Format(call_error, "argument %d is %S, but the kernel takes %S", i + 1, type,
                 k->in_type[i]);
  Py_XDECREF(type);
  if (!same || PyObject_GetBuffer(input, in, PyBUF_STRIDES) != 0)
    return 0;
  if (PyBuffer_IsContiguous(in, 'C') && in->ndim <= RESHAPEC_MAX_RANK)
    return 1;
  PyBuffer_Release(in);
  if (exact)
    PyErr_Format(call_error, "argument %d is not row-major, or has more than %d axes", i + 1,
                 RESHAPEC_MAX_RANK);
  return 0;
}

static PyObject *kernel_run(Kernel *k, PyObject *args, PyObject *kwargs, int exact) {
  PyObject *input[MAX_INPUTS] = {NULL}, *out[MAX_OUTPUTS] = {NULL}, *result = NULL;
  Py_buffer in[MAX_INPUTS];
  int held = 0, is_given;
  if (PyTuple_Size(args) != k->inputs)
    return PyErr_Format(PyExc_TypeError, "%d array%s wanted, not %zd", k->inputs,
                        k->inputs == 1 ? " is" : "s are", PyTuple_Size(args));
  if (!take_outs(k, kwargs, out, &is_given))
    return NULL;
  for (; held < k->inputs; held++) {
    input[held] = PyTuple_GetItem(args, held);
    if (!take_input(k, held, input[held], exact, &in[held]))
      break;
  }
  int is_fast = held == k->inputs;
  if (is_fast)
    result = call_bound(k, input, in, is_given ? out : NULL);
  while (held > 0)
    PyBuffer_Release(&in[--held]);
  if (is_fast || exact)
    return result;
  PyErr_Clear();
  return PyObject_CallFunction(slow_call, "OOO", (PyObject *)k, args, kwargs ? kwargs : Py_None);
}

// call(inputs..., out=None or an array or a tuple of them)
static PyObject *kernel_call(PyObject *self, PyObject *args, PyObject *kwargs) {
  return kernel_run((Kernel *)self, args, kwargs, 0);
}

// The same, without looking for a way to take what the kernel does not.
static PyObject *kernel_exact(PyObject *self, PyObject *args, PyObject *kwargs) {
  return kernel_run((Kernel *)self, args, kwargs, 1);
}

static PyMethodDef kernel_methods[] = {
    {"exact", (PyCFunction)(void (*)(void))kernel_exact, METH_VARARGS | METH_KEYWORDS,
     "A call with arrays of numpy of the right types, in row-major order."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot kernel_slots[] = {
    {Py_tp_new, kernel_new},
    {Py_tp_dealloc, kernel_free},
    {Py_tp_call, kernel_call},
    {Py_tp_methods, kernel_methods},
    {Py_tp_doc, "Kernel(program, graph, input dtypes, output dtypes)"},
    {0, NULL}};
static PyType_Spec kernel_spec = {"reshapec._core.Kernel", sizeof(Kernel), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, kernel_slots};

// ---- Calls of rearrange, by the place that they come from ----

// A call with the same pattern, names, sizes, shape and type as before.
typedef struct Site {
  PyObject *pattern, *type, *names; // names: the tuple of keywords, or NULL
  int rank;
  int64_t dim[RESHAPEC_MAX_RANK], size[MAX_SIZES];
  Kernel *kernel;
} Site;

static Site sites[2][SITES]; // rearrange, repeat; under the interpreter's lock

static size_t site_hash(const Site *s, Py_ssize_t sizes) {
  size_t hash =
      ((size_t)s->pattern >> 4) * 31 + ((size_t)s->type >> 4) + ((size_t)s->names >> 4) * 7;
  for (int i = 0; i < s->rank; i++)
    hash = hash * 1000003 + (size_t)s->dim[i];
  for (Py_ssize_t i = 0; i < sizes; i++)
    hash = hash * 1000003 + (size_t)s->size[i];
  return (hash ^ hash >> 17) % SITES;
}

static int same_site(const Site *a, const Site *b, Py_ssize_t sizes) {
  return a->pattern == b->pattern && a->type == b->type && a->names == b->names &&
         a->rank == b->rank && memcmp(a->dim, b->dim, sizeof *a->dim * (size_t)a->rank) == 0 &&
         memcmp(a->size, b->size, sizeof *a->size * (size_t)sizes) == 0;
}

static void site_keep(Site *to, const Site *from, PyObject *kernel) {
  Site old = *to;
  *to = *from;
  to->kernel = (Kernel *)Py_NewRef(kernel);
  Py_INCREF(to->pattern);
  Py_INCREF(to->type);
  Py_XINCREF(to->names);
  Py_XDECREF(old.pattern);
  Py_XDECREF(old.type);
  Py_XDECREF(old.names);
  Py_XDECREF((PyObject *)old.kernel);
}

// The package's own way: it gives the result, or the kernel that gives it.
static PyObject *call_slowly(int which, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  Py_ssize_t sizes = names ? PyTuple_Size(names) : 0;
  PyObject *positional = PyTuple_New(count), *keywords = PyDict_New(), *result = NULL;
  int good = positional && keywords;
  for (Py_ssize_t i = 0; good && i < count; i++)
    good = PyTuple_SetItem(positional, i, Py_NewRef(args[i])) == 0;
  for (Py_ssize_t i = 0; good && i < sizes; i++)
    good = PyDict_SetItem(keywords, PyTuple_GetItem(names, i), args[count + i]) == 0;
  if (good)
    result = PyObject_CallFunction(slow, "iOO", which, positional, keywords);
  Py_XDECREF(positional);
  Py_XDECREF(keywords);
  return result;
}

static PyObject *call_site(int which, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  Py_ssize_t sizes = names ? PyTuple_Size(names) : 0;
  Site site;
  Py_buffer in;
  if (count != 2 || sizes > MAX_SIZES || (PyObject *)Py_TYPE(args[0]) != numpy_array ||
      !PyUnicode_CheckExact(args[1]) || PyObject_GetBuffer(args[0], &in, PyBUF_STRIDES) != 0) {
    PyErr_Clear();
    return call_slowly(which, args, count, names);
  }
  int is_plain = PyBuffer_IsContiguous(&in, 'C') && in.ndim <= RESHAPEC_MAX_RANK;
  site.pattern = args[1];
  site.names = names;
  site.rank = in.ndim;
  for (Py_ssize_t i = 0; is_plain && i < in.ndim; i++)
    site.dim[i] = in.shape[i];
  for (Py_ssize_t i = 0; is_plain && i < sizes; i++) {
    is_plain = PyLong_CheckExact(args[2 + i]);
    site.size[i] = is_plain ? PyLong_AsLongLong(args[2 + i]) : 0;
    is_plain = is_plain && !PyErr_Occurred();
  }
  if (!is_plain) {
    PyErr_Clear();
    PyBuffer_Release(&in);
    return call_slowly(which, args, count, names);
  }
  site.type = PyObject_GetAttr(args[0], name_dtype);
  PyObject *result = NULL;
  if (site.type) {
    Site *found = &sites[which][site_hash(&site, sizes)];
    if (found->kernel && same_site(found, &site, sizes)) {
      Kernel *kernel = (Kernel *)Py_NewRef((PyObject *)found->kernel);
      result = call_bound(kernel, args, &in, NULL);
      Py_DECREF((PyObject *)kernel);
    } else {
      PyObject *kernel = call_slowly(which, args, count, names);
      if (kernel && PyObject_TypeCheck(kernel, (PyTypeObject *)kernel_type)) {
        site_keep(found, &site, kernel);
        result = call_bound((Kernel *)kernel, args, &in, NULL);
        Py_DECREF(kernel);
      } else {
        result = kernel;
      }
    }
  }
  Py_XDECREF(site.type);
  PyBuffer_Release(&in);
  return result;
}

static PyObject *core_rearrange(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                PyObject *names) {
  (void)self;
  return call_site(0, args, count, names);
}

static PyObject *core_repeat(PyObject *self, PyObject *const *args, Py_ssize_t count,
                             PyObject *names) {
  (void)self;
  return call_site(1, args, count, names);
}

// ---- The module ----

static PyObject *core_set(PyObject *self, PyObject *args) {
  (void)self;
  if (!PyArg_ParseTuple(args, "OOOOOO", &compile_error, &call_error, &numpy_empty, &numpy_array,
                        &slow, &slow_call))
    return NULL;
  Py_INCREF(compile_error), Py_INCREF(call_error), Py_INCREF(numpy_empty), Py_INCREF(numpy_array),
      Py_INCREF(slow), Py_INCREF(slow_call);
  Py_RETURN_NONE;
}

static PyObject *core_version(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  return PyUnicode_FromString(reshapec_version());
}

// A function with keywords is kept as one of another type (PEP 590).
#define FAST(function) (PyCFunction)(void (*)(void)) function

static PyMethodDef functions[] = {
    {"rearrange", FAST(core_rearrange), METH_FASTCALL | METH_KEYWORDS,
     "rearrange(x, pattern, out=None, **sizes)\n\nReorders, splits and joins axes by a pattern of "
     "einops: "
     "rearrange(x, 'b s (h d) -> b h s d', h=12).\nA result that needs no copy is a view. x may be "
     "a list of arrays of one "
     "shape, whose number is the first axis."},
    {"repeat", FAST(core_repeat), METH_FASTCALL | METH_KEYWORDS,
     "repeat(x, pattern, out=None, **sizes)\n\nRepeats elements along axes that the right side "
     "adds: "
     "repeat(x, 'h w -> h w c', c=3)."},
    {"set", core_set, METH_VARARGS,
     "set(CompileError, CallError, numpy.empty, numpy.ndarray, slow, slow_call)"},
    {"version", core_version, METH_NOARGS, "The version of the compiler."},
    {NULL, NULL, 0, NULL}};
static PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "reshapec._core", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
  PyObject *m = PyModule_Create(&module);
  name_dtype = PyUnicode_InternFromString("dtype");
  PyObject *program = PyType_FromSpec(&program_spec);
  kernel_type = PyType_FromSpec(&kernel_spec);
  if (m && name_dtype && program && kernel_type &&
      PyModule_AddObjectRef(m, "Program", program) == 0 &&
      PyModule_AddObjectRef(m, "Kernel", kernel_type) == 0)
    return m;
  Py_XDECREF(m);
  return NULL;
}
