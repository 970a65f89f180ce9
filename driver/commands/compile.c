// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec FILE: writes code, and the header and make rule if requested. All outputs are generated in memory before the
// first is written, so an error leaves the files of the previous run unchanged.
#include "codegen/code/code.h"
#include "codegen/plan/names.h"
#include "driver/base/commands.h"
#include "driver/base/tools.h"
#include "driver/base/pipeline.h"
#include "driver/base/progress.h"
#include "driver/base/report.h"
#include "driver/commands/weights_away.h"
#include "driver/verify/verify.h"
#include "frontend/data/output.h"
#include "frontend/text/text_out.h"
#include "grammar/format.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// "a/b.rsh" and ".o" become "a/b.o". A name whose only dot is its first byte has no extension.
const char *path_with_extension(Arena *arena, const char *path, const char *extension) {
  const char *base = path_base(path), *dot = strrchr(base, '.');
  size_t stem = dot && dot != base ? (size_t)(dot - path) : strlen(path);
  return arena_printf(arena, "%.*s%s", (int)stem, path, extension);
}

static const char *extension_of(const Options *o) {
  if (o->emit_rsh)
    return ".rsh";
  if (o->emit_wasm)
    return ".wasm";
  if (o->emit_so)
    return ".so";
  switch (o->emit) {
  case EMIT_OBJECT:
    return ".o";
  case EMIT_ASM:
    return ".s";
  case EMIT_LLVM_IR:
    return ".ll";
  case EMIT_BITCODE:
    return ".bc";
  case EMIT_C:
    return ".c";
  case EMIT_DMA:
    return ".dma.h";
  }
  return "";
}

// The file for `path`: "out/" and "a/b.rsh" become "out/b.o".
static const char *output_name(const Options *o, const char *path, const char *extension) {
  if (path && !names_folder(path))
    return path;
  return path_with_extension(
      o->arena, arena_printf(o->arena, "%s%s", path ? path : "", path_base(o->file)), extension);
}

// With several files, or output to a folder, objects and C code get headers in the same folder.
static bool has_header(const Options *o) {
  bool is_code = (o->emit == EMIT_OBJECT || o->emit == EMIT_C) && !o->emit_rsh && !o->emit_wasm;
  return o->header || o->split || (is_code && (o->files.count > 1 || names_folder(o->output)));
}

Exit choose_names(const Options *o, OutputNames *names) {
  bool is_named = o->output && !names_folder(o->output);
  if (!is_named && strcmp(o->file, "-") == 0)
    return usage_error(o->command,
                       "standard input has no name to derive an output name from: give -o FILE");
  *names = (OutputNames){.code = output_name(o, o->output, extension_of(o))};
  if (has_header(o))
    names->header = o->header ? output_name(o, o->header, ".h")
                              : path_with_extension(o->arena, names->code, ".h");
  if (names->header && !can_include(names->header))
    return usage_error(
        o->command, "C code cannot include a header whose name has a quote or a line break: '%s'",
        names->header);
  if (o->depend)
    names->depend =
        o->depend_file ? o->depend_file : path_with_extension(o->arena, names->code, ".d");
  if (o->command == COMMAND_CHAINS && strcmp(names->code, "-") != 0)
    names->manifest = path_with_extension(o->arena, names->code, ".json");

  const char *all[] = {o->file, names->code, names->header, names->depend, names->manifest};
  for (int i = 0; i < 5; i++)
    for (int j = i + 1; j < 5; j++)
      if (all[i] && all[j] && is_one_file(all[i], all[j]))
        return usage_error(o->command, "'%s' would %s", all[j],
                           i == 0 ? "overwrite the input" : "be written twice");
  return EXIT_DONE;
}

