// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interactive prompt: executes statements typed on a terminal. Values are printed, and errors do not end it.
//
//   1> x = load("in.npy")
//   2> :explain transpose(x)
#include "driver/base/commands.h"
#include "driver/pictures/picture.h"
#include "driver/script/script.h"
#include "frontend/data/output.h"
#include "frontend/text/text_out.h"
#include "library/explain.h"
#include "grammar/import.h"

#include <glob.h>
#include <histedit.h>
#include <signal.h>
#include <string.h>
#include <time.h>

enum { MOST_NAMES = 4096, MOST_LINES = 1000, LINE_BYTES = 4096 };

typedef struct Repl {
  Options options;
  Arena *arena;
  Diag diag;
  Importer importer;
  Script script;
  EditLine *edit;
  History *history;
  int number;       // of the current input
  const char *open; // the input so far; "" at its start
  char prompt[32];
  bool ended;
} Repl;

static volatile sig_atomic_t interrupted;
static void interrupt(int signal) { interrupted = signal; }

// ---- input ----

// True if the input continues on the next line: brackets are open, `graph` lacks its body, or the last token expects an
// operand.
static bool is_open(const char *text) {
  static const char *const waiting[] = {"|>", "->", "=", ",", "+", "*", "/", "<", ">"};
  int depth = 0;
  bool has_body = false, in_text = false;
  char line[LINE_BYTES]; // the last one, without comment
  size_t n = 0;
  for (const char *at = text; *at; at++) {
    if (*at == '#' && !in_text)
      at += strcspn(at, "\n") - 1;
    else if (*at == '\n')
      in_text = false, n = at[1] ? 0 : n;
    else if (*at == '"' && (at == text || at[-1] != '\\'))
      in_text = !in_text;
    else if (!in_text)
      depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
    has_body = has_body || *at == '{';
    if (n + 1 < sizeof line && !strchr("# \t\n", *at))
      line[n++] = *at;
  }
  line[n] = '\0';
  for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++) {
    size_t length = strlen(waiting[i]);
    if (n >= length && strcmp(line + n - length, waiting[i]) == 0)
      return true;
  }
  return depth > 0 || (strncmp(text, "graph ", 6) == 0 && !has_body);
}

static char *prompt(EditLine *edit) {
  Repl *r;
  el_get(edit, EL_CLIENTDATA, &r);
  if (*r->open)
    strcpy(r->prompt, "... ");
  else
    snprintf(r->prompt, sizeof r->prompt, "%d> ", r->number);
  return r->prompt;
}

// The commands. The argument of a command is the rest of its line.
#define COMMANDS                                                                                   \
  COMMAND(":explain", " VALUE", "how it is computed: as an alias, or by which loops, and why")     \
  COMMAND(":plan", " VALUE", "its plan, as the code generator sees it")                            \
  COMMAND(":llvm", " VALUE", "its LLVM IR")                                                        \
  COMMAND(":svg", " FILE VALUE", "a picture of it, written to the file")                           \
  COMMAND(":time", " VALUE", "how long it takes, including memory for the result")                 \
  COMMAND(":names", "", "the names that are defined")                                              \
  COMMAND(":help", "", "this text; also: help, ?")                                                 \
  COMMAND(":quit", "", "end; also: quit, exit, Ctrl-D")

static const char *const commands[] = {
#define COMMAND(name, argument, help) name,
    COMMANDS
#undef COMMAND
};
enum { PROMPT_COMMANDS = sizeof commands / sizeof *commands };

// All completions of a word.
static int candidates(const Repl *r, bool is_command, const char **name) {
  int count = 0;
  for (; is_command && count < PROMPT_COMMANDS; count++)
    name[count] = commands[count];
  if (is_command)
    return count;
  for (const Variable *v = r->script.variables; v && count < MOST_NAMES / 2; v = v->hh.next)
    name[count++] = v->name;
  count += session_names(r->script.session, name + count, MOST_NAMES / 2 - count);
  count += script_functions(name + count, MOST_NAMES - count);
  return count + session_callables(r->script.session, name + count, MOST_NAMES - count);
}

