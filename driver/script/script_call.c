// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of scripts (functions.def).
#include "driver/script/array_text.h"
#include "frontend/text/text_out.h"
#include "driver/script/script.h"

#include "runtime/convert.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <string.h>

typedef enum FunctionId {
#define FUNCTION(id, name, fewest, most, shown, help, example) FUNCTION_##id,
#include "driver/base/functions.def"
#undef FUNCTION
  FUNCTION_COUNT
} FunctionId;

static const ScriptFunction functions[FUNCTION_COUNT] = {
#define FUNCTION(id, name, fewest, most, shown, help, example) {name, fewest, most, shown, help},
#include "driver/base/functions.def"
#undef FUNCTION
};

typedef struct Call {
  Script *script;
  const ScriptFunction *function;
  Span span;
  Expr **arg; // evaluated
  int count;
} Call;

const ScriptFunction *script_function(const char *name) {
  for (int i = 0; i < FUNCTION_COUNT; i++)
    if (strcmp(functions[i].name, name) == 0)
      return &functions[i];
  return NULL;
}

int script_functions(const char **name, int room) {
  int count = 0;
  for (; count < FUNCTION_COUNT && count < room; count++)
    name[count] = functions[count].name;
  return count;
}

static Expr *refuse(const Call *c, const Expr *at, const char *wanted) {
  Script *s = c->script;
  const char *found = script_is_tensor(s, at)    ? "a tensor"
                      : at->kind == EXPR_COMPARE ? "a comparison"
                                                 : script_text(s, at);
  diag_error(s->diag, at->span, "bad_arg", "'%s' takes %s here; this is %s", c->function->name,
             wanted, found);
  return NULL;
}

// ---- load ----

static bool take_stdin(const Call *c, Span span) {
  Script *s = c->script;
  if (s->is_job) // the main process reads it
    return false;
  const char *file = s->options->file;
  bool is_script = !s->options->text && (!file || strcmp(file, "-") == 0);
  if (!s->has_read && !is_script)
    return s->has_read = true;
  diag_error(s->diag, span, "bad_file", "standard input can be read only once, and %s",
             is_script ? "the statements are" : "has been");
  return false;
}

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Reports a read of a file that a dry run has not written.
static bool is_there(const Call *c, const Expr *path) {
  Script *s = c->script;
  for (int i = 0; i < s->unwritten.count; i++)
    if (strcmp(s->unwritten.item[i], path->string.text) == 0) {
      diag_error(s->diag, path->span, "bad_file",
                 "'%s' would be written by this script: a dry run ends where it is read",
                 path->string.text);
      return false;
    }
  return true;
}

// Creates a tensor for an array in memory; messages call it `name`.
static Expr *add_tensor(const Call *c, Loaded *loaded, const char *name, Span span) {
  Script *s = c->script;
  rsh_shape shape = {.rank = loaded->array.rank};
  for (int i = 0; i < shape.rank; i++)
    shape.dim[i] = rsh_int(loaded->array.dim[i]);
  Value *value = session_input(s->session, name, loaded->array.dtype, &shape, span);
  loaded->value = value;
  VEC_PUSH(s->arena, s->loaded, *loaded);
  return script_hide(s, value, c->span);
}

// The element type of argument `i`; `otherwise` if it is missing. RSH_DTYPE_NONE: reported.
static rsh_dtype type_argument(const Call *c, int i, rsh_dtype otherwise) {
  if (c->count <= i)
    return otherwise;
  const Expr *e = c->arg[i];
  rsh_dtype type = e->kind == EXPR_NAME ? rsh_dtype_find(e->name, strlen(e->name)) : RSH_DTYPE_NONE;
  if (type == RSH_DTYPE_NONE)
    refuse(c, e, "an element type");
  return type;
}

static void note_opened(Script *s) {
  for (int i = 0; i < s->opened.count; i++)
    if (s->opened.item[i].device == s->named.device && s->opened.item[i].inode == s->named.inode)
      return;
  VEC_PUSH(s->arena, s->opened, s->named);
}

// Opens a file of named tensors. NULL: an error was reported.
static const NamedFile *open_named(const Call *c, const Expr *path) {
  Script *s = c->script;
  NpyError error;
  if (!script_complete(s, path->string.text))
    return NULL;
  if (!named_open(s->arena, path->string.text, &s->named, &error)) {
    diag_error(s->diag, path->span, error.kind, "%s", error.text);
    return NULL;
  }
  note_opened(s);
  s->header = s->named.header > s->header ? s->named.header : s->header;
  return &s->named;
}

// Creates a tensor for a file, or for the tensor `entry` in it.
static Expr *note_read(const Call *c, Loaded *loaded, const Expr *path, const Expr *entry) {
  Script *s = c->script;
  const char *file = path->string.text;
  const char *name = entry ? arena_text(s->arena, entry->string.text, entry->string.length) : NULL;
  if (s->options->dry_run)
    dry_run_read(&s->dry, file, name, &loaded->array);
  return add_tensor(c, loaded, name ? name : base_of(file), entry ? entry->span : path->span);
}

