// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels: callable graphs of a program.
#include "python/core.h"

static void kernel_free(PyObject *self) {
  Kernel *k = (Kernel *)self;
  for (int i = 0; i < BOUND; i++)
    bound_leave(k, k->bound[i]);
  for (int i = 0; i < k->inputs; i++)
    Py_XDECREF(k->in_type[i]);
  for (int i = 0; i < k->outputs; i++)
    Py_XDECREF(k->out_type[i]);
  Py_XDECREF((PyObject *)k->program);
  object_free(self);
}

static int take_types(PyObject *tuple, int count, PyObject **type) {
  if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != count) {
    PyErr_SetString(PyExc_TypeError, "a dtype is needed for each input and output");
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

int kernel_load(Kernel *k) {
  reshapec_kernel *function = NULL, *shape = NULL, *task_count = NULL, *task = NULL;
  reshapec_status status;
  PyObject *kept = PyObject_CallFunction(keep, "O", (PyObject *)k->program);
  if (!kept)
    return 0;
  Py_DECREF(kept);
  program_enter(k->program);
  Py_BEGIN_ALLOW_THREADS status = reshapec_load(k->r, k->graph, &function);
  if (status == RESHAPEC_OK && k->shape_parameters.count > 0)
    status = reshapec_load_shape(k->r, k->graph, &shape);
  else if (status == RESHAPEC_OK && k->threads > 1)
    status = reshapec_load_tasks(k->r, k->graph, &task_count, &task);
  Py_END_ALLOW_THREADS if (status != RESHAPEC_OK) raise_messages(k->r, status);
  program_leave(k->program);
  if (status != RESHAPEC_OK)
    return 0;
  k->function = function, k->shape = shape, k->task_count = task_count, k->task = task;
  return 1;
}

static int kernel_fill(Kernel *k, PyObject *in, PyObject *out) {
  reshapec_graph graph;
  reshapec_status status = reshapec_get_graph(k->r, k->graph, &graph);
  if (status != RESHAPEC_OK || graph.inputs > MAX_INPUTS || graph.outputs > MAX_OUTPUTS ||
      graph.parameters > MAX_PARAMETERS || graph.shape_parameters > MAX_PARAMETERS) {
    PyErr_Format(call_error,
                 "the graph has too many tensors or sizes: a call from Python takes at most %d "
                 "arrays, and returns at most %d",
                 MAX_INPUTS, MAX_OUTPUTS);
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
    k->in_align[i] = tensor.align;
  }
  for (int i = 0; i < k->outputs; i++) {
    reshapec_get_output(k->r, k->graph, i, &tensor);
    k->out_element[i] = element_of(&tensor);
    k->out_align[i] = tensor.align;
    k->out_rank[i] = tensor.rank;
    k->alias_of[i] = tensor.alias_of;
    k->place_of[i] = tensor.alias_of >= 0 ? tensor.alias_of : tensor.in_place_of;
    k->is_alias = k->is_alias && tensor.alias_of >= 0;
  }
  take_parameters(k, graph.parameters, reshapec_get_parameter, &k->parameters);
  take_parameters(k, graph.shape_parameters, reshapec_get_shape_parameter, &k->shape_parameters);
  return 1;
}

static PyObject *kernel_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  PyObject *program, *in, *out;
  int graph;
  (void)kwargs;
  if (!PyArg_ParseTuple(args, "O!iOO", program_type, &program, &graph, &in, &out))
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Kernel *k = (Kernel *)allocate(type, 0);
  if (!k)
    return NULL;
  k->program = (Program *)Py_NewRef(program);
  k->r = k->program->r;
  k->graph = graph;
  k->threads = k->program->threads;
  program_enter(k->program);
  int good = kernel_fill(k, in, out);
  program_leave(k->program);
  if (good && (k->is_alias || kernel_load(k)))
    return (PyObject *)k;
  Py_DECREF(k);
  return NULL;
}

// Reads the keywords. False: an exception is set.
static int take_keywords(const Kernel *k, PyObject *kwargs, PyObject **out, int *threads) {
  *out = NULL, *threads = k->threads;
  if (!kwargs)
    return 1;
  PyObject *number = PyDict_GetItemString(kwargs, "threads");
  *out = PyDict_GetItemString(kwargs, "out");
  if (PyDict_Size(kwargs) > (*out != NULL) + (number != NULL)) {
    PyErr_SetString(PyExc_TypeError,
                    "the only keywords are out= and threads=; arrays are passed by position");
    return 0;
  }
  if (!number || number == Py_None)
    return 1;
  *threads = threads_of(number);
  if (*threads > 1 && k->threads == 1)
    PyErr_Format(call_error,
                 "the kernel was compiled for one thread: write rs.compile(..., threads=%d)",
                 *threads);
  return *threads > 0 && !PyErr_Occurred();
}