static bool is_part_of_word(char c) {
  return c && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:", c);
}

// The beginning of the string around the cursor; NULL: the cursor is not in a string.
static const char *open_string(const LineInfo *line) {
  const char *begin = NULL;
  for (const char *at = line->buffer; at < line->cursor; at++)
    if (*at == '"' && (at == line->buffer || at[-1] != '\\'))
      begin = begin ? NULL : at + 1;
  return begin;
}

// Files with this prefix; folders end in a slash.
static int files_that_begin(const Repl *r, const char *begin, size_t length, const char **name) {
  const char *pattern = "";
  glob_t found;
  int count = 0;
  for (size_t i = 0; i < length; i++) // escapes the special characters of glob
    pattern =
        arena_printf(r->arena, strchr("*?[\\", begin[i]) ? "%s\\%c" : "%s%c", pattern, begin[i]);
  pattern = arena_printf(r->arena, "%s*", pattern);
  if (glob(pattern, GLOB_MARK, NULL, &found) != 0)
    return 0;
  for (; count < (int)found.gl_pathc && count < MOST_NAMES; count++)
    name[count] = arena_text(r->arena, found.gl_pathv[count], strlen(found.gl_pathv[count]));
  globfree(&found);
  return count;
}

// Tab completes the common prefix of all candidates; a second Tab lists them.
static unsigned char complete(EditLine *edit, int key) {
  (void)key;
  Repl *r;
  el_get(edit, EL_CLIENTDATA, &r);
  const LineInfo *line = el_line(edit);
  const char *begin = line->cursor, *string = open_string(line);
  while (!string && begin > line->buffer && is_part_of_word(begin[-1]))
    begin--;
  begin = string ? string : begin;
  size_t length = (size_t)(line->cursor - begin), common = 0;
  bool is_command = begin == line->buffer && length > 0 && *begin == ':' && !*r->open;
  const char **name = ARENA_ARRAY(r->arena, const char *, MOST_NAMES);
  const char **fit = ARENA_ARRAY(r->arena, const char *, MOST_NAMES);
  int count = string ? files_that_begin(r, begin, length, name) : candidates(r, is_command, name);
  int fits = 0;
  for (int i = 0; i < count; i++) {
    if (strncmp(name[i], begin, length) != 0)
      continue;
    size_t same = 0;
    while (fits > 0 && same < common && name[i][same] == fit[0][same])
      same++;
    common = fits > 0 ? same : strlen(name[i]);
    fit[fits++] = name[i];
  }
  if (fits == 0)
    return CC_ERROR;
  if (common > length) {
    el_insertstr(edit, arena_text(r->arena, fit[0] + length, common - length));
    return CC_REFRESH;
  }
  if (fits == 1)
    return CC_NORM;
  putchar('\n');
  for (int i = 0; i < fits; i++)
    printf("%s%s", fit[i], i + 1 < fits ? "  " : "\n");
  fflush(stdout);
  return CC_REDISPLAY;
}

// ---- statements ----

static Ast *parse(Repl *r, const char *text) {
  const char *name = arena_printf(r->arena, "<%d>", r->number);
  Source *source = source_from_text(r->arena, name, text, strlen(text));
  if (!source_add(r->importer.first, source)) {
    diag_error_file(&r->diag, "limit", "the session has too much text: start a new one");
    return NULL;
  }
  Ast *ast = import_parse(&r->importer, source);
  return r->diag.errors == 0 ? ast : NULL;
}

static void repl_statements(Repl *r, const Ast *ast) {
  Script *s = &r->script;
  Expr *rest;
  session_add_graphs(s->session, ast);
  if (r->diag.errors == 0)
    script_check(s, ast);
  for (int i = 0; i < ast->statement_count && r->diag.errors == 0; i++)
    if (script_statement(s, &ast->statement[i], &rest) && rest)
      script_print(s, rest);
  if (script_flush(s))
    script_complete(s, NULL);
}