// Escapes a name for make: "a b#c$:" becomes "a\ b\#c$$\:". Backslashes are special only before one of these.
static const char *make_escape(Arena *arena, const char *name) {
  char *text = arena_alloc(arena, 2 * strlen(name) + 1), *to = text;
  for (const char *at = name; *at; at++) {
    if (strchr(" \t#:", *at)) {
      for (const char *back = at; back > name && back[-1] == '\\'; back--)
        *to++ = '\\';
      *to++ = '\\';
    } else if (*at == '$') {
      *to++ = '$';
    }
    *to++ = *at;
  }
  *to = '\0';
  return text;
}

// The files that the output depends on: first the input file, then a model's weights and imported files.
static const char **files_of(const Pipeline *p, int *count) {
  int most = 1;
  for (const OnnxWeights *read = p->model ? *p->model->weights : NULL; read; read = read->next)
    most++;
  for (const Source *imported = p->source->next; imported; imported = imported->next)
    most++;
  const char **file = ARENA_ARRAY(p->arena, const char *, most);
  file[0] = p->options->file;
  *count = 1;
  for (const OnnxWeights *read = p->model ? *p->model->weights : NULL; read; read = read->next)
    file[(*count)++] = read->path;
  for (const Source *imported = p->source->next; imported; imported = imported->next)
    file[(*count)++] = imported->name;
  return file;
}

// Refuses a name with a character that ends or changes a rule, and has no escape that make and ninja both read: after
// "a.o: b;c", make runs c.
static bool can_be_in_rule(Pipeline *p, const char *name) {
  size_t at = strcspn(name, ";|=*?[%~&\n\r");
  if (name[at] == '\0')
    return true;
  diag_error_file(&p->diag, "bad_file",
                  "a make rule cannot name '%s': %s; rename the file, or compile without -MD", name,
                  name[at] < ' '
                      ? "the end of the line ends the rule"
                      : arena_printf(p->arena, "'%c' has another meaning there", name[at]));
  return false;
}

// False, after an error: it cannot be written.
static bool make_rule(Pipeline *p, const OutputNames *names, Bytes *out) {
  const char *target = p->options->depend_target; // already escaped for make
  int count;
  const char **file = files_of(p, &count);
  int first = strcmp(file[0], "-") == 0; // standard input is not a file
  if (!target && !can_be_in_rule(p, names->code))
    return false;
  const char *rule =
      arena_printf(p->arena, "%s:", target ? target : make_escape(p->arena, names->code));
  for (int i = first; i < count; i++) {
    if (!can_be_in_rule(p, file[i]))
      return false;
    rule = arena_printf(p->arena, "%s %s", rule, make_escape(p->arena, file[i]));
  }
  rule = arena_printf(p->arena, "%s\n", rule);
  // Then make continues if one of the other files has been deleted.
  for (int i = 1; i < count && p->options->depend_phony; i++)
    rule = arena_printf(p->arena, "%s\n%s:\n", rule, make_escape(p->arena, file[i]));
  *out = (Bytes){rule, strlen(rule)};
  return true;
}

static void dump_function(Pipeline *p, const Plan *plan, const char *name, EntryPoint entry) {
  int pointer = 8 * emit_pointer_bytes(p->arena, &p->options->code);
  printf("code %s\n", name);
  code_print(plan->tape ? code_dynamic(p->arena, plan, entry == ENTRY_SHAPE)
                        : code_entry(p->arena, plan, entry, false, pointer),
             stdout);
}

static void dump_tasks(Pipeline *p, const Plan *plan, const char *name) {
  int64_t tasks;
  const Split *split = plan_split(p->arena, plan, &tasks);
  if (!split)
    return;
  printf("code %s_tasks\n", name);
  code_print(code_task_count(p->arena, plan, split, tasks), stdout);
  printf("code %s_task\n", name);
  code_print(code_task(p->arena, plan, split, tasks), stdout);
}