// Reads the array in `out` for each result. False: an exception is set.
static int take_outs(const Kernel *k, PyObject *given, PyObject **out, int *is_given) {
  *is_given = 0;
  if (!given || given == Py_None)
    return 1;
  *is_given = 1;
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

// A subclass may give its elements another meaning, as masked arrays do; arrays of other libraries have no buffer.
static int are_numpy(const Kernel *k, PyObject *const *out) {
  for (int i = 0; i < k->outputs; i++)
    if (out[i] && (PyObject *)Py_TYPE(out[i]) != numpy_array)
      return 0;
  return 1;
}

// The buffer of an argument that is an aligned row-major NumPy array of the kernel's type. 0: it is not one, and if
// `exact`, an exception is set.
static int take_input(const Kernel *k, int i, PyObject *input, int exact, Py_buffer *in) {
  if ((PyObject *)Py_TYPE(input) != numpy_array) {
    if (exact)
      PyErr_Format(PyExc_TypeError, "argument %d is not a NumPy array", i + 1);
    return 0;
  }
  PyObject *type = PyObject_GetAttr(input, name_dtype);
  int same =
      type && (type == k->in_type[i] || PyObject_RichCompareBool(type, k->in_type[i], Py_EQ) == 1);
  if (type && !same && exact)
    PyErr_Format(call_error, "argument %d is %S, but the kernel takes %S: give x.astype('%S')",
                 i + 1, type, k->in_type[i], k->in_type[i]);
  Py_XDECREF(type);
  if (!same || PyObject_GetBuffer(input, in, PyBUF_STRIDES) != 0)
    return 0;
  if (PyBuffer_IsContiguous(in, 'C') && in->ndim <= RESHAPEC_MAX_RANK &&
      is_aligned(in, k->in_align[i]))
    return 1;
  if (exact && in->ndim > RESHAPEC_MAX_RANK)
    PyErr_Format(call_error, "argument %d has %d axes: the most is %d", i + 1, in->ndim,
                 RESHAPEC_MAX_RANK);
  else if (exact)
    PyErr_Format(call_error, "argument %d is not row-major and aligned", i + 1);
  PyBuffer_Release(in);
  return 0;
}

static PyObject *kernel_run(Kernel *k, PyObject *args, PyObject *kwargs, int exact) {
  PyObject *input[MAX_INPUTS] = {NULL}, *out[MAX_OUTPUTS] = {NULL}, *result = NULL, *outs;
  Py_buffer in[MAX_INPUTS];
  int held = 0, is_given, threads;
  if (!take_keywords(k, kwargs, &outs, &threads) || !take_outs(k, outs, out, &is_given))
    return NULL;
  if (PyTuple_Size(args) != k->inputs)
    return PyErr_Format(PyExc_TypeError, "expected %d array%s, not %zd", k->inputs,
                        k->inputs == 1 ? "" : "s", PyTuple_Size(args));
  for (; held < k->inputs; held++) {
    input[held] = PyTuple_GetItem(args, held);
    if (!take_input(k, held, input[held], exact, &in[held]))
      break;
  }
  int is_fast = held == k->inputs && (exact || are_numpy(k, out));
  if (is_fast)
    result = call_bound(k, input, in, is_given ? out : NULL, threads);
  while (held > 0)
    PyBuffer_Release(&in[--held]);
  if (is_fast || exact)
    return result;
  PyErr_Clear();
  return PyObject_CallFunction(slow_call, "OOO", (PyObject *)k, args, kwargs ? kwargs : Py_None);
}

// call(inputs..., out=None or an array or a tuple of them, threads=None)
static PyObject *kernel_call(PyObject *self, PyObject *args, PyObject *kwargs) {
  return kernel_run((Kernel *)self, args, kwargs, 0);
}

// The same, without converting arguments that the kernel does not take.
static PyObject *kernel_exact(PyObject *self, PyObject *args, PyObject *kwargs) {
  return kernel_run((Kernel *)self, args, kwargs, 1);
}

static PyMethodDef kernel_methods[] = {
    {"exact", (PyCFunction)(void (*)(void))kernel_exact, METH_VARARGS | METH_KEYWORDS,
     "Calls the kernel with NumPy arrays of the right types, in row-major order."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot kernel_slots[] = {
    {Py_tp_new, kernel_new},
    {Py_tp_dealloc, kernel_free},
    {Py_tp_call, kernel_call},
    {Py_tp_methods, kernel_methods},
    {Py_tp_doc, "Kernel(program, graph, input dtypes, output dtypes)"},
    {0, NULL}};
PyType_Spec kernel_spec = {"reshapec._core.Kernel", sizeof(Kernel), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, kernel_slots};
