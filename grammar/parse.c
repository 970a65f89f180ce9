// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parse_source: sets up the scanner, the line splitter and the parser, and runs them.
#include "grammar/parse.h"

#include "frontend/text/rescue.h"
#include "grammar/parser.h"

#include "grammar/reshape.lex.h"

#include <string.h>

void parser_start(Parser *parser, Arena *arena, const Source *source, Diag *diag) {
  *parser = (Parser){
      .arena = arena, .source = source, .diag = diag, .offset = source->begin, .fresh = true};
  // flex writes into the text that it scans, so it gets a copy; both end with two NULs.
  char *text = arena_alloc(arena, (size_t)source->length + 2);
  if (source->length)
    memcpy(text, source->text, source->length);
  if (rs_scan_lex_init_extra(parser, &parser->scanner) != 0 ||
      !rs_scan__scan_buffer(text, (size_t)source->length + 2, parser->scanner))
    out_of_memory();
}

void parser_end(Parser *parser) { rs_scan_lex_destroy(parser->scanner); }

Ast *parse_source(Arena *arena, const Source *source, Diag *diag) {
  Parser parser;
  parser_start(&parser, arena, source, diag);
  rs_parse(&parser);
  parser_end(&parser);

  Ast *ast = ARENA_NEW(arena, Ast);
  ast->graph = parser.graphs.item;
  ast->graph_count = parser.graphs.count;
  ast->import = parser.imports.item;
  ast->import_count = parser.imports.count;
  ast->statement = parser.statements.item;
  ast->statement_count = parser.statements.count;
  return ast;
}
