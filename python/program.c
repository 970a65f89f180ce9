// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs: texts and models, for kernels and descriptions.
#include "python/core.h"

#include <string.h>

// A thread may enter twice: allocating Python objects may run finalizers, which may use the program.
void program_enter(Program *program) {
  unsigned long me = PyThread_get_thread_ident();
  if (program->depth > 0 && program->owner == me) {
    program->depth++;
    return;
  }
  if (!PyThread_acquire_lock(program->lock, NOWAIT_LOCK)) {
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(program->lock, WAIT_LOCK);
    Py_END_ALLOW_THREADS
  }
  program->owner = me;
  program->depth = 1;
}

void program_leave(Program *program) {
  if (--program->depth == 0)
    PyThread_release_lock(program->lock);
}

// A message shows a line of the source, which may be anything, and so may the names of a model: \xff, as in messages.
static PyObject *text_object(const char *text, size_t length) {
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "backslashreplace");
}

static PyObject *string_object(const char *text) { return text_object(text, strlen(text)); }

// As the command line prints messages, without the last line break.
static PyObject *messages_object(const char *text) {
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == '\n')
    length--;
  return text_object(text, length);
}

PyObject *raise_messages(reshapec *r, reshapec_status status) {
  const char *text = r ? reshapec_messages_text(r) : "out of memory";
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < reshapec_message_count(r); i++) {
    static const char *const severity[] = {"error", "warning", "note"};
    reshapec_message m;
    if (reshapec_get_message(r, i, &m) != RESHAPEC_OK)
      break;
    PyObject *item = Py_BuildValue(
        "{s:s,s:s,s:N,s:N,s:I,s:I,s:I,s:I}", "severity", severity[m.severity], "kind", m.kind,
        "text", string_object(m.text), "file", PyUnicode_DecodeFSDefault(m.file), "line", m.line,
        "column", m.column, "end_line", m.end_line, "end_column", m.end_column);
    if (!item || PyList_Append(list, item) != 0) {
      Py_XDECREF(item);
      Py_CLEAR(list);
      break;
    }
    Py_DECREF(item);
  }
  PyObject *error = NULL;
  if (list)
    error = PyObject_CallFunction(compile_error, "N",
                                  messages_object(*text ? text : "the call is wrong"));
  if (error && PyObject_SetAttrString(error, "messages", list) == 0)
    PyErr_SetObject(status == RESHAPEC_MEMORY ? PyExc_MemoryError : compile_error, error);
  Py_XDECREF(error);
  Py_XDECREF(list);
  return NULL;
}

// False: an error is set.
static int copy_text(const char *text, char **out) {
  size_t size = text ? strlen(text) + 1 : 0;
  *out = text ? PyMem_Malloc(size) : NULL;
  if (*out)
    memcpy(*out, text, size);
  else if (text)
    PyErr_NoMemory();
  return *out || !text;
}

// With weights the source is OpenVINO IR.
static reshapec_status read_source(reshapec *r, int is_model, const char *name,
                                   const Py_buffer *source, const Py_buffer *weights) {
  size_t size = (size_t)source->len;
  if (weights->obj)
    return reshapec_read_openvino(r, name, source->buf, size, weights->buf, (size_t)weights->len);
  return is_model ? reshapec_read_onnx(r, name, source->buf, size)
                  : reshapec_read_text(r, name, source->buf, size);
}

