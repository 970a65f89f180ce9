// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes statements in order, and connects them with the command line:
//
//   reshapec run nchw.rsh in.npy out.npy                args is ["in.npy", "out.npy"]
//   reshapec run -e 'transpose(x)' x=in.npy out.npy     x is loaded, and the result is saved
//   reshapec run -e 'y = x[0]' x=in.npy y=out.npy       a name that is assigned is saved
#include "driver/script/script.h"

#include "driver/base/tools.h"

#include <string.h>

// The words after the script; for -e they are files instead.
static Expr *arguments(Script *s, const Options *options) {
  int count = options->text ? 0 : options->word.count;
  Expr **item = ARENA_ARRAY(s->arena, Expr *, count);
  for (int i = 0; i < count; i++)
    item[i] = script_string(s, options->word.item[i], (Span){0, 0});
  return script_list(s, item, count, (Span){0, 0});
}

void script_start(Script *s, const Options *options, Diag *diag) {
  *s = (Script){.options = options, .arena = options->arena, .diag = diag};
  s->session = session_new(s->arena, diag);
  script_set(s, "args", arguments(s, options));
}

void script_end(Script *s) {
  for (int i = 0; i < s->loaded.count; i++)
    npy_free(&s->loaded.item[i].array);
  script_free_kernels(s);
  script_drop(s);
  Variable *variable, *next;
  HASH_ITER(hh, s->variables, variable, next) HASH_DEL(s->variables, variable);
  session_free(s->session);
}

void script_set(Script *s, const char *name, Expr *value) {
  Variable *old;
  HASH_FIND_STR(s->variables, name, old);
  if (old)
    HASH_DEL(s->variables, old);
  if (!value)
    return;
  Variable *variable = ARENA_NEW(s->arena, Variable);
  s->made += sizeof *variable;
  variable->name = name;
  variable->value = value;
  HASH_ADD_KEYPTR(hh, s->variables, variable->name, strlen(variable->name), variable);
}

// ---- statements ----

// Binds one value to a name: a literal, or a tensor with a hidden name. A loaded tensor takes the name.
static void set_target(Script *s, const struct StatementTarget *target, Expr *value) {
  bool is_tensor = script_is_tensor(s, value);
  if (strcmp(target->name, "_") == 0)
    return;
  Value *input = is_tensor ? session_find(s->session, value->name) : NULL;
  if (input && !input->node) {
    input->name = target->name;
    input->span = target->span;
  }
  session_name(s->session, target->name, is_tensor ? session_find(s->session, value->name) : NULL,
               target->span);
  script_set(s, target->name, is_tensor ? NULL : value);
}

static bool set_literals(Script *s, const Statement *statement, Expr *value) {
  int count = statement->target_count;
  bool is_list = expr_is_list(value);
  value = script_settle(s, value);
  if (!value)
    return false;
  if (count == 1) {
    set_target(s, &statement->target[0], value);
    return true;
  }
  if (!is_list || value->list.count != count) {
    diag_error(s->diag, statement->target[0].span, "arity", "%d names for %s", count,
               is_list ? arena_printf(s->arena, "a list of %d %s", value->list.count,
                                      value->list.count == 1 ? "entry" : "entries")
                       : "one value");
    return false;
  }
  for (int i = 0; i < count; i++)
    set_target(s, &statement->target[i], value->list.item[i]);
  return true;
}

static bool set_tensors(Script *s, const Statement *statement, Expr *value) {
  Statement evaluated = *statement;
  evaluated.value = value;
  if (!session_statement(s->session, &evaluated))
    return false;
  for (int i = 0; i < statement->target_count; i++)
    script_set(s, statement->target[i].name, NULL);
  return true;
}

static bool refuse_lost(Script *s, const Statement *statement) {
  diag_error(
      s->diag, statement->span, "syntax",
      "the value of this expression is not used: give it a name, as in 'y = ...', or print it");
  return false;
}

// ---- loops ----

bool script_knows(const Script *s, const char *name) {
  Variable *variable;
  HASH_FIND_STR(s->variables, name, variable);
  return variable || session_find(s->session, name);
}

typedef VEC(const char *) Names;

// Names that are first assigned in a loop are local to it.
static void find_locals(Script *s, const Statement *statement, Names *locals) {
  for (int i = 0; i < statement->target_count; i++)
    if (!script_knows(s, statement->target[i].name))
      VEC_PUSH(s->arena, *locals, statement->target[i].name);
  for (int i = 0; i < statement->body_count; i++)
    find_locals(s, &statement->body[i], locals);
}

