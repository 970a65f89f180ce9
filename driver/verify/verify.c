// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec verify, and -fverify: verifies the object that a file is compiled to, and reports the result.
#include "driver/verify/verify.h"

#include "codegen/plan/names.h"
#include "driver/base/commands.h"
#include "driver/base/progress.h"
#include "driver/verify/verify_c.h"
#include "driver/verify/verify_prove.h"
#include "frontend/text/sha256.h"

#include <jansson.h>
#include <string.h>

// ---- the variants of an object ----

// Where the object runs: in this process, or under an emulator.
typedef struct Home {
  Jit *jit;
  Guest *guest;
  Line line;               // to the guest: opened by the process that runs the graph
  const GraphNames *names; // of each plan's graph
} Home;

static bool open_home(Pipeline *p, Bytes object, Words libraries, const char *header, Home *home) {
  const EmitOptions *options = &p->options->code;
  home->names = graph_names(p->arena, p->plan.item, p->plan.count, options->parallel);
  if (emit_is_host(options))
    home->jit = jit_load(p->arena, p->plan.item, p->plan.count, options, object, &p->diag);
  else
    home->guest = guest_build(p->arena,
                              &(GuestParts){.options = options,
                                            .triple = emit_triple(p->arena, options),
                                            .plans = p->plan.item,
                                            .count = p->plan.count,
                                            .object = object,
                                            .header = header,
                                            .runtime = p->options->runtime,
                                            .libraries = libraries},
                              &p->diag);
  return home->jit || home->guest;
}

static void close_home(const Home *home) {
  if (home->jit)
    jit_free(home->jit);
  if (home->guest)
    guest_free(home->guest);
}

static Callable code_of(Home *home, const Plan *plan, int index) {
  Callable code = {.guest = home->guest, .line = &home->line, .index = index};
  for (EntryPoint e = 0; e < ENTRY_POINTS; e++) {
    bool is_named = home->names[index].entry[e] != NULL;
    if (home->jit && is_named)
      code.function[e] = jit_find(home->jit, plan->graph->name, e);
    code.has[e] = is_named && (home->guest || code.function[e]);
  }
  return code;
}

