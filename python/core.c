// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module, and calls of rearrange and repeat.
#include "python/core.h"

#include <string.h>

enum {
  SITES = 1024, // cached calls of each function
  MAX_SIZES = 8 // named sizes of such a call
};

PyObject *program_type, *kernel_type, *compile_error, *call_error, *numpy_empty, *numpy_array,
    *name_dtype, *slow, *slow_call, *keep;

// ---- The cache of calls of rearrange and repeat ----

// A call with this pattern, names, sizes, shape and type.
typedef struct Site {
  PyObject *pattern, *type, *names; // names: the tuple of keywords, or NULL
  int rank;
  int64_t dim[RESHAPEC_MAX_RANK], size[MAX_SIZES];
  Kernel *kernel;
} Site;

static Site sites[2][SITES]; // rearrange, repeat; guarded by the GIL

static size_t site_hash(const Site *s, Py_ssize_t sizes) {
  size_t hash = ((size_t)s->pattern >> 4) * 31 + ((size_t)s->type >> 4);
  for (int i = 0; i < s->rank; i++)
    hash = hash * 1000003 + (size_t)s->dim[i];
  for (Py_ssize_t i = 0; i < sizes; i++)
    hash = hash * 1000003 + (size_t)s->size[i] * 7 + ((size_t)PyTuple_GetItem(s->names, i) >> 4);
  return (hash ^ hash >> 17) % SITES;
}

// For keywords, `h=12`, the tuple of names is the same object in each call; for a mapping, `**sizes`, the tuple is new
// each time, but the names in it are the same objects.
static int same_names(PyObject *a, PyObject *b) {
  if (a == b)
    return 1;
  Py_ssize_t count = a && b ? PyTuple_Size(a) : -1;
  if (count < 0 || PyTuple_Size(b) != count)
    return 0;
  for (Py_ssize_t i = 0; i < count; i++)
    if (PyTuple_GetItem(a, i) != PyTuple_GetItem(b, i))
      return 0;
  return 1;
}