// Prints for each function: the addressing of staged values, the in-place computation of outputs, the work of tasks,
// and the checks of sizes.
static void dump_code(Pipeline *p) {
  for (int i = 0; i < p->plan.count; i++) {
    const Plan *plan = p->plan.item[i];
    const char *name = plan->graph->name;
    for (int k = 0; k < plan->stage_count; k++) {
      printf("code %s.stage.%d\n", name, k);
      code_print(code_stage(p->arena, plan, &plan->stage[k], false), stdout);
    }
    for (int k = 0; k < plan->output_count; k++) {
      const Cycles *cycles = plan->output[k].cycles;
      if (plan->output[k].slides) {
        printf("code %s.slides.%d\n", name, k);
        code_print(code_slides(p->arena, plan, plan->output[k].slides, 1, false), stdout);
      }
      if (!cycles)
        continue;
      printf("code %s.cycles.%d\n", name, k);
      code_print(code_cycles(p->arena, plan, cycles, plan->output[k].nest->unit, 1, 0,
                             emit_divides(p->arena, &p->options->code)),
                 stdout);
    }
    if (p->options->code.parallel && !plan->tape)
      dump_tasks(p, plan, name);
    if (!plan->signature.returns_status)
      continue;
    dump_function(p, plan, name, ENTRY_WHOLE);
    dump_function(p, plan, arena_printf(p->arena, "%s_shape", name), ENTRY_SHAPE);
  }
}

static bool dump_llvm(Pipeline *p) {
  Bytes text;
  if (!emit_code(p->arena, p->plan.item, p->plan.count, &p->options->code, EMIT_LLVM_IR, false,
                 &text, &p->diag))
    return false;
  fwrite(text.data, 1, text.size, stdout);
  return true;
}

// -fverify: nothing is written unless the proof succeeds. False: it failed, which was reported.
static bool prove(Pipeline *p, Bytes code) {
  Proof *proof = ARENA_ARRAY(p->arena, Proof, p->plan.count + 1);
  return verify_code(p, code, NULL, proof) && verify_report(p, proof);
}

// Remarks once per file that code for open sizes is unverified, if verification was possible.
static void remark_unverified(Pipeline *p) {
  const Options *o = p->options;
  int open = 0, count = p->plan.count;
  for (int i = 0; i < count; i++)
    open += p->plan.item[i]->tape || p->plan.item[i]->graph->symbol.count > 0;
  if (open == 0 || o->verify || o->is_unverified || (o->emit != EMIT_OBJECT && o->emit != EMIT_C))
    return;
  diag_remark_file(&p->diag,
                   "%s sizes known only at run time, not verified: -fverify tries some of them, "
                   "-fno-verify hides this note",
                   count == 1 ? "the graph has"
                   : open > 1 ? arena_printf(p->arena, "%d of %d graphs have", open, count)
                              : arena_printf(p->arena, "1 of %d graphs has", count));
}

static void add_file(Pipeline *p, OutputFiles *files, const char *path, Bytes bytes) {
  OutputPart *part = ARENA_NEW(p->arena, OutputPart);
  *part = (OutputPart){bytes.data, bytes.size};
  VEC_PUSH(p->arena, *files, ((OutputFile){path, part, 1}));
}

// -MD. False, after an error: the rule cannot be written.
static bool add_rule(Pipeline *p, OutputFiles *files, const OutputNames *names) {
  Bytes rule;
  if (!names->depend)
    return true;
  if (!make_rule(p, names, &rule))
    return false;
  add_file(p, files, names->depend, rule);
  return true;
}

// The file that was read and that `path` would replace: the input, its imports or weights; NULL: none.
static const char *replaced_file(const Pipeline *p, const char *path) {
  int count;
  const char **file = files_of(p, &count);
  for (int i = 0; i < count; i++)
    if (is_one_file(file[i], path))
      return file[i];
  return p->model && has_weights_in(p->arena, p->model, path) ? path : NULL;
}

Exit check_replaces_none(const Pipeline *p, const char *path) {
  const char *replaced = replaced_file(p, path);
  return !replaced ? EXIT_DONE
                   : usage_error(p->options->command, "'%s' would overwrite %s", path,
                                 replaced == p->options->file ? "the input"
                                                              : "a file that the input reads");
}