// ---- commands ----

static void help(void) {
  printf("Statements are run, and the values of expressions printed:\n"
         "  x = load(\"in.npy\")\n"
         "  rearrange(x, \"h w c -> c h w\") |> save(\"out.npy\")\n"
         "  graph turn(x: f32[A, B]) -> y { y = transpose(x) }\n"
         "Functions of scripts:\n"
#define FUNCTION(id, name, fewest, most, shown, help, example) "  " shown "\n"
#include "driver/base/functions.def"
#undef FUNCTION
         "Commands:\n");
#define COMMAND(name, argument, help) printf("  %-18s %s\n", name argument, help);
  COMMANDS
#undef COMMAND
  printf("Tab completes names, and in a string names of files. 'reshapec --list-ops' lists "
         "operators,\n'reshapec help OPERATOR' explains one, 'reshapec --help' lists the rest.\n");
}

// "turn  graph(x: f32[A, B]) -> y: f32[B, A]"
static void list_graph(Repl *r, const Graph *graph) {
  printf("%s  graph(", graph->name);
  for (int i = 0; i < graph->input_count; i++) {
    const Value *value = graph->value.item[i];
    printf("%s%s: %s", i ? ", " : "", value->name, value_text(r->arena, graph, value));
  }
  printf(") -> ");
  for (int i = 0; i < graph->output_count; i++)
    printf("%s%s: %s", i ? ", " : "", graph->output[i].name,
           value_text(r->arena, graph, graph->output[i].value));
  putchar('\n');
}

static void list_names(Repl *r) {
  const char **name = ARENA_ARRAY(r->arena, const char *, MOST_NAMES);
  int count = session_names(r->script.session, name, MOST_NAMES);
  for (int i = 0; i < count; i++) {
    const Value *value = session_find(r->script.session, name[i]);
    printf("%s  %s", name[i], rsh_dtype_name(value->dtype));
    for (int k = 0; k < value->shape.rank; k++)
      printf("%s%lld", k ? ", " : "[", (long long)value->shape.dim[k].n);
    puts(value->shape.rank > 0 ? "]" : "");
  }
  for (const Variable *v = r->script.variables; v; v = v->hh.next)
    printf("%s  %s\n", v->name, script_text(&r->script, v->value));
  count = session_callables(r->script.session, name, MOST_NAMES);
  for (int i = 0; i < count; i++) {
    const Graph *graph = session_graph(r->script.session, name[i]);
    if (graph)
      list_graph(r, graph);
  }
}

static void show_code(Repl *r, const Plan *plan) {
  EmitOptions code = r->options.code;
  Bytes text;
  code.cpu = "native";
  if (emit_code(r->arena, &plan, 1, &code, EMIT_LLVM_IR, true, &text, &r->diag))
    fwrite(text.data, 1, text.size, stdout);
}

static void print_plan(const Repl *r, const Plan *plan) {
  Machine machine[MOST_MACHINES];
  int count = emit_machines(r->arena, &r->options.code, machine);
  plan_print(plan, machine, count, stdout);
}

static void print_explained(const Repl *r, const Plan *plan) {
  Machine machine[MOST_MACHINES];
  emit_machines(r->arena, &r->options.code, machine);
  explain_plan(r->arena, plan, &machine[0], false, stdout);
}

