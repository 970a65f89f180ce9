// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the command line. Strict: an option that is unknown, lacks its value, or does not apply to the command is an
// error. As in clang, the last of repeated options counts.
#include "driver/base/options.h"

#include "driver/base/tools.h"

#include "codegen/plan/names.h"

#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  C = 1 << COMMAND_COMPILE,
  K = 1 << COMMAND_CHECK,
  E = 1 << COMMAND_EXPLAIN,
  R = 1 << COMMAND_RUN,
  N = 1 << COMMAND_CHAINS,
  F = 1 << COMMAND_FMT,
  O = 1 << COMMAND_OPTIMIZE,
  V = 1 << COMMAND_VERIFY,
  T = 1 << COMMAND_TUNE,
  X = 1 << COMMAND_EXPLAIN_ERROR,
  L = 1 << COMMAND_LSP
};

typedef enum OptionId {
#define OPTION(id, spelling, value, set, commands, shown, help) OPTION_##id,
#include "driver/base/options.def"
#undef OPTION
  OPTION_COUNT
} OptionId;

static const OptionInfo rows[OPTION_COUNT] = {
#define OPTION(id, spelling, value, set, commands, shown, help)                                    \
  {spelling, VALUE_##value, commands, shown, help},
#include "driver/base/options.def"
#undef OPTION
};

static const char *const command_names[COMMAND_COUNT] = {
    "",         "check",  "explain", "run",           "chains", "fmt",
    "optimize", "verify", "tune",    "explain-error", "lsp"};

bool option_at(int index, OptionInfo *out) {
  if (index < OPTION_COUNT)
    *out = rows[index];
  return index < OPTION_COUNT;
}

const char *command_name(Command command) { return command_names[command]; }

// ---- messages ----

Exit usage_error(Command command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("reshapec: error: ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\ntry 'reshapec %s%s--help'\n", command_name(command),
          command == COMMAND_COMPILE ? "" : " ");
  return EXIT_USAGE;
}

Exit input_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("reshapec: error: ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return EXIT_INPUT;
}

// `return refuse(...)` ends a step that returns bool.
#define refuse(...) (usage_error(__VA_ARGS__), false)

// ---- values ----

typedef struct Parser {
  Options *options;
  char **argv;
  int argc, at;
  bool options_ended; // by `--`
  bool given[OPTION_COUNT];
  VEC(const char *) positional;
} Parser;

// The command, if it has been parsed, for the hint below a message.
static Command command_so_far(const Parser *p) {
  for (int c = COMMAND_CHECK; c < COMMAND_COUNT; c++)
    if (p->positional.count > 0 && strcmp(p->positional.item[0], command_names[c]) == 0)
      return (Command)c;
  return COMMAND_COMPILE;
}

// The index of the `length` bytes at `word` among `names`, or -1.
static int find_word(const char *word, size_t length, const char *const *names, int count) {
  for (int i = 0; i < count; i++)
    if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0)
      return i;
  return -1;
}

// An option as its help shows it, or with its values in place of a word for them: --dump=STEP,... is
// "--dump=ast|graph|moves|plan|code|llvm".
static const char *values_of(const Parser *p, OptionId id, const char *const *names, int count) {
  const char *text = rows[id].spelling, *shown = strchr(rows[id].shown, '=');
  if (!shown || !isupper((unsigned char)shown[1]))
    return rows[id].shown;
  for (int i = 0; i < count; i++)
    text = arena_printf(p->options->arena, "%s%s%s", text, i ? "|" : "=", names[i]);
  return text;
}

// What to write instead of an option of another compiler; NULL: not known.
static const char *hint_of_other_option(const char *name) {
#define OTHER_OPTION(spelling, hint)                                                               \
  if (strcmp(name, spelling) == 0)                                                                 \
    return hint;
#define OTHER_VALUE(option, value, hint)
#include "driver/base/other_options.def"
#undef OTHER_OPTION
#undef OTHER_VALUE
  return NULL;
}