static PyObject *open_program(PyTypeObject *type, reshapec_options *options, PyObject *threads,
                              int is_model, const char *name, const Py_buffer *source,
                              const Py_buffer *weights) {
  int thread_count = threads ? threads_of(threads) : 1;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Program *program = thread_count > 0 ? (Program *)allocate(type, 0) : NULL;
  if (!program)
    return NULL;
  if (!copy_text(options->cpu, &program->cpu) ||
      !copy_text(options->features, &program->features)) {
    Py_DECREF(program);
    return NULL;
  }
  options->cpu = program->cpu, options->features = program->features;
  program->threads = thread_count;
  program->lock = PyThread_allocate_lock();
  options->parallel = thread_count > 1;
  reshapec_status status =
      program->lock ? reshapec_open(options, NULL, &program->r) : RESHAPEC_MEMORY;
  if (status == RESHAPEC_OK) {
    Py_BEGIN_ALLOW_THREADS status = read_source(program->r, is_model, name, source, weights);
    Py_END_ALLOW_THREADS
  }
  if (status == RESHAPEC_OK)
    return (PyObject *)program;
  raise_messages(program->r, status);
  Py_DECREF(program);
  return NULL;
}

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"source",  "name",     "cpu",     "features", "level",
                          "threads", "is_model", "weights", NULL};
  Py_buffer source, weights = {0};
  const char *level = "2";
  int is_model = 0;
  PyObject *threads = NULL, *name = NULL, *program = NULL;
  reshapec_options options = {0};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s*|O&zzsOpy*", names, &source,
                                   PyUnicode_FSConverter, &name, &options.cpu, &options.features,
                                   &level, &threads, &is_model, &weights))
    return NULL;
  options.level = level[0];
  if (strlen(level) == 1 && strchr("0123sz", level[0]))
    program = open_program(type, &options, threads, is_model,
                           name ? PyBytes_AsString(name) : "<text>", &source, &weights);
  else
    PyErr_Format(call_error, "level is '%s': it must be '0', '1', '2', '3', 's' or 'z'", level);
  Py_XDECREF(name);
  PyBuffer_Release(&source);
  PyBuffer_Release(&weights); // does nothing if there are none
  return program;
}