// Loads the tensor `name` of a file, or a list of tensors for a list of names.
static Expr *load_named(const Call *c, const Expr *path, const Expr *name) {
  Script *s = c->script;
  if (name && expr_is_list(name)) {
    Expr **item = ARENA_ARRAY(s->arena, Expr *, name->list.count + 1);
    for (int i = 0; i < name->list.count; i++)
      if (!(item[i] = load_named(c, path, name->list.item[i])))
        return NULL;
    return script_list(s, item, name->list.count, c->span);
  }
  const NamedFile *file = open_named(c, path);
  Loaded loaded = {0};
  NpyError error;
  if (!file)
    return NULL;
  if (!name || name->kind != EXPR_STRING) {
    diag_error(s->diag, name ? name->span : path->span, "bad_arg",
               "'%s' contains named tensors: write load(\"%s\", \"%s\"); names(\"%s\") lists them",
               path->string.text, path->string.text, file->count > 0 ? file->entry[0].name : "NAME",
               path->string.text);
    return NULL;
  }
  if (!named_read(file, name->string.text, &loaded.array, &error)) {
    const char **among = ARENA_ARRAY(s->arena, const char *, file->count + 1);
    for (int i = 0; i < file->count; i++)
      among[i] = file->entry[i].name;
    const char *nearest = strcmp(error.kind, "unknown_name") == 0
                              ? diag_nearest(name->string.text, among, file->count)
                              : NULL;
    diag_error(s->diag, name->span, error.kind, "%s%s", error.text,
               nearest ? arena_printf(s->arena, "; did you mean '%s'?", nearest) : "");
    return NULL;
  }
  return note_read(c, &loaded, path, name);
}

// For f32[2, 3] as an argument: its type, a name of an element type. NULL: it is another value.
static const Expr *type_of_sizes(const Expr *e) {
  const Expr *type = e->kind == EXPR_INDEX ? e->index.subject : NULL;
  bool is_type = type && type->kind == EXPR_NAME &&
                 rsh_dtype_find(type->name, strlen(type->name)) != RSH_DTYPE_NONE;
  return is_type ? type : NULL;
}

// Loads the elements of a file as described by `sized`, such as f32[2, 3].
static Expr *load_raw(const Call *c, const Expr *path, const Expr *sized) {
  const Expr *type = type_of_sizes(sized);
  int64_t dim[RSH_MAX_RANK];
  Loaded loaded = {0};
  NpyError error;
  if (!is_raw(path->string.text)) {
    diag_error(c->script->diag, path->span, "bad_arg",
               "'%s' has its own shape: only .bin and .raw files are read by type and shape",
               path->string.text);
    return NULL;
  }
  rsh_dtype dtype = rsh_dtype_find(type->name, strlen(type->name));
  if (dtype == RSH_STRING)
    return refuse(c, sized, "a numeric type");
  if (sized->index.count > RSH_MAX_RANK)
    return refuse(c, sized, "at most 16 sizes");
  for (int i = 0; i < sized->index.count; i++) {
    const Subscript *item = &sized->index.item[i];
    if (item->kind != SUBSCRIPT_INDEX || !item->start || item->start->kind != EXPR_INT)
      return refuse(c, sized, "sizes that are integers, as in f32[2, 3]");
    dim[i] = item->start->integer;
  }
  if (!raw_read(path->string.text, dtype, sized->index.count, dim, &loaded.array, &error)) {
    diag_error(c->script->diag, path->span, error.kind, "%s", error.text);
    return NULL;
  }
  return note_read(c, &loaded, path, NULL);
}

static Expr *load_file(const Call *c, const Expr *path, rsh_dtype type) {
  Script *s = c->script;
  if (path->kind != EXPR_STRING)
    return refuse(c, path, "the name of a file");
  if (!is_there(c, path))
    return NULL;
  if (is_named(path->string.text))
    return load_named(c, path, c->count == 2 ? c->arg[1] : NULL);
  if (c->count == 2 && type_of_sizes(c->arg[1]))
    return load_raw(c, path, c->arg[1]);
  if (strcmp(path->string.text, "-") == 0 && !take_stdin(c, path->span))
    return NULL;
  Loaded loaded = {0};
  NpyError error;
  if (!script_read(s, path->string.text, type, &loaded.array, &error)) {
    diag_error(s->diag, path->span, error.kind, "%s", error.text);
    return NULL;
  }
  return note_read(c, &loaded, path, NULL);
}

