// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One arena per compilation: blocks that are freed together at the end. Nothing is freed individually.
#ifndef FRONTEND_ARENA_H
#define FRONTEND_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

// The source of an arena's memory. Blocks need not be zeroed. `allocate` returns NULL on failure.
typedef struct ArenaMemory {
  void *(*allocate)(void *user, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} ArenaMemory;

// From malloc. A jump of rescue.h frees it, if it began before the arena.
Arena *arena_new(void);
// Also outlives a jump. NULL: from malloc.
Arena *arena_new_from(const ArenaMemory *memory);
void arena_free(Arena *arena);
// Zeroed, aligned to 16 bytes. Never NULL: rescue.h says what happens when memory runs out (no file is
// half-written: output is renamed into place).
void *arena_alloc(Arena *arena, size_t bytes);
// Not zeroed: room for at least 8 KiB, most of which usually stays unused, and so costs no memory.
void *arena_storage(Arena *arena, size_t bytes);
// Copies the bytes and adds a NUL.
char *arena_text(Arena *arena, const char *text, size_t length);
// Like sprintf and vsprintf.
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
// "1 node", "2 nodes".
char *arena_count(Arena *arena, int count, const char *what);

#define ARENA_NEW(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define ARENA_ARRAY(arena, Type, count)                                                            \
  ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count)))
#define ARENA_STORAGE(arena, Type, count)                                                          \
  ((Type *)arena_storage((arena), sizeof(Type) * (size_t)(count)))

// A growing array whose old blocks remain in the arena: VEC(Type) v = {0}; VEC_PUSH(arena, v, item);
#define VEC(Type)                                                                                  \
  struct {                                                                                         \
    Type *item;                                                                                    \
    int count, capacity;                                                                           \
  }
#define VEC_PUSH(arena, v, value)                                                                  \
  (((v).count == (v).capacity                                                                      \
        ? (void)((v).item = arena_grow((arena), (v).item, &(v).capacity, sizeof *(v).item))        \
        : (void)0),                                                                                \
   (v).item[(v).count++] = (value))
void *arena_grow(Arena *arena, const void *items, int *capacity, size_t item_size);

#endif
