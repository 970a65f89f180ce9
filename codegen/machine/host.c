// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/machine/host.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_CACHES = 8 };

// Reads the line of a file like /sys/devices/system/cpu/cpu0/cache/index2/size: "1024K". False: there is none.
static bool read_fact(int index, const char *fact, char *text, int size) {
  char path[96];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, fact);
  FILE *file = fopen(path, "r");
  bool is_read = file && fgets(text, size, file);
  if (file)
    fclose(file);
  return is_read;
}

static int64_t read_number(int index, const char *fact) {
  char text[32], unit = 0;
  int64_t n = 0;
  if (!read_fact(index, fact, text, sizeof text) || sscanf(text, "%" SCNd64 "%c", &n, &unit) < 1)
    return 0;
  return unit == 'K' ? n << 10 : unit == 'M' ? n << 20 : n;
}

// Sizes by level, and ways of L1; 0: not reported.
typedef struct Stated {
  int64_t size[4], ways;
} Stated;

static void read_folder(Stated *s) {
  char type[32];
  for (int i = 0; i < MOST_CACHES; i++) {
    int64_t level = read_number(i, "level");
    if (level < 1 || level > 3 || !read_fact(i, "type", type, sizeof type) || *type == 'I')
      continue; // an instruction cache
    s->size[level] = read_number(i, "size");
    if (level == 1)
      s->ways = read_number(i, "ways_of_associativity");
  }
}

#ifdef _SC_LEVEL1_DCACHE_SIZE
static void ask(int64_t *n, int name) {
  long stated = *n > 0 ? 0 : sysconf(name);
  if (stated > 0)
    *n = stated;
}

static void read_system(Stated *s) {
  ask(&s->size[1], _SC_LEVEL1_DCACHE_SIZE);
  ask(&s->ways, _SC_LEVEL1_DCACHE_ASSOC);
  ask(&s->size[2], _SC_LEVEL2_CACHE_SIZE);
  ask(&s->size[3], _SC_LEVEL3_CACHE_SIZE);
}
#else
static void read_system(Stated *s) { (void)s; }
#endif

static bool equal(const Processor *a, const Processor *b) {
  return a->l1 == b->l1 && a->ways == b->ways && a->l2 == b->l2 && a->last == b->last &&
         a->page == b->page;
}

const Processor *host_processor(Arena *arena, const Processor *row) {
  Stated s = {{0}, 0};
  Processor own = *row;
  long page = sysconf(_SC_PAGESIZE);
  read_folder(&s);
  read_system(&s);
  if (s.size[1] > 0 && s.ways > 0 && s.size[1] / s.ways >= CACHE_LINE) {
    own.l1 = s.size[1];
    own.ways = s.ways;
  }
  if (s.size[2] > 0)
    own.l2 = s.size[2];
  if (s.size[3] > 0)
    own.last = s.size[3];
  else if (own.last < own.l2)
    own.last = own.l2;
  own.page = page > 0 ? page : row->page;
  // A virtual machine may report only some of them.
  if (own.l2 < own.l1 || own.last < own.l2 || equal(&own, row))
    return row;
  own.name = arena_printf(arena, "%s with the caches of this machine", row->name);
  Processor *kept = ARENA_NEW(arena, Processor);
  *kept = own;
  return kept;
}