static Expr *call_load(const Call *c) {
  bool is_typed = (c->arg[0]->kind != EXPR_STRING || !is_named(c->arg[0]->string.text)) &&
                  !(c->count == 2 && type_of_sizes(c->arg[1]));
  rsh_dtype type = is_typed ? type_argument(c, 1, RSH_DTYPE_NONE) : RSH_DTYPE_NONE;
  if (c->count == 2 && type == RSH_DTYPE_NONE && is_typed)
    return NULL;
  if (!script_flush(c->script)) // it may write the file
    return NULL;
  if (!expr_is_list(c->arg[0]))
    return load_file(c, c->arg[0], type);
  int count = c->arg[0]->list.count;
  Expr **item = ARENA_ARRAY(c->script->arena, Expr *, count);
  for (int i = 0; i < count; i++)
    if (!(item[i] = load_file(c, c->arg[0]->list.item[i], type)))
      return NULL;
  return script_list(c->script, item, count, c->span);
}

// ---- save, print ----

static Value *tensor(const Call *c, const Expr *e) {
  if (script_is_tensor(c->script, e))
    return session_value(c->script->session, e);
  if (e->kind == EXPR_NAME) // reports the unknown name
    return session_value(c->script->session, e);
  refuse(c, e, "a tensor");
  return NULL;
}

static uint64_t bytes_of(const Value *value) {
  uint64_t bytes = 16;
  for (int i = 0; i < value->shape.rank; i++)
    if (__builtin_mul_overflow(bytes, (uint64_t)value->shape.dim[i].n, &bytes))
      return UINT64_MAX;
  return bytes / 128 * (uint64_t)plan_element_bits(value->dtype);
}

static bool take_stdout(const Call *c, bool *mine, bool other) {
  if (other)
    diag_error(c->script->diag, c->span, "bad_file",
               "standard output cannot take both an array and the output of 'print'");
  *mine = true;
  return !other;
}

enum { MOST_BYTES_TOGETHER = 1 << 28 }; // limit of the arrays that adjacent saves hold in memory

static Expr *call_save(const Call *c) {
  Script *s = c->script;
  Value *value = tensor(c, c->arg[0]);
  if (!value)
    return NULL;
  if (c->arg[1]->kind != EXPR_STRING)
    return refuse(c, c->arg[1], "the name of a file");
  Save save = {.value = value, .path = c->arg[1]->string.text, .span = c->arg[1]->span};
  bool has_name = is_named(save.path);
  if (has_name != (c->count > 2)) {
    diag_error(s->diag, c->arg[1]->span, "arity",
               has_name ? "'%s' contains named tensors: save(x, \"%s\", \"NAME\")"
                        : "'%s' contains one unnamed tensor: only .safetensors, .npz and "
                          ".gguf files have names",
               save.path, save.path);
    return NULL;
  }
  if (has_name && c->arg[2]->kind != EXPR_STRING)
    return refuse(c, c->arg[2], "the name of the tensor");
  if (c->count > 3 && c->arg[3]->kind != EXPR_STRING)
    return refuse(c, c->arg[3], "the name of a type, as in \"Q4_0\"");
  save.name = has_name ? c->arg[2]->string.text : NULL;
  save.type = c->count > 3 ? c->arg[3]->string.text : NULL;
  if (strcmp(save.path, "-") == 0 &&
      (s->is_job || !take_stdout(c, &s->has_written, s->has_printed)))
    return NULL;
  uint64_t bytes = bytes_of(value);
  if (s->save_bytes > 0 && (bytes > MOST_BYTES_TOGETHER || s->save_bytes > MOST_BYTES_TOGETHER) &&
      !script_flush(s))
    return NULL;
  s->save_bytes += bytes;
  VEC_PUSH(s->arena, s->save, save);
  return script_nothing;
}

// Calls an operator on behalf of the script: gather(x, [0, 1, 2, 7, 8, 9], 1).
static Value *apply(const Call *c, const char *op, Value *value, Expr *a, Expr *b) {
  Script *s = c->script;
  Expr *x = script_hide(s, value, c->span);
  Expr call = {.kind = EXPR_CALL, .depth = 2, .span = c->span};
  Arg arg[3] = {{.value = x}, {.value = a}, {.value = b}};
  call.call.callee = op;
  call.call.callee_span = c->span;
  call.call.arg = arg;
  call.call.count = b ? 3 : 2;
  return session_value(s->session, &call);
}

static Value *convert_array(const Call *c, Value *value, rsh_dtype type) {
  Expr name = {.kind = EXPR_NAME, .depth = 1, .span = c->span};
  name.name = rsh_dtype_name(type);
  return apply(c, "cast", value, &name, NULL);
}