// The same for a value of an option.
static const char *hint_of_other_value(const char *option, const char *given) {
#define OTHER_OPTION(spelling, hint)
#define OTHER_VALUE(of, value, hint)                                                               \
  if (strcmp(option, of) == 0 && strcmp(given, value) == 0)                                        \
    return hint;
#include "driver/base/other_options.def"
#undef OTHER_OPTION
#undef OTHER_VALUE
  return NULL;
}

// As find_word, for the whole value of an option; reports an unknown word.
static int choose(const Parser *p, OptionId id, const char *value, const char *const *names,
                  int count) {
  int found = find_word(value, strlen(value), names, count);
  if (found < 0) {
    const char *hint = hint_of_other_value(rows[id].spelling, value);
    const char *nearest = diag_nearest(value, names, count);
    if (hint)
      usage_error(command_so_far(p), "unknown value '%s' of '%s'; %s", value, rows[id].spelling,
                  hint);
    else if (nearest)
      usage_error(command_so_far(p), "unknown value '%s' of '%s'; did you mean '%s'?", value,
                  rows[id].spelling, nearest);
    else
      usage_error(command_so_far(p), "unknown value '%s': expected %s", value,
                  values_of(p, id, names, count));
  }
  return found;
}

static bool set_dumps(const Parser *p, const char *value) {
  static const char *const steps[] = {"ast", "graph", "moves", "plan", "code", "llvm"};
  for (const char *word = value;;) {
    size_t length = strcspn(word, ",");
    int step = choose(p, OPTION_DUMP, arena_text(p->options->arena, word, length), steps, 6);
    if (step < 0)
      return false;
    p->options->dumps |= 1u << step;
    if (word[length] == '\0')
      return true;
    word += length + 1;
  }
}

static bool set_level(const Parser *p, const char *value) {
  if (value[0] == '\0' || value[1] != '\0' || !strchr("0123sz", value[0]))
    return refuse(command_so_far(p), "unknown optimization level '-O%s': expected %s", value,
                  rows[OPTION_LEVEL].shown);
  p->options->code.opt_level = value[0] <= '3' ? value[0] - '0' : value[0];
  return true;
}

