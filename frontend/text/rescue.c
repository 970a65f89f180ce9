// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/text/rescue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct RescueBlock {
  RescueBlock *previous, *next;
  Rescue *owner; // NULL: allocated without a place; the fields above are unused
  void (*close)(void *bytes);
  size_t size;
  _Alignas(16) unsigned char bytes[];
};

// Thread-local, since handlers of LLVM and of hash tables get no argument that identifies the call.
static _Thread_local Rescue *innermost;

Rescue *rescue_begin(Rescue *rescue) {
  rescue->outer = innermost;
  rescue->blocks = NULL;
  rescue->is_memory = false;
  rescue->why[0] = '\0';
  innermost = rescue;
  return rescue;
}

void rescue_end(Rescue *rescue) {
  for (RescueBlock *block = rescue->blocks, *next; block; block = next) { // they outlive the rescue
    next = block->next;
    block->owner = NULL;
    block->previous = block->next = NULL;
  }
  innermost = rescue->outer;
}

static RescueBlock *block_of(void *memory) {
  return (RescueBlock *)((unsigned char *)memory - offsetof(RescueBlock, bytes));
}

void *rescue_open(size_t size, void (*close)(void *memory)) {
  RescueBlock *block = memory_of(calloc(1, sizeof *block + size));
  block->owner = innermost;
  block->close = close;
  block->size = size;
  if (innermost) {
    block->next = innermost->blocks;
    if (block->next)
      block->next->previous = block;
    innermost->blocks = block;
  }
  return block->bytes;
}

void *rescue_malloc(size_t size) { return rescue_open(size, NULL); }

void *rescue_realloc(void *memory, size_t size) {
  void *grown = rescue_malloc(size);
  if (memory) {
    size_t before = block_of(memory)->size;
    memcpy(grown, memory, before < size ? before : size);
    rescue_free(memory);
  }
  return grown;
}

static void release(RescueBlock *block) {
  if (block->close)
    block->close(block->bytes);
  free(block);
}

void rescue_free(void *memory) {
  if (!memory)
    return;
  RescueBlock *block = block_of(memory);
  if (block->next)
    block->next->previous = block->previous;
  if (block->previous)
    block->previous->next = block->next;
  else if (block->owner)
    block->owner->blocks = block->next;
  release(block);
}

void rescue_jump(const char *why, bool is_memory) {
  Rescue *rescue = innermost;
  if (!rescue)
    return;
  innermost = rescue->outer;
  for (RescueBlock *block = rescue->blocks, *next; block; block = next) {
    next = block->next;
    release(block);
  }
  rescue->is_memory = is_memory;
  snprintf(rescue->why, sizeof rescue->why, "%s", why);
  longjmp(rescue->place, 1);
}

void out_of_memory(void) {
  enum { EXIT_FAULT = 3 };
  rescue_jump("out of memory", true);
  fputs("reshapec: error: out of memory\n", stderr);
  exit(EXIT_FAULT);
}

void *memory_of(void *allocated) {
  if (!allocated)
    out_of_memory();
  return allocated;
}