static void forget_values(Script *s, const char *name) {
  script_set(s, name, NULL);
  session_name(s->session, name, NULL, (Span){0, 0});
}

static bool holds(const Expr *e, const char *name) {
  bool found = e->kind == EXPR_NAME && strcmp(e->name, name) == 0;
  if (expr_is_list(e))
    for (int i = 0; i < e->list.count && !found; i++)
      found = holds(e->list.item[i], name);
  return found;
}

// True if some variable holds a list with the tensor of this hidden name.
static bool is_held(const Script *s, const char *name) {
  bool found = false;
  for (const Variable *v = s->variables; v && !found; v = v->hh.next)
    found = holds(v->value, name);
  return found;
}

// The state at the beginning of an iteration.
typedef struct Round {
  SessionMark mark;
  int hidden, loaded;
} Round;

// Resets locals after an iteration. Tensors that nothing else refers to are freed.
static void end_round(Script *s, const Names *locals, const Round *round) {
  for (int i = 0; i < locals->count; i++)
    forget_values(s, locals->item[i]);
  for (int i = round->hidden + 1; i <= s->hidden; i++) {
    const char *name = arena_printf(s->arena, "#%d", i);
    if (!is_held(s, name))
      session_name(s->session, name, NULL, (Span){0, 0});
  }
  if (!session_rewind(s->session, round->mark))
    return;
  while (s->loaded.count > round->loaded)
    npy_free(&s->loaded.item[--s->loaded.count].array);
}

static bool run_body(Script *s, const Statement *loop) {
  for (int i = 0; i < loop->body_count; i++) {
    Expr *rest;
    if (!script_statement(s, &loop->body[i], &rest))
      return false;
    if (rest)
      return refuse_lost(s, &loop->body[i]);
  }
  return true;
}

typedef struct ScriptLoop {
  Script *script;
  const Statement *statement;
  const Expr *list;
  Names locals;
} ScriptLoop;

static bool iterate(void *of, int i) {
  const ScriptLoop *loop = of;
  Script *s = loop->script;
  Round round = {session_mark(s->session), s->hidden, s->loaded.count};
  set_target(s, &loop->statement->target[0], loop->list->list.item[i]);
  bool good = run_body(s, loop->statement);
  good = script_flush(s) && good;
  end_round(s, &loop->locals, &round);
  return good;
}

// True if an iteration assigns a name from outside the loop, whose value the next one reads.
static bool carries(Script *s, const Statement *statement) {
  bool found = false;
  for (int i = 0; i < statement->target_count; i++)
    found = found || script_knows(s, statement->target[i].name);
  for (int i = 0; i < statement->body_count && !found; i++)
    found = carries(s, &statement->body[i]);
  return found;
}

// True if iterations may run in other processes: the first iteration is complete, and left no file open to which later
// ones add.
static bool may_share(Script *s, const Statement *loop) {
  for (int i = 0; i < s->container.count; i++)
    if (s->container.item[i].writer)
      return false;
  return s->options->jobs > 1 && !s->is_job && !s->options->dry_run && !carries(s, loop);
}

static bool run_loop(Script *s, const Statement *statement) {
  Expr *list = script_value(s, statement->value);
  if (list && !expr_is_list(list)) {
    diag_error(s->diag, statement->value->span, "bad_arg",
               "a loop needs a list; this is %s; write 'for i in range(3) {'",
               script_is_tensor(s, list) ? "a tensor" : script_text(s, list));
    return false;
  }
  list = list ? script_settle(s, list) : NULL;
  if (!list)
    return false;
  ScriptLoop loop = {.script = s, .statement = statement, .list = list};
  find_locals(s, statement, &loop.locals);
  bool good = script_flush(s); // so that iterations do not depend on pending saves
  for (int i = 0; i < list->list.count && good; i++) {
    good = iterate(&loop, i);
    if (good && i == 0 && may_share(s, statement))
      i = script_share(s, 1, list->list.count, iterate, &loop) - 1;
  }
  return good;
}