static int same_site(const Site *a, const Site *b, Py_ssize_t sizes) {
  return a->pattern == b->pattern && a->type == b->type && same_names(a->names, b->names) &&
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

// The alignment that any kernel requires of such elements: 16 bytes are two numbers.
static int item_align(const Py_buffer *b) {
  int power = (int)(b->itemsize & -b->itemsize);
  return power > 8 ? 8 : power > 1 ? power : 1;
}

// Calls the package's Python function, which returns the result, or, if `is_plain`, a kernel that computes it.
static PyObject *call_slowly(int which, PyObject *const *args, Py_ssize_t count, PyObject *names,
                             int is_plain) {
  Py_ssize_t sizes = names ? PyTuple_Size(names) : 0;
  PyObject *positional = PyTuple_New(count), *keywords = PyDict_New(), *result = NULL;
  int good = positional && keywords;
  for (Py_ssize_t i = 0; good && i < count; i++)
    good = PyTuple_SetItem(positional, i, Py_NewRef(args[i])) == 0;
  for (Py_ssize_t i = 0; good && i < sizes; i++)
    good = PyDict_SetItem(keywords, PyTuple_GetItem(names, i), args[count + i]) == 0;
  if (good)
    result = PyObject_CallFunction(slow, "iOOi", which, positional, keywords, is_plain);
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
    return call_slowly(which, args, count, names, 0);
  }
  int is_plain = PyBuffer_IsContiguous(&in, 'C') && in.ndim <= RESHAPEC_MAX_RANK &&
                 is_aligned(&in, item_align(&in));
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
    return call_slowly(which, args, count, names, 0);
  }
  site.type = PyObject_GetAttr(args[0], name_dtype);
  PyObject *result = NULL;
  if (site.type) {
    Site *found = &sites[which][site_hash(&site, sizes)];
    if (found->kernel && same_site(found, &site, sizes)) {
      Kernel *kernel = (Kernel *)Py_NewRef((PyObject *)found->kernel);
      result = call_bound(kernel, args, &in, NULL, kernel->threads);
      Py_DECREF((PyObject *)kernel);
    } else {
      PyObject *kernel = call_slowly(which, args, count, names, 1);
      if (kernel && PyObject_TypeCheck(kernel, (PyTypeObject *)kernel_type)) {
        site_keep(found, &site, kernel);
        result = call_bound((Kernel *)kernel, args, &in, NULL, ((Kernel *)kernel)->threads);
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

// What it sets belongs to one interpreter, and so do the types and the cached kernels.
static PyObject *core_set(PyObject *self, PyObject *args) {
  static int64_t owner = -1;
  int64_t mine = PyInterpreterState_GetID(PyInterpreterState_Get());
  (void)self;
  if (owner >= 0 && owner != mine) {
    PyErr_SetString(PyExc_ImportError,
                    "another interpreter of this process has imported reshapec, which works in "
                    "one of them only");
    return NULL;
  }
  owner = mine;
  if (!PyArg_ParseTuple(args, "OOOOOOO", &compile_error, &call_error, &numpy_empty, &numpy_array,
                        &slow, &slow_call, &keep))
    return NULL;
  Py_INCREF(compile_error), Py_INCREF(call_error), Py_INCREF(numpy_empty), Py_INCREF(numpy_array),
      Py_INCREF(slow), Py_INCREF(slow_call), Py_INCREF(keep);
  Py_RETURN_NONE;
}

// Whether a kernel takes the memory of a NumPy array: it is row-major and aligned.
static PyObject *core_is_plain(PyObject *self, PyObject *args) {
  (void)self;
  PyObject *array;
  Py_buffer buffer;
  int align;
  if (!PyArg_ParseTuple(args, "Oi", &array, &align) ||
      PyObject_GetBuffer(array, &buffer, PyBUF_STRIDES) != 0)
    return NULL;
  int is_plain = PyBuffer_IsContiguous(&buffer, 'C') && is_aligned(&buffer, item_align(&buffer)) &&
                 is_aligned(&buffer, align);
  PyBuffer_Release(&buffer);
  return PyBool_FromLong(is_plain);
}

static PyObject *core_threads(PyObject *self, PyObject *number) {
  (void)self;
  int threads = threads_of(number);
  return threads > 0 ? PyLong_FromLong(threads) : NULL;
}

static PyObject *core_version(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  return PyUnicode_FromString(reshapec_version());
}

// The table casts a function with keywords to another type (PEP 590).
#define FAST(function) (PyCFunction)(void (*)(void)) function

static PyMethodDef functions[] = {
    {"rearrange", FAST(core_rearrange), METH_FASTCALL | METH_KEYWORDS,
     "rearrange(x, pattern, out=None, threads=None, **sizes)\n\nReorders, splits and joins axes by "
     "a pattern of "
     "einops: "
     "rearrange(x, 'b s (h d) -> b h s d', h=12).\nA result that needs no copy is a view. x may be "
     "a list of arrays of one "
     "shape, whose number is the first axis."},
    {"repeat", FAST(core_repeat), METH_FASTCALL | METH_KEYWORDS,
     "repeat(x, pattern, out=None, threads=None, **sizes)\n\nRepeats elements along axes that the "
     "right side "
     "adds: "
     "repeat(x, 'h w -> h w c', c=3)."},
    {"set", core_set, METH_VARARGS,
     "set(CompileError, CallError, numpy.empty, numpy.ndarray, slow, slow_call, keep)"},
    {"is_plain", core_is_plain, METH_VARARGS, "Whether a NumPy array is row-major and aligned."},
    {"threads", core_threads, METH_O, "A number of threads, or CallError."},
    {"version", core_version, METH_NOARGS, "The version of the compiler."},
    {NULL, NULL, 0, NULL}};
static PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "reshapec._core", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
  PyObject *m = PyModule_Create(&module);
  pool_open();
  name_dtype = PyUnicode_InternFromString("dtype");
  program_type = PyType_FromSpec(&program_spec);
  kernel_type = PyType_FromSpec(&kernel_spec);
  if (m && name_dtype && program_type && kernel_type &&
      PyModule_AddObjectRef(m, "Program", program_type) == 0 &&
      PyModule_AddObjectRef(m, "Kernel", kernel_type) == 0)
    return m;
  Py_XDECREF(m);
  return NULL;
}