// The part of a long axis that is shown: its first and last entries.
static Value *edges(const Call *c, Value *value, int axis) {
  Script *s = c->script;
  Expr *item[2 * ARRAY_TEXT_EDGE];
  int64_t size = value->shape.dim[axis].n;
  for (int i = 0; i < ARRAY_TEXT_EDGE; i++) {
    item[i] = script_integer(s, i, c->span);
    item[i + ARRAY_TEXT_EDGE] = script_integer(s, size - ARRAY_TEXT_EDGE + i, c->span);
  }
  return apply(c, "gather", value, script_list(s, item, 2 * ARRAY_TEXT_EDGE, c->span),
               script_integer(s, axis, c->span));
}

// Converts a value to a type that array_print supports.
static Value *printable(const Call *c, Value *value) {
  switch (value->dtype) {
  case RSH_BF16:
  case RSH_F8E4M3FN:
  case RSH_F8E4M3FNUZ:
  case RSH_F8E5M2:
  case RSH_F8E5M2FNUZ:
  case RSH_F8E8M0:
  case RSH_F4E2M1:
    return convert_array(c, value, RSH_F32);
  case RSH_I4:
  case RSH_I2:
    return convert_array(c, value, RSH_I8);
  case RSH_U4:
  case RSH_U2:
  case RSH_U1:
    return convert_array(c, value, RSH_U8);
  default:
    return value;
  }
}

static const char *type_of(Script *s, const Value *value) {
  int64_t dim[RSH_MAX_RANK];
  for (int i = 0; i < value->shape.rank; i++)
    dim[i] = value->shape.dim[i].n;
  return array_type_text(arena_alloc(s->arena, ARRAY_TEXT_TYPE), value->dtype, value->shape.rank,
                         dim);
}

enum { MOST_SHOWN = 1 << 20 };

// Computes only the values that are printed.
static bool print_tensor(const Call *c, Value *value) {
  Script *s = c->script;
  const int rank = value->shape.rank;
  int64_t dim[RSH_MAX_RANK], count = 1;
  for (int i = 0; i < rank; i++) {
    dim[i] = value->shape.dim[i].n;
    if (__builtin_mul_overflow(count, dim[i], &count))
      count = INT64_MAX;
  }
  Value *shown = value;
  bool is_whole = count <= ARRAY_TEXT_WHOLE;
  count = 1;
  for (int i = 0; i < rank; i++) { // at most 6^16
    bool is_long = !is_whole && dim[i] > 2 * ARRAY_TEXT_EDGE;
    count *= is_long ? 2 * ARRAY_TEXT_EDGE : dim[i];
    shown = shown && is_long ? edges(c, shown, i) : shown;
  }
  if (count > MOST_SHOWN) {
    diag_error(s->diag, c->span, "limit",
               "'print' shows at most %d elements; of %s, it would show %" PRId64
               ": print a part, as in x[0]",
               MOST_SHOWN, type_of(s, value), count);
    return false;
  }
  shown = shown ? printable(c, shown) : NULL;
  Npy array;
  if (!shown || !script_compute(s, &shown, 1, c->span, &array))
    return false;
  puts(type_of(s, value));
  array_print(&array, dim, stdout);
  script_release(s, &array, 1);
  return true;
}

static Expr *truth_value(const Call *c, const Expr *e, char why[256]);

static Expr *call_print(const Call *c) {
  Script *s = c->script;
  char why[256];
  if (!script_flush(s) || !take_stdout(c, &s->has_printed, s->has_written))
    return NULL;
  bool begins = true;
  for (int i = 0; i < c->count; i++) {
    Expr *e = c->arg[i]->kind == EXPR_COMPARE ? truth_value(c, c->arg[i], why) : c->arg[i];
    if (!e)
      return NULL;
    if (!begins)
      putchar(' ');
    if (script_is_tensor(s, e)) {
      Value *value = tensor(c, e);
      if (!value || !print_tensor(c, value))
        return NULL;
    } else {
      script_write(e, stdout);
    }
    begins = script_is_tensor(s, e); // its last line has ended
  }
  if (!begins)
    putchar('\n');
  return script_nothing;
}

bool script_print(Script *s, Expr *e) {
  Call call = {
      .script = s, .function = script_function("print"), .span = e->span, .arg = &e, .count = 1};
  return call_print(&call) != NULL;
}

// ---- assert ----

// The index of element i: "[0, 2]".
static const char *element_index(Script *s, const Npy *array, int64_t i) {
  const char *text = "";
  for (int k = array->rank - 1; k >= 0; k--) {
    text =
        arena_printf(s->arena, "%lld%s%s", (long long)(i % array->dim[k]), *text ? ", " : "", text);
    i /= array->dim[k];
  }
  return arena_printf(s->arena, "[%s]", text);
}

