// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file and what it imports, as one tree. Each imported file is read once, however often it is asked for,
// and gives its graphs alone.
#ifndef GRAMMAR_IMPORT_H
#define GRAMMAR_IMPORT_H

#include "frontend/text/ast.h"

#include <sys/types.h>

typedef struct Importer {
  Arena *arena;
  Diag *diag;
  Source *first; // the row of sources that grows
  const SourceReader *reader; // of the files that are imported; NULL: the disk
  VEC(struct FileId {
    dev_t device;
    ino_t inode;
  })
  seen;
} Importer;

// The tree of a source that is in the row, with the graphs of all files that it imports before its own.
// Paths of imports are taken from the folder of the file that has them.
Ast *import_parse(Importer *importer, const Source *source);

#endif
