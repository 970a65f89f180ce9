// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of scripts that read and write files, or name them.
#include "driver/base/tools.h"
#include "driver/script/script_call.h"

#include <glob.h>
#include <string.h>

static void *file_error(const ScriptCall *c, const Expr *path, const NpyError *error) {
  diag_error(c->script->diag, path->span, error->kind, "%s", error->text);
  return NULL;
}

// The name of a file of tensors; one that is written has the extension of its format. NULL: an error was reported.
static const char *path_of(const ScriptCall *c, const Expr *path, bool is_written) {
  NpyError error;
  if (path->kind != EXPR_STRING) {
    script_refuse(c, path, "the name of a file");
    return NULL;
  }
  bool good = !is_written || named_has_format(path->string.text, &error);
  return good ? path->string.text : file_error(c, path, &error);
}

// ---- load ----

static bool take_stdin(const ScriptCall *c, Span span) {
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

// Reports a read of a file that a dry run has not written.
static bool is_there(const ScriptCall *c, const Expr *path) {
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

static void note_opened(Script *s) {
  for (int i = 0; i < s->opened.count; i++)
    if (s->opened.item[i].device == s->named.device && s->opened.item[i].inode == s->named.inode)
      return;
  VEC_PUSH(s->arena, s->opened, s->named);
}

// Opens a file of named tensors. NULL: an error was reported.
static const NamedFile *open_named(const ScriptCall *c, const Expr *path) {
  Script *s = c->script;
  NpyError error;
  if (!script_complete(s, path->string.text))
    return NULL;
  if (!named_open(s->arena, path->string.text, &s->named, &error))
    return file_error(c, path, &error);
  note_opened(s);
  s->header = s->named.header > s->header ? s->named.header : s->header;
  return &s->named;
}

// Creates a tensor for a file, or for the tensor `entry` in it.
static Expr *note_read(const ScriptCall *c, Loaded *loaded, const Expr *path, const Expr *entry) {
  Script *s = c->script;
  const char *file = path->string.text;
  const char *name = entry ? arena_text(s->arena, entry->string.text, entry->string.length) : NULL;
  if (s->options->dry_run)
    dry_run_read(&s->dry, file, name, &loaded->array);
  return script_add_tensor(c, loaded, name ? name : path_base(file),
                           entry ? entry->span : path->span);
}

// Loads the tensor `name` of a file, or a list of tensors for a list of names.
static Expr *load_named(const ScriptCall *c, const Expr *path, const Expr *name) {
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

// Loads the elements of a file as described by `sized`: f32[2, 3], or f32, a scalar.
static Expr *load_raw(const ScriptCall *c, const Expr *path, const Expr *sized, rsh_dtype dtype) {
  const Expr *type = type_of_sizes(sized);
  int rank = type ? sized->index.count : 0;
  int64_t dim[RSH_MAX_RANK];
  Loaded loaded = {0};
  NpyError error;
  if (!is_raw(path->string.text)) {
    diag_error(c->script->diag, path->span, "bad_arg",
               "'%s' has its own shape: only .bin and .raw files are read by type and shape",
               path->string.text);
    return NULL;
  }
  if (type)
    dtype = rsh_dtype_find(type->name, strlen(type->name));
  if (dtype == RSH_STRING)
    return script_refuse_as(c, sized, "a numeric type", "string");
  if (rank > RSH_MAX_RANK)
    return script_refuse_as(c, sized, "at most 16 sizes",
                            arena_printf(c->script->arena, "a type with %d", rank));
  for (int i = 0; i < rank; i++) {
    const Subscript *item = &sized->index.item[i];
    if (item->kind != SUBSCRIPT_INDEX || !item->start || item->start->kind != EXPR_INT)
      return script_refuse_as(c, sized, "sizes that are integers, as in f32[2, 3]",
                              item->kind == SUBSCRIPT_INDEX ? "another value" : "a range");
    dim[i] = item->start->integer;
  }
  if (!raw_read(path->string.text, dtype, rank, dim, &loaded.array, &error))
    return file_error(c, path, &error);
  return note_read(c, &loaded, path, NULL);
}

static Expr *load_file(const ScriptCall *c, const Expr *path, rsh_dtype type) {
  Script *s = c->script;
  if (!path_of(c, path, false) || !is_there(c, path))
    return NULL;
  if (is_named(path->string.text))
    return load_named(c, path, c->count == 2 ? c->arg[1] : NULL);
  if (c->count == 2 && (type_of_sizes(c->arg[1]) || is_raw(path->string.text)))
    return load_raw(c, path, c->arg[1], type);
  if (strcmp(path->string.text, "-") == 0 && !take_stdin(c, path->span))
    return NULL;
  Loaded loaded = {0};
  NpyError error;
  if (!script_read(s, path->string.text, type, &loaded.array, &error))
    return file_error(c, path, &error);
  return note_read(c, &loaded, path, NULL);
}

Expr *script_load(const ScriptCall *c) {
  bool is_typed = (c->arg[0]->kind != EXPR_STRING || !is_named(c->arg[0]->string.text)) &&
                  !(c->count == 2 && type_of_sizes(c->arg[1]));
  rsh_dtype type = is_typed ? script_type_argument(c, RSH_DTYPE_NONE) : RSH_DTYPE_NONE;
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

// ---- save ----

static uint64_t bytes_of(const Value *value) {
  uint64_t bytes = 16;
  for (int i = 0; i < value->shape.rank; i++)
    if (__builtin_mul_overflow(bytes, (uint64_t)value->shape.dim[i].n, &bytes))
      return UINT64_MAX;
  return bytes / 128 * (uint64_t)plan_element_bits(value->dtype);
}

enum { MOST_BYTES_TOGETHER = 1 << 28 }; // limit of the arrays that adjacent saves hold in memory

Expr *script_save(const ScriptCall *c) {
  Script *s = c->script;
  Value *value = script_tensor(c, c->arg[0]);
  const char *path = value ? path_of(c, c->arg[1], true) : NULL;
  if (!path)
    return NULL;
  Save save = {.value = value, .path = path, .span = c->arg[1]->span};
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
    return script_refuse(c, c->arg[2], "the name of the tensor");
  if (c->count > 3 && c->arg[3]->kind != EXPR_STRING)
    return script_refuse(c, c->arg[3], "the name of a type, as in \"Q4_0\"");
  save.name = has_name ? c->arg[2]->string.text : NULL;
  save.type = c->count > 3 ? c->arg[3]->string.text : NULL;
  if (strcmp(save.path, "-") == 0 &&
      (s->is_job || !script_take_stdout(c, &s->has_written, s->has_printed)))
    return NULL;
  uint64_t bytes = bytes_of(value);
  if (s->save_bytes > 0 && (bytes > MOST_BYTES_TOGETHER || s->save_bytes > MOST_BYTES_TOGETHER) &&
      !script_flush(s))
    return NULL;
  s->save_bytes += bytes;
  VEC_PUSH(s->arena, s->save, save);
  return script_nothing;
}

// ---- names of files ----

// Files saved before the call are found.
Expr *script_glob(const ScriptCall *c) {
  Script *s = c->script;
  glob_t found;
  if (c->arg[0]->kind != EXPR_STRING)
    return script_refuse(c, c->arg[0], "a pattern of names of files");
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

Expr *script_names(const ScriptCall *c) {
  if (c->arg[0]->kind != EXPR_STRING || !is_named(c->arg[0]->string.text))
    return script_refuse(c, c->arg[0], "the name of a .safetensors, .npz or .gguf file");
  bool is_open = script_flush(c->script) && is_there(c, c->arg[0]);
  const NamedFile *file = is_open ? open_named(c, c->arg[0]) : NULL;
  if (!file)
    return NULL;
  Expr **item = ARENA_ARRAY(c->script->arena, Expr *, file->count);
  for (int i = 0; i < file->count; i++)
    item[i] = script_string(c->script, file->entry[i].name, c->span);
  return script_list(c->script, item, file->count, c->span);
}

Expr *script_basename(const ScriptCall *c) {
  return c->arg[0]->kind == EXPR_STRING
             ? script_string(c->script, path_base(c->arg[0]->string.text), c->span)
             : script_refuse(c, c->arg[0], "the name of a file");
}

Expr *script_stem(const ScriptCall *c) {
  if (c->arg[0]->kind != EXPR_STRING)
    return script_refuse(c, c->arg[0], "the name of a file");
  const char *base = path_base(c->arg[0]->string.text);
  size_t length = (size_t)(path_extension(base) - base);
  return script_string(c->script, arena_text(c->script->arena, base, length), c->span);
}