// One element in the form that `print` shows.
static const char *shown_element(const Call *c, Value *value, const Npy *array, int64_t i) {
  Script *s = c->script;
  for (int k = 0; k < array->rank && value; k++) {
    int64_t below = 1;
    for (int m = k + 1; m < array->rank; m++)
      below *= array->dim[m];
    value = apply(c, "gather", value, script_integer(s, i / below, c->span),
                  script_integer(s, 0, c->span));
    i %= below;
  }
  value = value ? printable(c, value) : NULL;
  Npy element;
  if (!value || !script_compute(s, &value, 1, c->span, &element))
    return "?";
  TextOut text;
  array_print(&element, NULL, text_out_begin(&text));
  char *line = text_out_end(&text, s->arena, NULL);
  line[strcspn(line, "\n")] = '\0';
  script_release(s, &element, 1);
  return line;
}

static bool elements_differ(const Npy *a, const Npy *b, int64_t i) {
  size_t bits = (size_t)rsh_dtype_bits(a->dtype), size = bits / 8;
  const unsigned char *x = a->data, *y = b->data;
  if (a->dtype == RSH_STRING)
    return strcmp(((const char *const *)a->data)[i], ((const char *const *)b->data)[i]) != 0;
  if (bits >= 8)
    return memcmp(x + (size_t)i * size, y + (size_t)i * size, size) != 0;
  size_t at = (size_t)i * bits;
  return ((x[at / 8] ^ y[at / 8]) >> at % 8 & ((1u << bits) - 1)) != 0;
}

static const char *difference(const Call *c, Value *const value[2], const Npy array[2]) {
  int64_t count = 1, differ = 0, first = 0;
  for (int k = 0; k < array[0].rank; k++)
    count *= array[0].dim[k];
  if (memcmp(array[0].data, array[1].data, array[0].bytes) == 0)
    return NULL;
  for (int64_t i = count - 1; i >= 0; i--)
    if (elements_differ(&array[0], &array[1], i)) {
      differ++;
      first = i;
    }
  if (differ == 0)
    return NULL;
  Script *s = c->script;
  return arena_printf(
      s->arena, "element %s is %s on the left, %s on the right; %lld of %lld differ",
      element_index(s, &array[0], first), shown_element(c, value[0], &array[0], first),
      shown_element(c, value[1], &array[1], first), (long long)differ, (long long)count);
}

// Sets *text to how two tensors differ, NULL if they are equal. False: reported.
static bool compare_tensors(const Call *c, const Expr *a, const Expr *b, Span span,
                            const char **text) {
  Script *s = c->script;
  Value *value[2] = {tensor(c, a), NULL};
  value[1] = value[0] ? tensor(c, b) : NULL;
  if (!value[1])
    return false;
  if (strcmp(type_of(s, value[0]), type_of(s, value[1])) != 0) {
    *text = arena_printf(s->arena, "the left is %s, the right is %s", type_of(s, value[0]),
                         type_of(s, value[1]));
  } else if (value[0] != value[1]) {
    Npy array[2];
    if (!script_compute(s, value, 2, span, array))
      return false;
    *text = difference(c, value, array);
    script_release(s, array, 2);
  }
  return true;
}

// The same for any two values: lists of tensors are compared entry by entry.
static bool compare_values(const Call *c, const Expr *a, const Expr *b, Span span,
                           const char **text) {
  Script *s = c->script;
  *text = NULL;
  if (script_is_tensor(s, a) && script_is_tensor(s, b))
    return compare_tensors(c, a, b, span, text);
  if (expr_is_list(a) && expr_is_list(b) && a->list.count == b->list.count) {
    for (int i = 0; i < a->list.count && !*text; i++) {
      if (!compare_values(c, a->list.item[i], b->list.item[i], span, text))
        return false;
      if (*text)
        *text = arena_printf(s->arena, "entry %d: %s", i, *text);
    }
    return true;
  }
  bool is_equal;
  if (!script_compare(s, WHERE_EQ, a, b, &is_equal))
    return false;
  if (!is_equal)
    *text = arena_printf(s->arena, "the left is %s, the right is %s", script_text(s, a),
                         script_text(s, b));
  return true;
}

static bool has_tensor(const Script *s, const Expr *e) {
  bool found = script_is_tensor(s, e);
  for (int i = 0; expr_is_list(e) && i < e->list.count && !found; i++)
    found = has_tensor(s, e->list.item[i]);
  return found;
}

// A tensor is not equal to a value of another kind, whatever its elements are.
static bool is_mixed(const Script *s, const Expr *a, const Expr *b) {
  bool found = script_is_tensor(s, a) != script_is_tensor(s, b);
  if (expr_is_list(a) && expr_is_list(b) && a->list.count == b->list.count)
    for (int i = 0; i < a->list.count && !found; i++)
      found = is_mixed(s, a->list.item[i], b->list.item[i]);
  return found;
}