// "x86-64-v2,v3"; each may be spelled either way.
static bool set_levels(const Parser *p, const char *value) {
  static const char *const levels[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4", "v2", "v3", "v4"};
  for (const char *word = value;; word++) {
    size_t length = strcspn(word, ",");
    int level = choose(p, OPTION_VERSIONS, arena_text(p->options->arena, word, length), levels, 6);
    if (level < 0)
      return false;
    p->options->code.levels |= 1u << (2 + level % 3);
    word += length;
    if (*word == '\0')
      return true;
  }
}

static bool set_emit(const Parser *p, const char *value) {
  static const char *const kinds[] = {"obj", "asm", "llvm-ir", "bc", "c",
                                      "dma", "rsh", "wasm",    "so"};
  static const EmitKind emit[] = {EMIT_OBJECT,  EMIT_ASM, EMIT_LLVM_IR,
                                  EMIT_BITCODE, EMIT_C,   EMIT_DMA};
  enum { KINDS = sizeof emit / sizeof *emit };
  int kind = choose(p, OPTION_EMIT, value, kinds, KINDS + 3);
  p->options->emit_rsh = kind == KINDS;
  p->options->emit_wasm = kind == KINDS + 1;
  p->options->emit_so = kind == KINDS + 2;
  if (kind >= 0)
    p->options->emit = kind < KINDS ? emit[kind] : EMIT_OBJECT;
  return kind >= 0;
}

static bool set_parallel(const Parser *p, const char *value) {
  static const char *const hook[] = {"hook"};
  p->options->code.parallel = true;
  p->options->code.hook = value;
  return !value || choose(p, OPTION_PARALLEL, value, hook, 1) == 0;
}

static bool set_split(const Parser *p, const char *value) {
  static const char *const all[] = {"all"};
  p->options->split = true;
  p->options->split_all = value;
  return !value || choose(p, OPTION_SPLIT, value, all, 1) == 0;
}

static bool set_library(const Parser *p, const char *value) {
  static const char *const parts[] = {"mem"};
  p->options->code.library = true;
  return choose(p, OPTION_LIBC, value, parts, 1) == 0;
}

static bool set_color(const Parser *p, const char *value) {
  static const char *const whens[] = {"auto", "always", "never"};
  static const Color colors[] = {COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER};
  int when = choose(p, OPTION_COLOR, value, whens, 3);
  if (when >= 0)
    p->options->color = colors[when];
  return when >= 0;
}

static bool set_report(const Parser *p, const char *value) {
  static const char *const kinds[] = {"text", "json"};
  static const ReportKind reports[] = {REPORT_TEXT, REPORT_JSON};
  int kind = choose(p, OPTION_REPORT, value, kinds, 2);
  if (kind >= 0)
    p->options->report = reports[kind];
  return kind >= 0;
}

static bool set_completions(const Parser *p, const char *value) {
  static const char *const names[] = {"bash", "zsh", "fish"};
  static const Shell shells[] = {SHELL_BASH, SHELL_ZSH, SHELL_FISH};
  int shell = choose(p, OPTION_COMPLETIONS, value, names, 3);
  p->options->print = PRINT_COMPLETIONS;
  if (shell >= 0)
    p->options->shell = shells[shell];
  return shell >= 0;
}

static bool set_number(const Parser *p, OptionId id, const char *value, const char *of,
                       int64_t *number) {
  enum { DIGITS = 9 };
  size_t length = strspn(value, "0123456789");
  if (length == 0 || length > DIGITS || value[length] != '\0')
    return refuse(command_so_far(p), "'%s' is not a number of %s: expected %s", value, of,
                  rows[id].shown);
  *number = strtol(value, NULL, 10);
  return id != OPTION_JOBS || *number > 0 ||
         refuse(command_so_far(p), "'-j %s' leaves no process: expected 1 or more", value);
}

static bool set_prefix(const Parser *p, const char *value) {
  p->options->code.prefix = value;
  return is_prefix(value) ||
         refuse(command_so_far(p),
                "names in C cannot begin with '%s': expected a letter, then letters, digits and "
                "underscores",
                value);
}

static bool set_machine(const Parser *p, OptionId id, const char *value, const char **name) {
  *name = value;
  return strcmp(value, "help") != 0 || // LLVM would list names and then fail
         refuse(command_so_far(p),
                "'%s=help' is not supported; 'reshapec --print-targets' lists what is tested, "
                "and names are those of LLVM",
                rows[id].spelling);
}

static bool set_cpu(const Parser *p, const char *value) {
  return set_machine(p, OPTION_CPU, value, &p->options->code.cpu);
}

static bool set_features(const Parser *p, const char *value) {
  return set_machine(p, OPTION_FEATURES, value, &p->options->code.features);
}

// The column `set` of options.def: what an option changes.
typedef struct Setter {
  enum {
    SET_NOTHING,
    SET_FLAG,
    SET_WORD,
    SET_NUMBER,
    SET_PRINT,
    SET_IDENT,
    SET_VERIFY,
    SET_BY
  } kind;
  size_t field;     // of Options: bool, const char * or int64_t
  const char *unit; // of a number
  Print print;
  Ident ident;
  bool verify;
  bool (*by)(const Parser *p, const char *value);
} Setter;

#define NOTHING {.kind = SET_NOTHING}
#define FLAG(name) {.kind = SET_FLAG, .field = offsetof(Options, name)}
#define WORD(name) {.kind = SET_WORD, .field = offsetof(Options, name)}
#define NUMBER(name, of) {.kind = SET_NUMBER, .field = offsetof(Options, name), .unit = of}
#define PRINT(what) {.kind = SET_PRINT, .print = PRINT_##what}
#define IDENT(when) {.kind = SET_IDENT, .ident = IDENT_##when}
#define VERIFY(does) {.kind = SET_VERIFY, .verify = does}
#define BY(function) {.kind = SET_BY, .by = function}

static const Setter setters[OPTION_COUNT] = {
#define OPTION(id, spelling, value, set, commands, shown, help) set,
#include "driver/base/options.def"
#undef OPTION
};

static bool set_option(Parser *p, OptionId id, const char *value) {
  const Setter *set = &setters[id];
  Options *o = p->options;
  void *field = (char *)o + set->field;
  p->given[id] = true;
  switch (set->kind) {
  case SET_NOTHING:
    break;
  case SET_FLAG:
    *(bool *)field = true;
    break;
  case SET_WORD:
    *(const char **)field = value;
    break;
  case SET_NUMBER:
    return set_number(p, id, value, set->unit, field);
  case SET_PRINT:
    o->print = set->print;
    break;
  case SET_IDENT:
    o->code.ident = set->ident;
    break;
  case SET_VERIFY:
    o->verify = o->code.scan = set->verify;
    o->is_unverified = !set->verify;
    break;
  case SET_BY:
    return set->by(p, value);
  }
  return true;
}

// ---- arguments ----

// The option that `argument` spells; *value is the joined value, or NULL.
static OptionId match_option(const char *argument, const char **value) {
  for (int id = 0; id < OPTION_COUNT; id++) {
    size_t length = strlen(rows[id].spelling);
    if (strncmp(argument, rows[id].spelling, length) != 0)
      continue;
    const char *rest = argument + length;
    *value = NULL;
    switch (rows[id].value) {
    case VALUE_NONE:
      if (*rest == '\0')
        return (OptionId)id;
      break;
    case VALUE_JOINED:
      *value = rest;
      return (OptionId)id;
    case VALUE_NEXT:
      *value = *rest ? rest : NULL;
      return (OptionId)id;
    case VALUE_MAYBE:
    case VALUE_EQUALS:
      if (*rest == '=')
        *value = rest + 1;
      if (*rest == '=' || *rest == '\0')
        return (OptionId)id;
      break;
    }
  }
  return OPTION_COUNT;
}

static bool unknown_option(const Parser *p, const char *argument) {
  const char *names[OPTION_COUNT], *taken[OPTION_COUNT]; // accepted by the command
  int count = 0;
  for (int id = 0; id < OPTION_COUNT; id++) {
    names[id] = rows[id].spelling;
    if (rows[id].commands & 1u << command_so_far(p))
      taken[count++] = rows[id].spelling;
  }
  size_t length = strcspn(argument, "=");
  const char *name = arena_text(p->options->arena, argument, length);
  const char *nearest = diag_nearest(name, taken, count);
  if (find_word(name, length, names, OPTION_COUNT) >= 0)
    return refuse(command_so_far(p), "option '%s' takes no value", name);
  const char *hint = hint_of_other_option(name);
  if (hint)
    return refuse(command_so_far(p), "unknown option '%s'; %s", argument, hint);
  if (nearest)
    return refuse(command_so_far(p), "unknown option '%s'; did you mean '%s'?", argument, nearest);
  bool is_run = command_so_far(p) == COMMAND_RUN && p->positional.count > 1;
  return refuse(command_so_far(p), "unknown option '%s'%s", argument,
                is_run ? "; put '--' before arguments of a script that begin with '-'" : "");
}

// Conventional spellings of --help and --version: -h, -V, `help` or `version` as the first word, and `help` after a
// command, unless a file has that name.
static const char *common_spelling(const Parser *p, const char *argument) {
  bool is_word = access(argument, F_OK) != 0, is_first = is_word && p->at == 2;
  bool is_second = is_word && p->at == 3 && command_so_far(p) != COMMAND_COMPILE;
  if (strcmp(argument, "-h") == 0 || ((is_first || is_second) && strcmp(argument, "help") == 0))
    return rows[OPTION_HELP].spelling;
  if (strcmp(argument, "-V") == 0 || (is_first && strcmp(argument, "version") == 0))
    return rows[OPTION_VERSION].spelling;
  return argument;
}

static bool parse_option(Parser *p, const char *argument) {
  const char *value;
  OptionId id = match_option(argument, &value);
  if (id == OPTION_COUNT)
    return unknown_option(p, argument);
  if (rows[id].value == VALUE_NEXT && value && *value == '=')
    return refuse(command_so_far(p), "'%s' has no '=' before its value: write '%s %s'",
                  rows[id].spelling, rows[id].spelling, value + 1);
  bool may_lack = rows[id].value == VALUE_MAYBE && !value;
  if (rows[id].value != VALUE_NONE && rows[id].value != VALUE_JOINED && !may_lack) {
    if (!value && p->at < p->argc)
      value = p->argv[p->at++];
    bool may_be_empty = id == OPTION_TEXT; // empty statements are valid
    if (!value || (*value == '\0' && !may_be_empty))
      return refuse(command_so_far(p), "option '%s' needs a value: %s", rows[id].spelling,
                    rows[id].shown);
  }
  return set_option(p, id, value);
}

static bool parse_arguments(Parser *p) {
  while (p->at < p->argc) {
    const char *argument = p->argv[p->at++];
    if (!p->options_ended)
      argument = common_spelling(p, argument);
    if (!p->options_ended && strcmp(argument, "--") == 0) {
      p->options_ended = true;
    } else if (!p->options_ended && argument[0] == '-' && argument[1] != '\0') {
      if (!parse_option(p, argument))
        return false;
    } else {
      VEC_PUSH(p->options->arena, p->positional, argument);
    }
  }
  return true;
}

// ---- consistency of the arguments ----

// "compiling, chains and verify": the commands that accept an option.
static const char *commands_of(Arena *arena, OptionId id) {
  const char *text = "";
  for (int c = 0, left = __builtin_popcount(rows[id].commands); c < COMMAND_COUNT; c++)
    if (rows[id].commands & 1u << c) {
      const char *after = left > 2 ? ", " : left == 2 ? " and " : "";
      text = arena_printf(arena, "%s%s%s", text, c ? command_names[c] : "compiling", after);
      left--;
    }
  return text;
}

static bool options_apply(const Parser *p) {
  Command command = p->options->command;
  const char *name = command == COMMAND_COMPILE ? "compiling" : command_name(command);
  const char *prints = command == COMMAND_RUN   ? "writes to the FILE of NAME=FILE"
                       : command == COMMAND_FMT ? "formats in place"
                                                : "prints: write '> FILE'";
  for (int id = 0; id < OPTION_COUNT; id++)
    if (p->given[id] && !(rows[id].commands & 1u << command))
      return refuse(command, "option '%s' does not apply to %s, %s %s", rows[id].spelling, name,
                    id == OPTION_OUTPUT ? "which" : "but to",
                    id == OPTION_OUTPUT ? prints : commands_of(p->options->arena, (OptionId)id));
  return true;
}

// A single word that is not the name of a file is taken for a misspelled command.
static bool is_unknown_command(const char *word) {
  return strspn(word, "abcdefghijklmnopqrstuvwxyz-") == strlen(word) && strcmp(word, "-") != 0 &&
         access(word, F_OK) != 0;
}

static bool unknown_command(const char *word) {
  const char *nearest = diag_nearest(word, command_names + 1, COMMAND_COUNT - 1);
  if (nearest)
    return refuse(COMMAND_COMPILE, "unknown command '%s'; did you mean '%s'?", word, nearest);
  return refuse(COMMAND_COMPILE,
                "'%s' is neither a command nor a file; to compile a file, write: reshapec FILE",
                word);
}

static bool is_there(const char *path) { return strcmp(path, "-") == 0 || access(path, F_OK) == 0; }

// Reports words that are not files because of their order, a forgotten command, or a forgotten extension.
static bool words_are_in_order(const Parser *p, int first) {
  static const char *const endings[] = {".rsh", ".onnx", ".xml"};
  enum { ENDINGS = sizeof endings / sizeof *endings };
  const Options *o = p->options;
  const char *file = p->positional.item[first];
  bool is_compile = o->command == COMMAND_COMPILE;
  for (int i = first + 1; i < p->positional.count && (is_compile || !is_there(file)); i++) {
    const char *word = p->positional.item[i];
    bool is_command = find_word(word, strlen(word), command_names + 1, COMMAND_COUNT - 1) >= 0;
    if (is_compile && is_command && !is_there(word))
      return refuse(o->command, "a command comes first: write 'reshapec %s %s'", word, file);
    if (is_compile && strchr(word, '=') && !is_there(word))
      return refuse(o->command, "'%s' is for 'run': write 'reshapec run %s ...'", word, file);
    for (int k = 0; k < ENDINGS && !is_compile && (!strpbrk(file, "./") || strchr(file, '=')); k++)
      if (source_has_ending(word, endings[k]) && is_there(word))
        return refuse(o->command, "the file comes first: write 'reshapec %s %s ...'",
                      command_name(o->command), word);
  }
  for (int k = 0; k < ENDINGS && !is_there(file); k++)
    if (is_there(arena_printf(o->arena, "%s%s", file, endings[k])))
      return refuse(o->command, "no file is called '%s'; did you mean '%s%s'?", file, file,
                    endings[k]);
  if (o->command == COMMAND_RUN && strpbrk(file, "()[]|") && !is_there(file))
    return refuse(o->command, "no file is called '%s'; statements are an option: write -e '%s'",
                  file, file);
  return true;
}

static bool take_positionals(Parser *p) {
  Options *o = p->options;
  int first = o->command == COMMAND_COMPILE ? 0 : 1;
  for (int i = first; o->text && i < p->positional.count; i++)
    VEC_PUSH(o->arena, o->word, p->positional.item[i]);
  if (o->text)
    return true;
  if (o->command == COMMAND_EXPLAIN_ERROR) {
    o->error = p->positional.count > first ? p->positional.item[first] : NULL;
    return p->positional.count <= first + 1 || refuse(o->command, "explain-error takes one NAME");
  }
  if (o->command == COMMAND_LSP) {
    o->file = "-";
    return p->positional.count == first ||
           refuse(o->command, "lsp takes no FILE, because the editor opens the files: '%s'",
                  p->positional.item[first]);
  }
  if (o->machine) {
    o->file = "";
    return p->positional.count == first ||
           refuse(o->command, "--machine takes no FILE: '%s'", p->positional.item[first]);
  }
  if (p->positional.count == first)
    return refuse(o->command, "no input file");
  o->file = p->positional.item[first];
  if (*o->file == '\0')
    return refuse(o->command, "the name of the input file is empty");
  if (!words_are_in_order(p, first))
    return false;
  if (o->command == COMMAND_COMPILE && is_unknown_command(o->file))
    return unknown_command(o->file);
  bool takes_several =
      o->command == COMMAND_COMPILE || o->command == COMMAND_CHECK || o->command == COMMAND_FMT;
  for (int i = first; i < p->positional.count && takes_several; i++) {
    if (*p->positional.item[i] == '\0')
      return refuse(o->command, "the name of the input file is empty");
    VEC_PUSH(o->arena, o->files, p->positional.item[i]);
  }
  for (int i = first + 1; i < p->positional.count && !takes_several; i++) {
    const char *argument = p->positional.item[i];
    if (o->command == COMMAND_RUN) {
      VEC_PUSH(o->arena, o->word, argument);
      continue;
    }
    bool takes_graph =
        o->command == COMMAND_EXPLAIN || o->command == COMMAND_VERIFY || o->command == COMMAND_TUNE;
    bool is_file = strpbrk(argument, "./") != NULL; // no name of a graph has these characters
    if (takes_graph && !is_file && o->graph)
      return refuse(o->command, "more than one graph: '%s' and '%s'", o->graph, argument);
    if (takes_graph && !is_file) {
      o->graph = argument;
      continue;
    }
    if ((o->command == COMMAND_OPTIMIZE || o->command == COMMAND_CHAINS) && !o->output)
      return refuse(o->command, "the output is an option: write '-o %s'", argument);
    return refuse(o->command, "more than one input file: '%s' and '%s'", o->file, argument);
  }
  return true;
}

bool names_folder(const char *path) { return path && path[strlen(path) - 1] == '/'; }

// With several input files, an option that names a single output file is an error.
static const char *wrong_of_several(const Options *o) {
  if (o->files.count < 2)
    return NULL;
  if (o->json || o->sarif || o->report == REPORT_JSON)
    return "JSON and SARIF are one document: give one FILE";
  if (o->output && !names_folder(o->output))
    return "-o FILE is the output of one FILE: for several write -o DIR/";
  if (o->header && !names_folder(o->header))
    return "--header FILE is the header of one FILE: for several write --header DIR/";
  if (o->depend_file)
    return "-MF names the rule of one FILE: for several, each rule is next to its output";
  return NULL;
}

static bool outputs_make_sense(const Options *o) {
  bool stdout_object = o->output && strcmp(o->output, "-") == 0;
  bool stdout_header = o->header && strcmp(o->header, "-") == 0;
  bool stdout_rule = o->depend_file && strcmp(o->depend_file, "-") == 0;
  const char *wrong = NULL;
  if (o->json + o->sarif + o->dot + o->svg + o->html > 1)
    wrong = "--json, --sarif, --dot, --svg and --html are mutually exclusive";
  else if (o->command != COMMAND_OPTIMIZE && (o->json || o->dot || o->svg || o->html) &&
           (stdout_object || stdout_header || o->report))
    wrong = o->report ? "--report and a description cannot both go to standard output"
                      : "-o and --json cannot both go to standard output";
  else if (o->machine && (o->all || o->json))
    wrong = "--machine excludes --all and --json";
  else if (o->depend_file && !o->depend)
    wrong = "-MF needs -MD";
  else if ((o->depend_target || o->depend_phony) && !o->depend)
    wrong = "-MT and -MP need -MD";
  else if (stdout_object && stdout_header)
    wrong = "-o and --header cannot both go to standard output";
  else if ((stdout_object || stdout_header) && o->dumps)
    wrong = "--dump and a result cannot both go to standard output";
  else if ((o->verify || o->command == COMMAND_VERIFY) &&
           ((o->emit != EMIT_OBJECT && o->emit != EMIT_C) || o->emit_rsh || o->emit_wasm))
    wrong = "only objects and C code can be verified: use --emit=obj or --emit=c";
  else if (o->emit_so && o->command == COMMAND_VERIFY)
    wrong = "a shared library contains an object: verify that, with --emit=obj";
  else if (o->cc && !o->emit_so &&
           (o->emit != EMIT_C || !(o->verify || o->command == COMMAND_VERIFY)))
    wrong = "--cc names the compiler that verifies C code: it needs --emit=c, and verify or "
            "-fverify; or --emit=so";
  else if (o->runtime && !o->emit_wasm && !o->emit_so &&
           !(o->code.triple && (o->verify || o->command == COMMAND_VERIFY)))
    wrong = "--runtime names the library of another machine: it needs --target, and verify or "
            "-fverify; or --emit=wasm or --emit=so";
  else if (o->emit_wasm && o->code.triple && strncmp(o->code.triple, "wasm", 4) != 0)
    wrong = "--emit=wasm makes modules of WebAssembly: --target is wasm32 for them";
  else if (o->report && (stdout_object || stdout_header || o->dumps))
    wrong = "--report and something else cannot both go to standard output";
  else if ((o->report || o->code.limit.stack >= 0 || o->code.limit.text >= 0) &&
           (o->emit != EMIT_OBJECT || o->emit_rsh || o->emit_wasm || o->emit_so))
    wrong = "--report, --max-stack and --max-text measure an object: they need --emit=obj";
  else if ((o->code.debug || o->code.levels) && (o->emit == EMIT_C || o->emit == EMIT_DMA))
    wrong = o->emit == EMIT_C ? "-g and --multiversion do not apply to --emit=c"
                              : "-g and --multiversion do not apply to --emit=dma";
  else if (o->code.dma_loops >= 0 && o->emit != EMIT_DMA)
    wrong = "--dma-loops limits the loops of a table: it needs --emit=dma";
  else if (stdout_rule && (stdout_header || o->dumps || o->report || o->json))
    wrong = "-MF - and something else cannot both go to standard output";
  else if (o->header && o->emit_rsh)
    wrong = "--header declares the functions of code: it does not apply to --emit=rsh";
  else if (o->depend && stdout_object)
    wrong = "-MD needs the name of an output file: add -o FILE";
  else if (o->command != COMMAND_FMT)
    wrong = wrong_of_several(o);
  return !wrong || refuse(o->command, "%s", wrong);
}

static bool is_input(const Options *o, const char *path) {
  bool found = o->file && is_one_file(o->file, path);
  for (int i = 0; i < o->files.count && !found; i++)
    found = is_one_file(o->files.item[i], path);
  return found;
}

// Without --emit, "camera.c" would be an object, which a later build step compiles as C.
static bool is_named_as_object(const Parser *p) {
  static const struct {
    const char *extension, *hint;
  } others[] = {{".c", "add --emit=c"},
                {".cc", "--emit=c writes C, to a .c file"},
                {".cpp", "--emit=c writes C, to a .c file"},
                {".cxx", "--emit=c writes C, to a .c file"},
                {".h", "--header FILE writes the header"},
                {".hh", "--header FILE writes the header"},
                {".hpp", "--header FILE writes the header"},
                {".s", "add --emit=asm"},
                {".S", "add --emit=asm"},
                {".ll", "add --emit=llvm-ir"},
                {".bc", "add --emit=bc"},
                {".so", "add --emit=so"},
                {".dll", "--emit=so links a shared library"},
                {".dylib", "--emit=so links a shared library"},
                {".a", "write a .o file, from which 'ar rcs' makes a library"},
                {".lib", "write a .o file, from which 'ar rcs' makes a library"},
                {".wasm", "add --emit=wasm"},
                {".rsh", "add --emit=rsh"},
                {".onnx", "'optimize' writes a model"},
                {".xml", "OpenVINO IR is only read"},
                {".json", "'explain --json' and --report=json print JSON"},
                {".svg", "'explain --svg' draws pictures"},
                {".tuning", "'tune' writes it, --tuning=FILE reads it"}};
  const Options *o = p->options;
  bool writes_object = (o->command == COMMAND_COMPILE || o->command == COMMAND_CHAINS) &&
                       !p->given[OPTION_EMIT] && o->output;
  const char *extension = writes_object ? strrchr(o->output, '.') : NULL;
  if (extension && is_input(o, o->output)) // no --emit helps
    return refuse(o->command, "'%s' would overwrite the input", o->output);
  for (size_t i = 0; extension && i < sizeof others / sizeof *others; i++)
    if (strcmp(extension, others[i].extension) == 0)
      return refuse(o->command, "'%s' would be an object: %s", o->output, others[i].hint);
  return true;
}

// `reshapec help slice`: the next word is an operator, or a command, which the caller has handled.
static bool help_of_word(Parser *p) {
  const char *word = p->positional.count > 0 ? p->positional.item[0] : NULL;
  const char *names[COMMAND_COUNT + HELP_NAMES];
  if (p->options->print != PRINT_HELP || p->options->command != COMMAND_COMPILE || !word)
    return true;
  if (print_op_help(p->options->arena, word, NULL)) {
    p->options->print = PRINT_OP_HELP;
    p->options->op = word;
    return true;
  }
  if (access(word, F_OK) == 0 || strcmp(word, "compile") == 0) // which has no word
    return true;
  const char *hint = hint_of_others(p->options->arena, word);
  if (*hint)
    return refuse(COMMAND_COMPILE, "no command or operator is called '%s'%s", word, hint);
  int count = help_names(names);
  for (int command = COMMAND_CHECK; command < COMMAND_COUNT; command++)
    names[count++] = command_names[command];
  const char *nearest = diag_nearest(word, names, count);
  if (nearest)
    return refuse(COMMAND_COMPILE, "no command or operator is called '%s'; did you mean '%s'?",
                  word, nearest);
  return refuse(COMMAND_COMPILE,
                "no command or operator is called '%s'; --list-ops lists operators", word);
}

bool options_parse(Options *options, Arena *arena, int argc, char **argv) {
  *options =
      (Options){.arena = arena, .code = {.opt_level = 2, .limit = {-1, -1}, .dma_loops = -1}};
  Parser p = {.options = options, .argv = argv, .argc = argc, .at = 1};
  if (!parse_arguments(&p))
    return false;
  options->command = command_so_far(&p);
  if (!options_apply(&p) || !help_of_word(&p))
    return false;
  if (options->print != PRINT_NOTHING)
    return true;
  if (!take_positionals(&p) || !is_named_as_object(&p) || !outputs_make_sense(options))
    return false;
  if (options->emit_wasm && !options->code.triple)
    options->code.triple = "wasm32-unknown-unknown";
  return true;
}