void object_free(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static void program_free(PyObject *self) {
  Program *program = (Program *)self;
  reshapec_close(program->r);
  PyMem_Free(program->cpu);
  PyMem_Free(program->features);
  if (program->lock)
    PyThread_free_lock(program->lock);
  object_free(self);
}

static PyObject *describe(const reshapec_tensor *t) {
  static const char *const tier[] = {"alias", "static", "symbolic", "dynamic"};
  PyObject *dims = PyTuple_New(t->rank < 0 ? 0 : t->rank);
  for (int i = 0; dims && i < t->rank; i++)
    PyTuple_SetItem(dims, i, t->dim[i] < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(t->dim[i]));
  return dims ? Py_BuildValue("{s:N,s:s,s:N,s:i,s:O,s:i,s:N,s:s,s:i,s:i,s:L,s:N}", "name",
                              string_object(t->name), "type", t->type, "text",
                              string_object(t->text), "bits", t->bits, "is_plain",
                              t->is_plain ? Py_True : Py_False, "align", t->align, "dims", dims,
                              "tier", tier[t->tier], "alias_of", t->alias_of, "in_place_of",
                              t->in_place_of, "bytes_moved", (long long)t->bytes_moved, "why",
                              string_object(t->why))
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

static PyObject *graphs(reshapec *r) {
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < reshapec_graph_count(r); i++) {
    reshapec_graph graph;
    if (reshapec_get_graph(r, i, &graph) != RESHAPEC_OK)
      break;
    PyObject *item = Py_BuildValue("{s:N,s:N,s:N}", "name", string_object(graph.name), "inputs",
                                   tensors(r, i, graph.inputs, reshapec_get_input), "outputs",
                                   tensors(r, i, graph.outputs, reshapec_get_output));
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

static PyObject *program_graphs(PyObject *self, PyObject *unused) {
  (void)unused;
  Program *program = (Program *)self;
  program_enter(program);
  PyObject *list = graphs(program->r);
  program_leave(program);
  return list;
}

// The index of a name in a list. -1: it is not there.
static int find_name(const char *name, const char *const *names, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  return -1;
}

static PyObject *program_explain(PyObject *self, PyObject *args) {
  static const char *const names[] = {"text", "json", "svg", "dot", "plan"};
  const char *name;
  Program *program = (Program *)self;
  if (!PyArg_ParseTuple(args, "s", &name))
    return NULL;
  int view = find_name(name, names, 5);
  if (view < 0)
    return PyErr_Format(PyExc_ValueError, "'%s' is not 'text', 'json', 'svg', 'dot' or 'plan'",
                        name);
  reshapec_bytes text;
  program_enter(program);
  reshapec_status status = reshapec_explain(program->r, (reshapec_view)view, &text);
  PyObject *result = status == RESHAPEC_OK ? text_object(text.data, text.size)
                                           : raise_messages(program->r, status);
  program_leave(program);
  return result;
}

static PyObject *program_emit(PyObject *self, PyObject *args) {
  static const char *const names[] = {"obj", "asm", "llvm-ir", "bc", "c"};
  const char *name, *header_name;
  Program *program = (Program *)self;
  if (!PyArg_ParseTuple(args, "ss", &name, &header_name))
    return NULL;
  int kind = find_name(name, names, 5);
  if (kind < 0)
    return PyErr_Format(PyExc_ValueError, "'%s' is not 'obj', 'asm', 'llvm-ir', 'bc' or 'c'", name);
  if (strpbrk(header_name, "\"\n\r"))
    return PyErr_Format(call_error, "the header's name has a quote or a line break: %R",
                        PyTuple_GetItem(args, 1));
  reshapec_bytes code, header;
  program_enter(program);
  reshapec_status status =
      reshapec_emit(program->r, (reshapec_emit_kind)kind, header_name, &code, &header);
  PyObject *result = status == RESHAPEC_OK ? Py_BuildValue("y#N", code.data, (Py_ssize_t)code.size,
                                                           text_object(header.data, header.size))
                                           : raise_messages(program->r, status);
  program_leave(program);
  return result;
}

static PyObject *program_warnings(PyObject *self, PyObject *unused) {
  (void)unused;
  Program *program = (Program *)self;
  program_enter(program);
  PyObject *result = messages_object(reshapec_messages_text(program->r));
  program_leave(program);
  return result;
}

static PyObject *program_key(PyObject *self, PyObject *unused) {
  (void)unused;
  Program *program = (Program *)self;
  const char *key;
  program_enter(program);
  reshapec_status status = reshapec_get_key(program->r, &key);
  PyObject *result =
      status == RESHAPEC_OK ? Py_BuildValue("z", key) : raise_messages(program->r, status);
  program_leave(program);
  return result;
}

static PyObject *program_save(PyObject *self, PyObject *unused) {
  (void)unused;
  Program *program = (Program *)self;
  reshapec_bytes code;
  reshapec_status status;
  program_enter(program);
  Py_BEGIN_ALLOW_THREADS status = reshapec_save(program->r, &code);
  Py_END_ALLOW_THREADS PyObject *result =
      status == RESHAPEC_OK ? PyBytes_FromStringAndSize(code.data, (Py_ssize_t)code.size)
                            : raise_messages(program->r, status);
  program_leave(program);
  return result;
}

static PyObject *program_restore(PyObject *self, PyObject *args) {
  Program *program = (Program *)self;
  Py_buffer code;
  reshapec_status status;
  if (!PyArg_ParseTuple(args, "y*", &code))
    return NULL;
  program_enter(program);
  Py_BEGIN_ALLOW_THREADS status = reshapec_restore(program->r, code.buf, (size_t)code.len);
  Py_END_ALLOW_THREADS PyObject *result =
      status == RESHAPEC_OK || status == RESHAPEC_USAGE
          ? Py_NewRef(status == RESHAPEC_OK ? Py_True : Py_False)
          : raise_messages(program->r, status);
  program_leave(program);
  PyBuffer_Release(&code);
  return result;
}

static PyMethodDef program_methods[] = {
    {"graphs", program_graphs, METH_NOARGS,
     "The graphs, with their inputs and outputs, as dictionaries."},
    {"warnings", program_warnings, METH_NOARGS, "The messages about the source; they may be ''."},
    {"explain", program_explain, METH_VARARGS,
     "How the results of all graphs are made: 'text', 'json', 'svg', 'dot' or 'plan'."},
    {"emit", program_emit, METH_VARARGS, "Code and header: emit('obj', 'name.h')."},
    {"key", program_key, METH_NOARGS,
     "A key of everything that the code depends on, usable as a file name; None if the source is "
     "too large to keep."},
    {"save", program_save, METH_NOARGS, "The code, for restore() of a program with the same key."},
    {"restore", program_restore, METH_VARARGS,
     "Loads code instead of compiling it. False: it is damaged, or has another key."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot program_slots[] = {
    {Py_tp_new, program_new},
    {Py_tp_dealloc, program_free},
    {Py_tp_methods, program_methods},
    {Py_tp_doc, "Program(source, name='<text>', cpu=None, features=None, level='2', threads=1, "
                "is_model=False, weights=None)"},
    {0, NULL}};
PyType_Spec program_spec = {"reshapec._core.Program", sizeof(Program), 0, Py_TPFLAGS_DEFAULT,
                            program_slots};
