// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Imports, depth first: a graph may call those above it, so imported graphs come before those of the
// importing file. A file that was read already, as in a cycle, adds nothing.
#include "grammar/import.h"

#include "grammar/parse.h"

#include <string.h>
#include <sys/stat.h>

enum { MAX_NESTING = 64 };

typedef VEC(AstGraph) GraphList;

static void add_graphs(Importer *importer, GraphList *graphs, const Source *source, int nesting,
                       Ast **tree);

// True the first time that a file is seen. Files that do not exist are not remembered.
static bool is_new(Importer *importer, const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return true;
  for (int i = 0; i < importer->seen.count; i++)
    if (importer->seen.item[i].device == status.st_dev &&
        importer->seen.item[i].inode == status.st_ino)
      return false;
  struct FileId id = {status.st_dev, status.st_ino};
  VEC_PUSH(importer->arena, importer->seen, id);
  return true;
}

static Source *read_file(const Importer *importer, const char *path, const char **why) {
  const SourceReader *reader = importer->reader;
  return reader ? reader->read(reader->user, importer->arena, path, why)
                : source_read_text(importer->arena, path, why);
}

static void import_file(Importer *importer, GraphList *graphs, const Source *from,
                        const AstImport *import, int nesting) {
  const char *path = source_path(importer->arena, from, import->path), *why = NULL;
  if (nesting > MAX_NESTING) {
    diag_error(importer->diag, import->path_span, "limit", "imports are nested more than %d deep",
               MAX_NESTING);
    return;
  }
  if (!is_new(importer, path))
    return;
  Source *source = *path ? read_file(importer, path, &why) : NULL;
  if (source && !source_add(importer->first, source))
    why = "all files together are larger than 4 GiB";
  if (!source || why) {
    diag_error(importer->diag, import->path_span, "bad_file", "cannot read '%s': %s", path,
               *path ? why : "the name is empty");
    return;
  }
  add_graphs(importer, graphs, source, nesting, NULL);
}

static void add_graphs(Importer *importer, GraphList *graphs, const Source *source, int nesting,
                       Ast **tree) {
  Ast *ast = parse_source(importer->arena, source, importer->diag);
  for (int i = 0; i < ast->import_count; i++)
    import_file(importer, graphs, source, &ast->import[i], nesting + 1);
  for (int i = 0; i < ast->graph_count; i++) {
    ast->graph[i].is_imported = tree == NULL;
    VEC_PUSH(importer->arena, *graphs, ast->graph[i]);
  }
  if (tree)
    *tree = ast;
}

Ast *import_parse(Importer *importer, const Source *source) {
  GraphList graphs = {0};
  Ast *ast;
  is_new(importer, source->name);
  add_graphs(importer, &graphs, source, 0, &ast);
  ast->graph = graphs.item;
  ast->graph_count = graphs.count;
  return ast;
}