// true or false, and the message for false. NULL: reported.
static Expr *truth_value(const Call *c, const Expr *e, char why[256]) {
  Script *s = c->script;
  if (e->kind == EXPR_COMPARE) {
    const Expr *a = e->compare.left, *b = e->compare.right;
    bool holds, is_equality = e->compare.kind == WHERE_EQ || e->compare.kind == WHERE_NE;
    if (!is_equality && script_is_tensor(s, a) && script_is_tensor(s, b)) {
      diag_error(s->diag, e->span, "bad_arg", "tensors are compared with == and != only");
      return NULL;
    }
    if (is_equality && is_mixed(s, a, b)) {
      diag_error(s->diag, e->span, "bad_arg",
                 "tensors are compared with tensors; 'ints(x)' is the list of a tensor's integers");
      return NULL;
    }
    if (is_equality && has_tensor(s, a) && has_tensor(s, b)) {
      const char *text;
      if (!compare_values(c, a, b, e->span, &text))
        return NULL;
      snprintf(why, 256, "%s", text ? text : "they are equal");
      return script_truth(s, (e->compare.kind == WHERE_EQ) == !text, e->span);
    }
    if (!script_compare(s, e->compare.kind, a, b, &holds))
      return NULL;
    snprintf(why, 256, "%s %s %s", script_text(s, a), comparison_text(e->compare.kind),
             script_text(s, b));
    return script_truth(s, holds, e->span);
  }
  bool is_true = e->kind == EXPR_NAME && strcmp(e->name, "true") == 0;
  if (!is_true && !(e->kind == EXPR_NAME && strcmp(e->name, "false") == 0))
    return refuse(c, e, "a comparison");
  snprintf(why, 256, "this is false");
  return script_truth(s, is_true, e->span);
}

static Expr *call_assert(const Call *c) {
  Script *s = c->script;
  char why[256];
  if (c->count == 2 && c->arg[1]->kind != EXPR_STRING)
    return refuse(c, c->arg[1], "a string");
  if (!script_flush(s))
    return NULL;
  Expr *result = truth_value(c, c->arg[0], why);
  if (!result || strcmp(result->name, "true") == 0)
    return result ? script_nothing : NULL;
  diag_error(s->diag, c->arg[0]->span, "assertion", "assertion failed: %s%s%s",
             c->count == 2 ? c->arg[1]->string.text : "", c->count == 2 ? ": " : "", why);
  return NULL;
}

// ---- queries ----

static Expr *call_shape(const Call *c) {
  Value *value = tensor(c, c->arg[0]);
  if (!value)
    return NULL;
  Expr **item = ARENA_ARRAY(c->script->arena, Expr *, value->shape.rank);
  for (int i = 0; i < value->shape.rank; i++)
    item[i] = script_integer(c->script, value->shape.dim[i].n, c->span);
  return script_list(c->script, item, value->shape.rank, c->span);
}

static Expr *call_dtype(const Call *c) {
  Value *value = tensor(c, c->arg[0]);
  if (!value)
    return NULL;
  Expr *e = ARENA_NEW(c->script->arena, Expr);
  *e = (Expr){.kind = EXPR_NAME, .depth = 1, .span = c->span};
  e->name = rsh_dtype_name(value->dtype);
  return e;
}

static Expr *call_size(const Call *c) {
  Value *value = tensor(c, c->arg[0]);
  int64_t count = 1;
  for (int i = 0; value && i < value->shape.rank; i++)
    count *= value->shape.dim[i].n; // lowering checked that it fits
  return value ? script_integer(c->script, count, c->span) : NULL;
}

static Expr *call_len(const Call *c) {
  Script *s = c->script;
  const Expr *e = c->arg[0];
  if (expr_is_list(e))
    return script_integer(s, e->list.count, c->span);
  if (e->kind == EXPR_STRING)
    return script_integer(s, e->string.length, c->span);
  if (!script_is_tensor(s, e))
    return refuse(c, e, "a list");
  Value *value = tensor(c, e);
  if (value && value->shape.rank == 0)
    return refuse(c, e, "a tensor with axes");
  return value ? script_integer(s, value->shape.dim[0].n, c->span) : NULL;
}

// ---- names of files ----

// Files saved before the call are found.
static Expr *call_glob(const Call *c) {
  Script *s = c->script;
  glob_t found;
  if (c->arg[0]->kind != EXPR_STRING)
    return refuse(c, c->arg[0], "a pattern of names of files");
  if (!script_flush(s) || !script_complete(s, NULL))
    return NULL;
  const char *pattern = c->arg[0]->string.text;
  int failed = glob(pattern, 0, NULL, &found);
  if (failed && failed != GLOB_NOMATCH) {
    diag_error(s->diag, c->arg[0]->span, failed == GLOB_NOSPACE ? "no_memory" : "bad_file",
               "cannot look for '%s'", pattern);
    return NULL;
  }
  int count = failed ? 0 : (int)found.gl_pathc;
  Expr **item = ARENA_ARRAY(s->arena, Expr *, count);
  for (int i = 0; i < count; i++)
    item[i] = script_string(
        c->script, arena_text(s->arena, found.gl_pathv[i], strlen(found.gl_pathv[i])), c->span);
  if (!failed)
    globfree(&found);
  return script_list(s, item, count, c->span);
}