bool script_statement(Script *s, const Statement *statement, Expr **rest) {
  *rest = NULL;
  if (statement->is_loop)
    return run_loop(s, statement);
  Expr *value = script_eval(s, statement->value);
  if (!value)
    return false;
  if (statement->target_count == 0) {
    *rest = value == script_nothing ? NULL : value;
    return true;
  }
  if (value == script_nothing || value->kind == EXPR_COMPARE) {
    diag_error(s->diag, statement->value->span, "bad_arg", "this has no value to name");
    return false;
  }
  bool is_hidden = value->kind == EXPR_NAME && value->name[0] == '#';
  return script_is_tensor(s, value) && !is_hidden ? set_tensors(s, statement, value)
                                                  : set_literals(s, statement, value);
}

// ---- the words of the command line ----

static bool is_assigned(const Ast *ast, const char *name) {
  for (int i = 0; i < ast->statement_count; i++)
    for (int k = 0; k < ast->statement[i].target_count && !ast->statement[i].is_loop; k++)
      if (strcmp(ast->statement[i].target[k].name, name) == 0)
        return true;
  return false;
}

// The arguments of `run -e` after the text.
typedef struct Files {
  VEC(Binding) in, out;
  VEC(const char *) rest; // for the value of the last expression
} Files;

// False, after an error: one name has two files.
static bool has_one_file_each(const Binding *item, int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i; k++)
      if (strcmp(item[i].name, item[k].name) == 0) {
        usage_error(COMMAND_RUN, "'%s' is given twice: '%s' and '%s'", item[i].name, item[k].path,
                    item[i].path);
        return false;
      }
  return true;
}

// False, after an error: a file would be written in no format, or twice.
static bool can_write_each(Arena *arena, const Files *files) {
  VEC(const char *) path = {0};
  for (int i = 0; i < files->out.count; i++)
    VEC_PUSH(arena, path, files->out.item[i].path);
  for (int i = 0; i < files->rest.count; i++)
    VEC_PUSH(arena, path, files->rest.item[i]);
  for (int i = 0; i < path.count; i++) {
    NpyError error;
    if (!named_has_format(path.item[i], &error)) {
      usage_error(COMMAND_RUN, "%s", error.text);
      return false;
    }
    for (int k = 0; k < i; k++)
      if (strcmp(path.item[i], path.item[k]) == 0 || is_one_file(path.item[i], path.item[k])) {
        usage_error(COMMAND_RUN, "'%s' would be written twice", path.item[i]);
        return false;
      }
  }
  return true;
}

static bool sort_files(const Pipeline *p, Files *files) {
  Arena *arena = p->arena;
  for (int i = 0; i < p->options->word.count; i++) {
    const char *word = p->options->word.item[i], *equals = strchr(word, '=');
    if (!equals) {
      VEC_PUSH(arena, files->rest, word);
      continue;
    }
    Binding binding = {arena_text(arena, word, (size_t)(equals - word)), equals + 1};
    if (equals == word || equals[1] == '\0') {
      usage_error(COMMAND_RUN, "'%s' is not of the form NAME=FILE", word);
      return false;
    }
    if (is_assigned(p->ast, binding.name)) {
      VEC_PUSH(arena, files->out, binding);
    } else if (p->ast->statement_count == 0 || script_uses(p->ast, binding.name)) {
      VEC_PUSH(arena, files->in, binding);
    } else {
      usage_error(
          COMMAND_RUN,
          "no statement reads '%s' or gives it a value, so '%s' would not be touched; to save a "
          "result there, write '%s = ...'",
          binding.name, binding.path, binding.name);
      return false;
    }
  }
  return has_one_file_each(files->in.item, files->in.count) &&
         has_one_file_each(files->out.item, files->out.count) && can_write_each(arena, files);
}

static Exit load_statement(Script *s, const Binding *binding) {
  NpyError error;
  Loaded loaded = {0};
  if (strcmp(binding->path, "-") == 0 && s->has_read)
    return usage_error(COMMAND_RUN, "'%s' cannot be read from standard input too", binding->name);
  s->has_read = s->has_read || strcmp(binding->path, "-") == 0;
  if (!script_read(s, binding->path, RSH_DTYPE_NONE, &loaded.array, &error))
    return input_error("%s", error.text);
  if (s->options->dry_run)
    dry_run_read(&s->dry, binding->path, NULL, &loaded.array);
  rsh_shape shape = {.rank = loaded.array.rank};
  for (int i = 0; i < shape.rank; i++)
    shape.dim[i] = rsh_int(loaded.array.dim[i]);
  Value *value = session_input(s->session, binding->name, loaded.array.dtype, &shape, (Span){0, 0});
  loaded.value = value;
  VEC_PUSH(s->arena, s->loaded, loaded);
  session_name(s->session, binding->name, value, value->span);
  return EXIT_DONE;
}