static void print_picture(Repl *r, const Plan *plan, const char *path) {
  Machine machine[MOST_MACHINES];
  char error[512];
  TextOut text;
  size_t size;
  emit_machines(r->arena, &r->options.code, machine);
  Picture picture = {.title = "value", .graph = plan->graph, .plan = plan, .machine = machine[0]};
  pictures_print_svg(r->arena, &picture, 1, text_out_begin(&text));
  const char *svg = text_out_end(&text, r->arena, &size);
  if (!file_write_whole(path, svg, size, error, sizeof error))
    diag_error_file(&r->diag, "io", "%s", error);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// The shortest of several calls, after one that compiles. Each call allocates its result, as in a script.
static void time_value(Repl *r, Value *value) {
  enum { CALLS = 20 };
  double least = 1e9, spent = 0;
  Npy array;
  for (int i = 0; i <= CALLS && (i < 3 || spent < 1); i++) {
    double start = seconds();
    if (!script_compute(&r->script, &value, 1, value->span, &array))
      return;
    double took = seconds() - start;
    script_release(&r->script, &array, 1);
    least = i > 0 && took < least ? took : least;
    spent += took;
  }
  printf("%.3g ms\n", least * 1e3);
}

// The value of the text after a command. NULL: reported.
static Value *repl_value(Repl *r, const char *command, const char *text) {
  if (*text == '\0') {
    diag_error_file(&r->diag, "arity", "%s needs a value: %s transpose(x)", command, command);
    return NULL;
  }
  Ast *ast = parse(r, text);
  if (!ast)
    return NULL;
  if (ast->statement_count != 1 || ast->statement[0].target_count > 0 || ast->graph_count > 0) {
    diag_error_file(&r->diag, "arity", "%s needs one expression", command);
    return NULL;
  }
  script_check(&r->script, ast);
  Expr *e = r->diag.errors == 0 ? script_eval(&r->script, ast->statement[0].value) : NULL;
  return e ? session_value(r->script.session, e) : NULL;
}

// Runs the commands that show a value.
static void show_value(Repl *r, const char *command, const char *text) {
  const char *path = NULL;
  if (strcmp(command, ":svg") == 0) {
    size_t length = strcspn(text, " \t\n");
    path = arena_text(r->arena, text, length);
    text += length + strspn(text + length, " \t\n");
    if (*text == '\0') {
      diag_error_file(&r->diag, "arity", ":svg needs a file and a value: :svg y.svg transpose(x)");
      return;
    }
  }
  Value *value = repl_value(r, command, text);
  if (value && strcmp(command, ":time") == 0) {
    time_value(r, value);
    return;
  }
  const Plan *plan = value ? script_plan(&r->script, value) : NULL;
  if (!plan)
    return;
  if (path)
    print_picture(r, plan, path);
  else if (strcmp(command, ":explain") == 0)
    print_explained(r, plan);
  else if (strcmp(command, ":plan") == 0)
    print_plan(r, plan);
  else
    show_code(r, plan);
}

static void repl_command(Repl *r, const char *text) {
  size_t length = strcspn(text, " \t\n");
  const char *command = arena_text(r->arena, text, length);
  const char *rest = text + length + strspn(text + length, " \t\n");
  const char *shows[] = {":explain", ":plan", ":llvm", ":svg", ":time"};
  for (size_t i = 0; i < sizeof shows / sizeof *shows; i++)
    if (strcmp(command, shows[i]) == 0) {
      show_value(r, command, rest);
      return;
    }
  if (strcmp(command, ":help") == 0) {
    help();
  } else if (strcmp(command, ":names") == 0) {
    list_names(r);
  } else if (strcmp(command, ":quit") == 0) {
    r->ended = true;
  } else {
    const char *nearest = diag_nearest(command, commands, PROMPT_COMMANDS);
    diag_error_file(&r->diag, "unknown_name", "there is no command '%s'%s", command,
                    nearest ? arena_printf(r->arena, "; did you mean '%s'?", nearest)
                            : "; ':help' lists them");
  }
}

// Accepts `help`, `quit` and the like for :help and :quit, unless a variable has this name.
static const char *command_meant(const Repl *r, const char *text) {
  static const char *const meant[][2] = {
      {"help", ":help"}, {"?", ":help"}, {"exit", ":quit"}, {"quit", ":quit"}};
  size_t length = strcspn(text, " \t\n");
  bool is_alone = text[length + strspn(text + length, " \t\n")] == '\0';
  for (size_t i = 0; i < sizeof meant / sizeof *meant && is_alone; i++)
    if (strlen(meant[i][0]) == length && strncmp(text, meant[i][0], length) == 0 &&
        !script_knows(&r->script, meant[i][0]))
      return meant[i][1];
  return text;
}

// ---- the loop ----

static void carry_out(Repl *r, const char *text) {
  text = command_meant(r, text);
  if (*text == ':') {
    repl_command(r, text);
  } else {
    Ast *ast = parse(r, text);
    if (ast)
      repl_statements(r, ast);
  }
  fflush(stdout);
  diag_print(&r->diag, stderr, pipeline_wants_color(&r->options));
  diag_rewind(&r->diag, (DiagMark){0});
  r->script.has_printed = r->script.has_written = false;
}

static void take_line(Repl *r, const char *line) {
  bool is_blank = line[strspn(line, " \t\n")] == '\0';
  bool is_first = *r->open == '\0';
  HistEvent event;
  if (is_first && is_blank)
    return;
  if (!is_blank)
    history(r->history, &event, H_ENTER, line);
  r->open = arena_printf(r->arena, "%s%s", r->open, line + (is_first ? strspn(line, " \t") : 0));
  if (!is_blank && r->open[0] != ':' && is_open(r->open))
    return;
  carry_out(r, r->open);
  r->open = "";
  r->number++;
}

static const char *history_path(Arena *arena) {
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  if (state && *state)
    return arena_printf(arena, "%s/reshapec_history", state);
  return home && *home ? arena_printf(arena, "%s/.reshapec_history", home) : NULL;
}

static void read_lines(Repl *r) {
  int count;
  while (!r->ended) {
    interrupted = 0;
    const char *line = el_gets(r->edit, &count);
    if (line && count > 0) {
      take_line(r, arena_text(r->arena, line, (size_t)count));
    } else if (interrupted) { // discards the input
      puts("^C");
      r->open = "";
      el_reset(r->edit);
    } else {
      putchar('\n');
      return;
    }
  }
}

static void start(Repl *r, Arena *arena) {
  r->arena = arena;
  r->options = (Options){.arena = arena, .code = {.opt_level = 2}};
  r->diag = (Diag){.arena = arena, .file = "reshapec"};
  Source *first = source_from_text(arena, "reshapec", "", 0);
  r->diag.source = first;
  r->importer = (Importer){.arena = arena, .diag = &r->diag, .first = first};
  r->number = 1;
  r->open = "";
  script_start(&r->script, &r->options, &r->diag);
  script_set(&r->script, "args", NULL); // there is no command line
}

static void start_editing(Repl *r, const char *path) {
  HistEvent event;
  r->edit = el_init("reshapec", stdin, stdout, stderr);
  r->history = history_init();
  history(r->history, &event, H_SETSIZE, MOST_LINES);
  history(r->history, &event, H_SETUNIQUE, 1);
  if (path)
    history(r->history, &event, H_LOAD, path);
  el_set(r->edit, EL_CLIENTDATA, r);
  el_set(r->edit, EL_PROMPT, prompt);
  el_set(r->edit, EL_EDITOR, "emacs");
  el_set(r->edit, EL_HIST, history, r->history);
  // el_set would copy the texts and never free them
  el_wset(r->edit, EL_ADDFN, L"complete", L"complete a name", complete);
  el_set(r->edit, EL_BIND, "^I", "complete", NULL);
  el_set(r->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_source(r->edit, NULL); // the user's key bindings
  struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGINT, &action, NULL);
}

Exit command_repl(Arena *arena) {
  Repl r = {.ended = false};
  const char *path = history_path(arena);
  HistEvent event;
  watch_mapped_files();
  start(&r, arena);
  start_editing(&r, path);
  puts("reshapec " RESHAPEC_VERSION "; :help explains, :quit ends");
  read_lines(&r);
  if (path)
    history(r.history, &event, H_SAVE, path);
  history_end(r.history);
  el_end(r.edit);
  script_end(&r.script);
  return EXIT_DONE;
}
