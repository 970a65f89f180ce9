// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a file and its imports as one tree. Each imported file is read once and contributes only its graphs.
#ifndef GRAMMAR_IMPORT_H
#define GRAMMAR_IMPORT_H

#include "frontend/text/ast.h"

#include <sys/types.h>

typedef struct Importer {
  Arena *arena;
  Diag *diag;
  Source *first;              // the list of sources, which grows
  const SourceReader *reader; // of imported files; NULL: the disk
  VEC(struct FileId {
    dev_t device;
    ino_t inode;
  })
  seen;
} Importer;

// The tree of a source in the list, with the graphs of all files that it imports before its own.
// Paths of imports are relative to the folder of the importing file.
Ast *import_parse(Importer *importer, const Source *source);

#endif