// The x86-64 level of this machine.
static int host_level(void) {
#if defined __x86_64__
  bool has[] = {__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"),
                __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"),
                __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")};
  int level = 1;
  while (level < 4 && has[level - 1])
    level++;
  return level;
#else
  return 0;
#endif
}

static void add_variant(Pipeline *p, Subject *subject, const char *version, Callable code) {
  const char *tasks = code.in_tasks ? *version ? ", in tasks" : "in tasks" : "";
  VEC_PUSH(p->arena, subject->variant,
           ((CodeVariant){arena_printf(p->arena, "%s%s", version, tasks), code}));
}

// Adds the sequential function and its tasks.
static void add_version(Pipeline *p, Subject *subject, const char *version, Callable code) {
  add_variant(p, subject, version, code);
  code.in_tasks = code.has[ENTRY_TASK_COUNT] && code.has[ENTRY_TASK];
  if (code.in_tasks)
    add_variant(p, subject, version, code);
}

// Adds the version for this processor, or all versions that it can run.
static void add_variants(Pipeline *p, Home *home, const Plan *plan, int index, Subject *subject) {
  Callable code = code_of(home, plan, index);
  unsigned levels = p->options->code.levels;
  int most = host_level();
  if (!code.has[ENTRY_WHOLE])
    return;
  code.level = levels && home->jit && !plan->tape ? jit_find_level(home->jit) : NULL;
  if (!code.level)
    add_version(p, subject, "", code);
  for (int level = 1; code.level && level <= most; level++) {
    code.forced_level = level;
    if (level == 1)
      add_version(p, subject, "as x86-64", code);
    else if (levels & 1u << level)
      add_version(p, subject, arena_printf(p->arena, "as x86-64-v%d", level), code);
  }
}

// Warns about versions that this machine cannot run.
static void warn_of_levels(Pipeline *p) {
  for (int level = host_level() + 1; p->plan.count > 0 && level <= 4; level++)
    if (p->options->code.levels & 1u << level)
      diag_warning(&p->diag, p->plan.item[0]->graph->span, "unverified",
                   "the version for x86-64-v%d is not verified: this machine does not have it",
                   level);
}

// -fverify runs fewer cases than `reshapec verify`, to limit the compile time.
static bool is_quick(const Pipeline *p) { return p->options->command != COMMAND_VERIFY; }

bool verify_code(Pipeline *p, Bytes code, const char *only, Proof *proof) {
  const EmitOptions *options = &p->options->code;
  Machine machine[MOST_MACHINES];
  emit_machines(p->arena, options, machine);
  Bytes header = emit_header(p->arena, p->plan.item, p->plan.count, p->source, "verified.h",
                             emit_pointer_bytes(p->arena, options), machine, options);
  Home home = {0};
  Bytes object = code;
  Words libraries = {0};
  if (p->options->emit == EMIT_C && !verify_compile_c(p, code, header, &object, &libraries))
    return false;
  if (!open_home(p, object, libraries, header.data, &home))
    return false;
  warn_of_levels(p);
  bool fits = true;
  Progress *progress = progress_start(p->arena, "verifying graph", p->plan.count);
  for (int i = 0; i < p->plan.count; i++) {
    const Plan *plan = p->plan.item[i];
    progress_step(progress, i, plan->graph->name);
    proof[i] = (Proof){.plan = plan};
    bool lacks_text = p->ast && !plan->graph->ast && plan->graph->symbol.count > 0; // a chain
    if ((only && strcmp(only, plan->graph->name) != 0) || lacks_text)
      continue;
    Subject subject = {
        .header = header.data, .name = home.names[i].entry[ENTRY_WHOLE], .is_quick = is_quick(p)};
    add_variants(p, &home, plan, i, &subject);
    if (subject.variant.count > 0)
      fits = verify_prove(p, &subject, &proof[i]) && fits;
    else
      proof[i].failure = "the object has no function for it";
  }
  progress_end(progress);
  close_home(&home);
  return fits;
}

bool verify_report(Pipeline *p, const Proof *proof) {
  bool good = true;
  for (int i = 0; i < p->plan.count; i++) {
    if (!proof[i].failure)
      continue;
    diag_error(&p->diag, proof[i].plan->graph->span, "internal",
               "the machine code of '%s' does not match the graph: %s", proof[i].plan->graph->name,
               proof[i].failure);
    good = false;
  }
  return good;
}

// ---- output ----

static const char *const claim_name[] = {"proved", "sampled", "tested"};

static void print_proof(const Proof *proof, int width) {
  printf("%-*s  ", width, proof->plan->graph->name);
  if (proof->failure) {
    printf("failed: %s\n", proof->failure);
    return;
  }
  printf("%s", claim_name[proof->claim]);
  if (proof->variant.count > 1)
    printf(" in %d ways", proof->variant.count);
  if (proof->sizes > 1)
    printf(" for %d choices of sizes, %d of them refused", proof->sizes, proof->refused);
  printf(": %lld runs, up to %d patterns at %d placements\n", (long long)proof->runs,
         proof->patterns, proof->placements);
}

static const char *compiler_of(const Pipeline *p) {
  return p->options->emit == EMIT_C ? verify_c_compiler(p->options) : NULL;
}

static const char *emulator_of(const Pipeline *p, const char *triple) {
  return emit_is_host(&p->options->code) ? NULL : guest_emulator(&p->options->code, triple);
}

static void print_text(const Pipeline *p, const Proof *proof, Bytes object, const char *triple) {
  const char *emulator = emulator_of(p, triple), *compiler = compiler_of(p);
  char hash[65];
  int width = 0, passed = 0, tried = 0;
  for (int i = 0; i < p->plan.count; i++) {
    int length = (int)strlen(proof[i].plan->graph->name);
    bool is_tried = proof[i].sizes > 0 || proof[i].failure;
    width = is_tried && length > width ? length : width;
    tried += is_tried;
    passed += is_tried && !proof[i].failure;
  }
  for (int i = 0; i < p->plan.count; i++)
    if (proof[i].sizes > 0 || proof[i].failure)
      print_proof(&proof[i], width);
  sha256_text(object.data, object.size, hash);
  printf("%s of %zu bytes for %s%s%s%s%s, sha256 %s\n", compiler ? "C code" : "object", object.size,
         triple, emulator ? ", run by " : "", emulator ? emulator : "",
         compiler ? ", compiled by " : "", compiler ? compiler : "", hash);
  printf("%d of %d graphs verified\n", passed, tried);
}

static json_t *proof_json(const Proof *proof) {
  json_t *choices = json_array(), *ways = json_array();
  for (int i = 0; i < proof->variant.count; i++)
    json_array_append_new(ways, json_string(proof->variant.item[i]));
  for (int i = 0; i < proof->choice.count; i++)
    json_array_append_new(choices, json_string(proof->choice.item[i]));
  json_t *tiers = json_array();
  for (int i = 0; i < proof->plan->output_count; i++)
    json_array_append_new(tiers, json_string(tier_name(proof->plan->output[i].tier)));
  return json_pack(
      "{s:s, s:o, s:s, s:s?, s:o, s:o, s:i, s:I, s:i, s:i}", "name", proof->plan->graph->name,
      "tiers", tiers, "outcome", proof->failure ? "failed" : claim_name[proof->claim], "failure",
      proof->failure, "ways", ways, "sizes", choices, "refused", proof->refused, "runs",
      (json_int_t)proof->runs, "patterns", proof->patterns, "placements", proof->placements);
}

static json_t *checks_json(const Pipeline *p) {
  json_t *checks = json_pack("[s, s, s, s]", "header", "labeled runs", "guard pages", "canaries");
  if (!compiler_of(p))
    json_array_insert_new(checks, 0, json_string("code scan"));
  return checks;
}

static void add_source(json_t *files, const char *path, const void *data, size_t size) {
  char hash[65];
  sha256_text(data, size, hash);
  json_array_append_new(files, json_pack("{s:s, s:s}", "file", path, "sha256", hash));
}

// The input files of the code: a text, its imports and constants; or a model and its weights.
static json_t *sources_json(const Pipeline *p) {
  json_t *files = json_array();
  const OnnxFile *model = p->model;
  if (model && model->is_openvino)
    add_source(files, model->path, model->xml.data, model->xml.size);
  else if (model)
    add_source(files, model->path, model->bytes, model->size);
  for (const OnnxWeights *read = model ? *model->weights : NULL; read; read = read->next)
    add_source(files, read->path, read->bytes.data, read->bytes.size);
  for (const Source *source = model ? NULL : p->source; source; source = source->next)
    add_source(files, source->name, source->text, source->length);
  return files;
}

// Prints the certificate.
static void print_json(const Pipeline *p, const Proof *proof, Bytes object, const char *triple) {
  const EmitOptions *code = &p->options->code;
  char hash[65],
      level[2] = {(char)(code->opt_level <= 3 ? '0' + code->opt_level : code->opt_level)};
  bool good = true;
  json_t *graphs = json_array();
  for (int i = 0; i < p->plan.count; i++) {
    if (proof[i].sizes == 0 && !proof[i].failure)
      continue;
    json_array_append_new(graphs, proof_json(&proof[i]));
    good = good && !proof[i].failure;
  }
  sha256_text(object.data, object.size, hash);
  json_t *root = json_pack(
      "{s:s, s:o, s:{s:s, s:I}, s:{s:s, s:s?, s:s?, s:s?, s:s, s:b}, s:s?, s:s?, s:o, s:o, "
      "s:b}",
      "file", p->diag.file, "sources", sources_json(p), "object", "sha256", hash, "bytes",
      (json_int_t)object.size, "target", "triple", triple, "cpu", code->cpu, "features",
      code->features, "abi", code->abi, "level", level, "freestanding", (int)code->freestanding,
      "emulator", emulator_of(p, triple), "compiler", compiler_of(p), "checks", checks_json(p),
      "graphs", graphs, "verified", (int)good);
  json_print(root);
}

static Exit verify(Pipeline *p) {
  const Options *o = p->options;
  Bytes object;
  EmitOptions code = o->code;
  if (o->graph && pipeline_find_graph(p, o->graph) < 0)
    return EXIT_USAGE;
  code.scan = true;
  if (!pipeline_can_emit(p) || !pipeline_emit(p, &code, o->emit, &object))
    return EXIT_DONE; // the error is among the diagnostics
  Proof *proof = ARENA_ARRAY(p->arena, Proof, p->plan.count + 1);
  if (!verify_code(p, object, o->graph, proof))
    return EXIT_DONE;
  (o->json ? print_json : print_text)(p, proof, object, emit_triple(p->arena, &code));
  verify_report(p, proof);
  return EXIT_DONE;
}

Exit command_verify(const Options *options) {
  Pipeline p;
  pipeline_start(&p, options);
  return pipeline_finish(&p, pipeline_run(&p, STEP_PLAN) ? verify(&p) : EXIT_DONE);
}