static Expr *call_names(const Call *c) {
  if (c->arg[0]->kind != EXPR_STRING || !is_named(c->arg[0]->string.text))
    return refuse(c, c->arg[0], "the name of a .safetensors, .npz or .gguf file");
  bool is_open = script_flush(c->script) && is_there(c, c->arg[0]);
  const NamedFile *file = is_open ? open_named(c, c->arg[0]) : NULL;
  if (!file)
    return NULL;
  Expr **item = ARENA_ARRAY(c->script->arena, Expr *, file->count);
  for (int i = 0; i < file->count; i++)
    item[i] = script_string(c->script, file->entry[i].name, c->span);
  return script_list(c->script, item, file->count, c->span);
}

static Expr *call_basename(const Call *c) {
  return c->arg[0]->kind == EXPR_STRING
             ? script_string(c->script, base_of(c->arg[0]->string.text), c->span)
             : refuse(c, c->arg[0], "the name of a file");
}

static Expr *call_stem(const Call *c) {
  if (c->arg[0]->kind != EXPR_STRING)
    return refuse(c, c->arg[0], "the name of a file");
  const char *base = base_of(c->arg[0]->string.text), *dot = strrchr(base, '.');
  size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
  return script_string(c->script, arena_text(c->script->arena, base, length), c->span);
}

// ---- numbers without a file ----

// range(3), range(1, 4), range(4, 0, -1)
static Expr *call_range(const Call *c) {
  Script *s = c->script;
  int64_t n[3] = {0, 0, 1};
  for (int i = 0; i < c->count; i++) {
    if (c->arg[i]->kind != EXPR_INT)
      return refuse(c, c->arg[i], "an integer");
    n[c->count == 1 ? 1 : i] = c->arg[i]->integer;
  }
  if (n[2] == 0)
    return refuse(c, c->arg[2], "a step other than 0");
  bool goes = n[2] > 0 ? n[0] < n[1] : n[0] > n[1];
  uint64_t way = n[2] > 0 ? (uint64_t)n[1] - (uint64_t)n[0] : (uint64_t)n[0] - (uint64_t)n[1];
  uint64_t step = n[2] > 0 ? (uint64_t)n[2] : 0 - (uint64_t)n[2];
  uint64_t count = goes ? (way - 1) / step + 1 : 0;
  if (count > SCRIPT_LIST_MOST) {
    diag_error(s->diag, c->span, "limit", "a list has at most %d entries; this would have %" PRIu64,
               SCRIPT_LIST_MOST, count);
    return NULL;
  }
  Expr **item = ARENA_ARRAY(s->arena, Expr *, (int)count);
  for (uint64_t i = 0; i < count; i++)
    item[i] = script_integer(s, (int64_t)((uint64_t)n[0] + i * (uint64_t)n[2]), c->span);
  return script_list(s, item, (int)count, c->span);
}

// Allocates a tensor whose elements the script computes. False: reported.
static bool new_array(const Call *c, Npy *array) {
  int64_t count = plan_element_bits(array->dtype);
  bool fits = true;
  for (int i = 0; i < array->rank; i++)
    fits = fits && !__builtin_mul_overflow(count, array->dim[i], &count);
  if (fits && npy_allocate(array)) {
    memset(array->data, 0, array->bytes);
    return true;
  }
  diag_error(c->script->diag, c->span, "no_memory", "not enough memory for this");
  return false;
}

static Expr *call_arange(const Call *c) {
  rsh_dtype type = type_argument(c, 1, RSH_I64);
  Loaded made = {.array = {.dtype = type, .rank = 1}};
  if (type == RSH_DTYPE_NONE)
    return NULL;
  if (rsh_dtype_bits(type) < 8 || !rsh_is_convertible(RSH_I64, type))
    return refuse(c, c->arg[1], "a numeric type of whole bytes");
  if (c->arg[0]->kind != EXPR_INT || c->arg[0]->integer < 0)
    return refuse(c, c->arg[0], "a number of elements");
  made.array.dim[0] = c->arg[0]->integer;
  if (!new_array(c, &made.array))
    return NULL;
  size_t bytes = (size_t)rsh_dtype_bits(type) / 8;
  for (int64_t i = 0; i < made.array.dim[0]; i++)
    (void)rsh_convert((unsigned char *)&i, RSH_I64,
                      (unsigned char *)made.array.data + (size_t)i * bytes, type,
                      (rsh_cast_rule){0});
  return add_tensor(c, &made, "arange", c->span);
}

