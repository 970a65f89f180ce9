// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arena: a list of blocks. Small requests share a block, large ones get their own; everything is freed at once.
#include "frontend/text/arena.h"
#include "frontend/text/rescue.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, LARGE_BYTES = 8 * 1024, ALIGNMENT = 16 };

typedef struct Block {
  struct Block *next;
  _Alignas(ALIGNMENT) unsigned char bytes[];
} Block;

struct Arena {
  Arena **kept; // of rescue.h; NULL: not freed by a jump
  ArenaMemory memory;
  Block *blocks;
  unsigned char *free; // the rest of the newest shared block
  size_t left;
};

static void *allocate(void *user, size_t bytes) {
  (void)user;
  return malloc(bytes);
}

static void release(void *user, void *block) {
  (void)user;
  free(block);
}

static void *checked(void *block) {
  if (!block)
    out_of_memory();
  return block;
}

static void *allocate_zeroed(const ArenaMemory *memory, size_t bytes) {
  if (memory->allocate == allocate)
    return checked(calloc(1, bytes)); // large blocks are already zeroed
  return memset(checked(memory->allocate(memory->user, bytes)), 0, bytes);
}

Arena *arena_new_from(const ArenaMemory *memory) {
  static const ArenaMemory own = {allocate, release, NULL};
  const ArenaMemory *from = memory ? memory : &own;
  Arena *arena = allocate_zeroed(from, sizeof *arena);
  arena->memory = *from;
  return arena;
}

static void drop(Arena *arena) {
  const ArenaMemory memory = arena->memory;
  for (Block *block = arena->blocks, *next; block; block = next) {
    next = block->next;
    memory.release(memory.user, block);
  }
  memory.release(memory.user, arena);
}

static void drop_kept(void *kept) {
  if (*(Arena **)kept)
    drop(*(Arena **)kept);
}

Arena *arena_new(void) {
  Arena **kept = rescue_open(sizeof *kept, drop_kept);
  *kept = arena_new_from(NULL);
  (*kept)->kept = kept;
  return *kept;
}

void arena_free(Arena *arena) {
  if (arena && arena->kept)
    rescue_free(arena->kept);
  else if (arena)
    drop(arena);
}

static unsigned char *link_block(Arena *arena, Block *block) {
  block->next = arena->blocks;
  arena->blocks = block;
  return block->bytes;
}

static unsigned char *new_block(Arena *arena, size_t bytes) {
  return link_block(arena, allocate_zeroed(&arena->memory, sizeof(Block) + bytes));
}

void *arena_storage(Arena *arena, size_t bytes) {
  const ArenaMemory *memory = &arena->memory;
  return link_block(arena, checked(memory->allocate(memory->user, sizeof(Block) + bytes)));
}

void *arena_alloc(Arena *arena, size_t bytes) {
  // A negative count in ARENA_ARRAY arrives here as a huge number and is rejected like one.
  if (bytes > PTRDIFF_MAX / 2)
    out_of_memory();
  bytes = (bytes + (ALIGNMENT - 1)) & ~(size_t)(ALIGNMENT - 1);
  if (bytes >= LARGE_BYTES)
    return new_block(arena, bytes);
  if (bytes == 0)
    bytes = ALIGNMENT;
  if (arena->left < bytes) {
    arena->free = new_block(arena, BLOCK_BYTES);
    arena->left = BLOCK_BYTES;
  }
  void *result = arena->free;
  arena->free += bytes;
  arena->left -= bytes;
  return result;
}

char *arena_text(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  if (length)
    memcpy(copy, text, length);
  return copy;
}

char *arena_vprintf(Arena *arena, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = arena_alloc(arena, (length > 0 ? (size_t)length : 0) + 1);
  if (length > 0)
    vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = arena_vprintf(arena, format, arguments);
  va_end(arguments);
  return text;
}

void *arena_grow(Arena *arena, const void *items, int *capacity, size_t item_size) {
  int old = *capacity;
  if (old > INT_MAX / 2)
    out_of_memory();
  int wanted = old ? 2 * old : item_size > 32 ? 2 : 8;
  if ((size_t)wanted > PTRDIFF_MAX / 2 / item_size)
    out_of_memory();
  void *grown = arena_alloc(arena, (size_t)wanted * item_size);
  if (old)
    memcpy(grown, items, (size_t)old * item_size);
  *capacity = wanted;
  return grown;
}

char *arena_count(Arena *arena, int count, const char *what) {
  return arena_printf(arena, "%d %s%s", count, what, count == 1 ? "" : "s");
}
