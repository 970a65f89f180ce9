// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stamp, which records how headers and objects were made, and the key, a hash of everything that determines the
// code. Neither depends on folders or the time, nor on file names, except that the key has the names of the graphs.
#include "codegen/machine/backend.h"
#include "frontend/text/sha256.h"
#include "include/reshapec.h"
#include "library/pipeline.h"

#include <stddef.h>
#include <string.h>

// The hash of all sources of this build, from the Makefile; two builds of one version may emit different code.
#ifndef RESHAPEC_SOURCES
#define RESHAPEC_SOURCES ""
#endif

// " -mcpu=cortex-m4", or nothing.
static const char *with(Arena *arena, const char *text, const char *option, const char *value) {
  return value ? arena_printf(arena, "%s %s%s", text, option, value) : text;
}

static const char *flag(Arena *arena, const char *text, const char *option, bool is_set) {
  return with(arena, text, option, is_set ? "" : NULL);
}

static const char *levels_text(Arena *arena, unsigned levels) {
  const char *text = NULL;
  for (int level = 2; level <= 4; level++)
    if (levels & 1u << level)
      text = arena_printf(arena, "%s%sv%d", text ? text : "", text ? "," : "", level);
  return text;
}

// The options as on the command line. "native" is a different processor on other machines, so it is replaced by the
// processor's name.
static const char *options_text(const Pipeline *p, const EmitOptions *o) {
  Arena *arena = p->arena;
  const char *cpu = o->cpu;
  if (cpu && strcmp(cpu, "native") == 0)
    cpu = strchr(emit_processor(arena, o), ' ') + 1;
  char level[2] = {(char)(o->opt_level <= 3 ? '0' + o->opt_level : o->opt_level)};
  const char *text = arena_printf(arena, "-O%s", level);
  text = with(arena, text, "-mcpu=", cpu);
  text = with(arena, text, "-mattr=", o->features);
  text = with(arena, text, "-mabi=", o->abi);
  text = flag(arena, text, "--freestanding", o->freestanding);
  text = flag(arena, text, "--libm", o->libm);
  text = flag(arena, text, "--libc=mem", o->library);
  text = with(arena, text, "--multiversion=", levels_text(arena, o->levels));
  text = flag(arena, text, "--parallel", o->parallel);
  text = with(arena, text, "--prefix=", o->prefix);
  text = flag(arena, text, "--tuning", p->tuning != NULL);
  return flag(arena, text, "-g", o->debug);
}

// A hash of the file, and then of the files that it imports or that have its weights, in order. NULL: the model is so
// large that it takes longer to hash than to compile.
static const char *source_hash(const Pipeline *p) {
  enum { MOST_BYTES = SOURCE_MAX_BYTES };
  char text[65];
  Sha256 hash;
  sha256_begin(&hash);
  if (p->model) {
    const OnnxFile *model = p->model;
    size_t size = model->size + model->xml.size;
    for (const OnnxWeights *read = *model->weights; read; read = read->next)
      size += read->bytes.size;
    if (size > MOST_BYTES)
      return NULL;
    sha256_add(&hash, model->bytes, model->size);
    sha256_add(&hash, model->xml.data, model->xml.size);
    for (const OnnxWeights *read = *model->weights; read; read = read->next)
      sha256_add(&hash, read->bytes.data, read->bytes.size);
  }
  for (const Source *source = p->model ? NULL : p->source; source; source = source->next)
    sha256_add(&hash, source->text, source->length);
  sha256_end(&hash, text);
  return arena_text(p->arena, text, sizeof text - 1);
}

const Stamp *pipeline_stamp(Pipeline *p, const EmitOptions *options) {
  if (p->stamp)
    return p->stamp;
  Stamp *stamp = ARENA_NEW(p->arena, Stamp);
  *stamp = (Stamp){.compiler = "reshapec " RESHAPEC_VERSION,
                   .target = emit_triple(p->arena, options),
                   .options = options_text(p, options),
                   .source = source_hash(p)};
  return p->stamp = stamp;
}

static void add_text(Sha256 *hash, const char *text) { sha256_add(hash, text, strlen(text) + 1); }

const char *pipeline_key(const Pipeline *p, const EmitOptions *options) {
  const char *source = source_hash(p);
  if (!source || !*RESHAPEC_SOURCES)
    return NULL;
  Arena *arena = p->arena;
  const Processor *cpu = p->processor;
  char key[65];
  Sha256 hash;
  sha256_begin(&hash);
  add_text(&hash, RESHAPEC_SOURCES);
  add_text(&hash, backend_version(arena));
  add_text(&hash, backend_host_cpu(arena));
  add_text(&hash, backend_host_features(arena));
  add_text(&hash, cpu->name);
  sha256_add(&hash, &cpu->l1, sizeof *cpu - offsetof(Processor, l1));
  add_text(&hash, options_text(p, options));
  add_text(&hash, source);
  for (int i = 0; i < p->plan.count; i++) // a model's graph has the name of its file
    add_text(&hash, p->plan.item[i]->graph->name);
  sha256_end(&hash, key);
  return arena_text(arena, key, sizeof key - 1);
}