static Expr *call_zeros(const Call *c) {
  rsh_dtype type = type_argument(c, 1, RSH_F32);
  Loaded made = {.array = {.dtype = type}};
  const Expr *shape = c->arg[0];
  bool is_one = shape->kind == EXPR_INT;
  int rank = is_one ? 1 : expr_is_list(shape) ? shape->list.count : -1;
  if (type == RSH_DTYPE_NONE)
    return NULL;
  if (type == RSH_STRING)
    return refuse(c, c->arg[1], "a numeric type");
  if (rank < 0 || rank > RSH_MAX_RANK)
    return refuse(c, shape, "a list of sizes");
  made.array.rank = rank;
  for (int i = 0; i < rank; i++) {
    const Expr *size = is_one ? shape : shape->list.item[i];
    if (size->kind != EXPR_INT || size->integer < 0)
      return refuse(c, size, "a size");
    made.array.dim[i] = size->integer;
  }
  return new_array(c, &made.array) ? add_tensor(c, &made, "zeros", c->span) : NULL;
}

static Expr *call_int(const Call *c) {
  const Expr *e = c->arg[0];
  if (e->kind == EXPR_INT)
    return c->arg[0];
  if (e->kind != EXPR_STRING)
    return refuse(c, e, "a string");
  char *end;
  errno = 0;
  long long n = strtoll(e->string.text, &end, 10);
  if (errno || end == e->string.text || *end)
    return refuse(c, e, "a string that spells an integer");
  return script_integer(c->script, n, c->span);
}

static Expr *call_ints(const Call *c) {
  enum { MOST = 65536 };
  Script *s = c->script;
  Value *value = tensor(c, c->arg[0]);
  if (!value)
    return NULL;
  if (value->shape.rank > 1 || (value->shape.rank == 1 && value->shape.dim[0].n > MOST))
    return refuse(c, c->arg[0], "a tensor of at most one axis and 65536 elements");
  Npy array;
  Value *wide = rsh_is_convertible(value->dtype, RSH_I64) ? convert_array(c, value, RSH_I64) : NULL;
  if (!rsh_dtype_is_integer(value->dtype) || !wide)
    return refuse(c, c->arg[0], "a tensor of integers");
  if (!script_flush(s) || !script_compute(s, &wide, 1, c->span, &array))
    return NULL;
  int count = array.rank == 0 ? 1 : (int)array.dim[0];
  Expr **item = ARENA_ARRAY(s->arena, Expr *, count);
  for (int i = 0; i < count; i++)
    item[i] = script_integer(s, ((const int64_t *)array.data)[i], c->span);
  bool is_one = array.rank == 0;
  script_release(s, &array, 1);
  return is_one ? item[0] : script_list(s, item, count, c->span);
}

// ---- calls ----

static Expr *dispatch(const Call *c) {
  switch ((FunctionId)(c->function - functions)) {
  case FUNCTION_LOAD:
    return call_load(c);
  case FUNCTION_SAVE:
    return call_save(c);
  case FUNCTION_PRINT:
    return call_print(c);
  case FUNCTION_ASSERT:
    return call_assert(c);
  case FUNCTION_SHAPE:
    return call_shape(c);
  case FUNCTION_DTYPE:
    return call_dtype(c);
  case FUNCTION_SIZE:
    return call_size(c);
  case FUNCTION_LEN:
    return call_len(c);
  case FUNCTION_INT:
    return call_int(c);
  case FUNCTION_GLOB:
    return call_glob(c);
  case FUNCTION_NAMES:
    return call_names(c);
  case FUNCTION_BASENAME:
    return call_basename(c);
  case FUNCTION_STEM:
    return call_stem(c);
  case FUNCTION_RANGE:
    return call_range(c);
  case FUNCTION_ARANGE:
    return call_arange(c);
  case FUNCTION_ZEROS:
    return call_zeros(c);
  case FUNCTION_INTS:
    return call_ints(c);
  case FUNCTION_COUNT:
    break;
  }
  return NULL;
}

Expr *script_call(Script *s, const ScriptFunction *f, const Expr *call, Expr *piped) {
  Call c = {.script = s, .function = f, .span = call->span};
  c.arg = ARENA_ARRAY(s->arena, Expr *, call->call.count + 1);
  if (piped)
    c.arg[c.count++] = piped;
  for (int i = 0; i < call->call.count; i++) {
    const Arg *arg = &call->call.arg[i];
    if (arg->name) {
      diag_error(s->diag, arg->name_span, "unknown_argument", "'%s' has no named arguments: %s",
                 f->name, f->shown);
      return NULL;
    }
    Expr *value = script_value(s, arg->value);
    if (!value)
      return NULL;
    c.arg[c.count++] = value;
  }
  if (c.count < f->fewest || c.count > f->most) {
    diag_error(s->diag, call->call.callee_span, "arity", "'%s' takes %s", f->name, f->shown);
    return NULL;
  }
  return dispatch(&c);
}