static Exit load_files(Script *s, const Files *files) {
  Exit status = EXIT_DONE;
  for (int i = 0; i < files->in.count && status == EXIT_DONE; i++)
    status = load_statement(s, &files->in.item[i]);
  return status;
}

static bool save_value(Script *s, Value *value, const char *path, Span span) {
  if (is_named(path)) {
    diag_error(s->diag, span, "arity",
               "'%s' contains named tensors: write save(x, \"%s\", \"NAME\") in a statement", path,
               path);
    return false;
  }
  Save save = {.value = value, .path = path, .span = span};
  if (strcmp(path, "-") == 0)
    s->has_written = true;
  VEC_PUSH(s->arena, s->save, save);
  return true;
}

static bool save_rest(Script *s, const Files *files, Expr *rest) {
  int count, wanted = files->rest.count;
  if (wanted == 0)
    return script_print(s, rest);
  if (!script_is_tensor(s, rest)) {
    diag_error(s->diag, rest->span, "bad_arg", "only tensors can be saved; this is %s",
               script_text(s, rest));
    return false;
  }
  Value **value = session_values(s->session, rest, wanted, &count);
  if (value && count != wanted)
    diag_error(s->diag, rest->span, "arity", "this has %d result%s, but files are given for %d",
               count, count == 1 ? "" : "s", wanted);
  bool good = value && count == wanted;
  for (int i = 0; good && i < count; i++)
    good = save_value(s, value[i], files->rest.item[i], rest->span);
  return good;
}

static bool save_named(Script *s, const Files *files, Span span) {
  for (int i = 0; i < files->out.count; i++) {
    Value *value = session_find(s->session, files->out.item[i].name);
    if (!value) {
      diag_error(s->diag, span, "bad_arg", "'%s' is not a tensor, so it cannot be saved",
                 files->out.item[i].name);
      return false;
    }
    if (!save_value(s, value, files->out.item[i].path, span))
      return false;
  }
  return true;
}

// ---- the whole script ----

// A text may contain only comments: then there is no statement, and only requests for files can fail.
static bool run_statements(Script *s, const Ast *ast, const Files *files) {
  Expr *rest = NULL;
  const Statement *statement = NULL;
  for (int i = 0; i < ast->statement_count; i++) {
    if (rest)
      return refuse_lost(s, statement);
    statement = &ast->statement[i];
    if (!script_statement(s, statement, &rest))
      return false;
  }
  if (!files)
    return !rest || refuse_lost(s, statement);
  if (!statement && files->rest.count > 0) {
    diag_error_file(s->diag, "bad_arg", "there is no statement whose value '%s' could receive",
                    files->rest.item[0]);
    return false;
  }
  if (!statement)
    return true; // nothing is assigned, so no file has a name
  if (!rest && files->rest.count > 0) {
    diag_error(s->diag, statement->span, "bad_arg",
               "the last statement has no value for '%s': end with an expression, or write NAME=%s",
               files->rest.item[0], files->rest.item[0]);
    return false;
  }
  return (!rest || save_rest(s, files, rest)) && save_named(s, files, statement->span);
}

static Exit run_in(Script *s, Pipeline *p) {
  bool is_text = p->options->text != NULL;
  Files files = {0};
  session_add_graphs(s->session, p->ast);
  if (is_text && !sort_files(p, &files))
    return EXIT_USAGE;
  Exit status = load_files(s, &files);
  if (status != EXIT_DONE)
    return status;
  script_check(s, p->ast);
  if (p->diag.errors > 0)
    return EXIT_DONE; // the error is among the diagnostics
  run_statements(s, p->ast, is_text ? &files : NULL);
  if (script_flush(s) && p->diag.errors == 0) // also what was saved before an error
    script_complete(s, NULL);
  if (s->options->dry_run && p->diag.errors == 0)
    dry_run_end(&s->dry);
  return EXIT_DONE;
}

Exit run_script(Pipeline *p) {
  Script s;
  script_start(&s, p->options, &p->diag);
  Exit status = run_in(&s, p);
  script_end(&s);
  fflush(stdout); // before messages
  return status;
}