// Writes these files and `more`, or none.
static Exit write_files(Pipeline *p, OutputFiles *files, const OutputFiles *more) {
  char error[512];
  for (int i = 0; more && i < more->count; i++)
    VEC_PUSH(p->arena, *files, more->item[i]);
  for (int i = 0; i < files->count; i++)
    if (check_replaces_none(p, files->item[i].path) != EXIT_DONE)
      return EXIT_USAGE;
  return file_write_together(files->item, (size_t)files->count, error, sizeof error)
             ? EXIT_DONE
             : input_error("%s", error);
}

// Modules contain all that they call. False: reported.
static bool module_is_whole(Pipeline *p) {
  for (int i = 0; i < p->plan.count && !p->options->runtime; i++) {
    const Plan *plan = p->plan.item[i];
    if (!plan->tape)
      continue;
    diag_error(&p->diag, plan->graph->span, "bad_target",
               "'%s' is dynamic, so the module contains the runtime library: build it for "
               "WebAssembly, and name it with --runtime=librsh_runtime.a; or use --emit=obj",
               plan->graph->name);
    return false;
  }
  return true;
}

// Errors of earlier steps are in the diagnostics; the returned status only covers writing the files.
static Exit write_results(Pipeline *p, const OutputNames *names, const OutputFiles *more) {
  Bytes code;
  ObjectReport report;
  EmitOptions options = p->options->code;
  options.report = p->options->report ? &report : NULL;
  if (names->header && strcmp(names->header, "-") != 0)
    options.header = path_base(names->header);
  if (p->options->emit_wasm && !module_is_whole(p))
    return EXIT_DONE;
  Progress *progress = progress_start(p->arena, "generating code", 0);
  bool made = pipeline_emit(p, &options, p->options->emit, &code);
  progress_end(progress);
  if (!made)
    return EXIT_DONE;
  if (p->options->verify && !prove(p, code))
    return EXIT_DONE;
  if (p->options->emit_wasm && !wasm_link(p->options, code, &code, &p->diag))
    return EXIT_DONE;
  if (p->options->emit_so && !shared_link(p, names->code, code, &code))
    return EXIT_DONE;
  OutputFiles files = {0};
  add_file(p, &files, names->code, code);
  if (names->header) {
    bool nameless = strcmp(names->header, "-") == 0;
    const char *guard =
        path_base(nameless ? path_with_extension(p->arena, names->code, ".h") : names->header);
    add_file(p, &files, names->header, pipeline_header(p, &p->options->code, guard));
  }
  if (!add_rule(p, &files, names))
    return EXIT_INPUT;
  Exit status = write_files(p, &files, more);
  if (status != EXIT_DONE)
    return status;
  remark_unverified(p);
  if (options.report && p->options->files.count > 1)
    printf("%s:\n", p->options->file);
  if (options.report)
    report_print(p->arena, &report, p->tuning, p->options->report);
  return EXIT_DONE;
}

// Dumps without a requested output: steps after the last dump are skipped.
static Step last_step(const Options *options) {
  if (options->dumps == 0 || options->output || options->header || options->depend)
    return STEP_EMIT;
  Step last = STEP_LLVM;
  while (!(options->dumps & 1u << last))
    last--;
  return last;
}

static bool can_write_text(Pipeline *p) {
  for (int i = 0; i < p->module->graph_count; i++) {
    const Value *constant = graph_text_constant(p->module->graph[i]);
    if (constant)
      diag_error(&p->diag, constant->span, "unsupported",
                 "'%s' is a weight, which the language cannot express", constant->name);
    Span span;
    if (!graph_can_write(p->arena, p->module->graph[i], &span))
      diag_error(&p->diag, span, "unsupported",
                 "sizes here are computed only at run time, which the language cannot express");
  }
  return p->diag.errors == 0;
}

// Whether a file whose name no option gives has another text, such as one that the user has edited.
static bool is_someones(const Options *o, const char *path, Bytes text) {
  const char *why;
  struct stat status;
  bool is_derived = !o->output || names_folder(o->output);
  if (!is_derived || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  const Source *old = source_read(o->arena, path, &why);
  return !old || old->length != text.size || memcmp(old->text, text.data, text.size) != 0;
}

// --emit=rsh: the graphs as text, in the layout of fmt, whose lines break where names are long.
static Exit write_text(Pipeline *p, const OutputNames *names, const OutputFiles *more) {
  TextOut text;
  OutputFiles files = {0};
  size_t size;
  FILE *out = text_out_begin(&text);
  for (int i = 0; i < p->module->graph_count; i++) {
    fputs(i > 0 ? "\n" : "", out);
    graph_write(p->module->graph[i], out);
  }
  const char *all = text_out_end(&text, p->arena, &size);
  Source *source = source_from_text(p->arena, p->diag.file, all, size);
  Diag quiet = {.arena = p->arena, .source = source};
  size_t length = 0;
  const char *laid_out = format_source(p->arena, source, &length, &quiet);
  Bytes written = {laid_out, length}, plain = {all, size}; // the unformatted text is equivalent
  const Bytes *new = laid_out ? &written : &plain;
  if (is_someones(p->options, names->code, *new))
    return usage_error(p->options->command, "'%s' exists with other contents; '-o %s' replaces it",
                       names->code, names->code);
  add_file(p, &files, names->code, *new);
  if (!add_rule(p, &files, names))
    return EXIT_INPUT;
  return write_files(p, &files, more);
}

// Files compiled by one call must not have the same output: "a/x.rsh" and "b/x.rsh" both have "x.o".
static Exit check_outputs(const Options *o) {
  OutputNames *names = ARENA_ARRAY(o->arena, OutputNames, o->files.count + 1);
  for (int i = 0; i < o->files.count; i++) {
    Options one = *o;
    one.file = o->files.item[i];
    if (choose_names(&one, &names[i]) != EXIT_DONE)
      return EXIT_USAGE;
    for (int k = 0; k < i; k++) {
      if (is_one_file(names[i].code, names[k].code))
        return usage_error(o->command, "'%s' and '%s' would both be written to '%s'",
                           o->files.item[k], one.file, names[i].code);
      if (is_one_file(o->files.item[k], names[i].code))
        return usage_error(o->command, "'%s' would overwrite the input", names[i].code);
    }
  }
  return EXIT_DONE;
}

static Exit compile(const Options *options) {
  Step last = last_step(options);
  OutputNames names = {0};
  if (last == STEP_EMIT && choose_names(options, &names) != EXIT_DONE)
    return EXIT_USAGE;
  Pipeline p;
  Exit status = EXIT_DONE;
  pipeline_start(&p, options);
  bool is_text = last == STEP_EMIT && options->emit_rsh;
  bool good_so_far = pipeline_run(&p, is_text ? STEP_GRAPH : last);
  if (is_text && good_so_far && can_write_text(&p))
    status = write_text(&p, &names, NULL);
  else if (!is_text && good_so_far && last >= STEP_CODE && pipeline_can_emit(&p)) {
    if (options->dumps & 1u << STEP_CODE)
      dump_code(&p);
    bool good = !(options->dumps & 1u << STEP_LLVM) || dump_llvm(&p);
    if (good && last == STEP_EMIT)
      status = write_results(&p, &names, NULL);
  }
  return pipeline_finish(&p, status);
}

Exit compile_chains(Pipeline *p, const OutputNames *names, const OutputFiles *more) {
  if (p->options->emit_rsh)
    return can_write_text(p) ? write_text(p, names, more) : EXIT_DONE;
  return write_results(p, names, more);
}

Exit each_file(const Options *options, Exit (*command)(const Options *one)) {
  Exit worst = EXIT_DONE;
  for (int i = 0; i < options->files.count; i++) {
    Options one = *options;
    one.file = options->files.item[i];
    Exit status = command(&one);
    worst = status > worst ? status : worst;
  }
  return worst;
}

Exit command_compile(const Options *options) {
  if (last_step(options) == STEP_EMIT && check_outputs(options) != EXIT_DONE)
    return EXIT_USAGE;
  return each_file(options, compile);
}
