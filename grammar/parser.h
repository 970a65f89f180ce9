// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one parse, shared by the three steps that turn a text into a tree:
//
//   reshape.l   bytes -> tokens      rs_scan
//   lines.c     tokens -> statements rs_lex: where newlines end a statement, and braces a graph
//   reshape.y   statements -> tree   rs_parse
#ifndef GRAMMAR_PARSER_H
#define GRAMMAR_PARSER_H

#include "grammar/tree.h"

#include "grammar/reshape.tab.h"

// bison's error token, with both prefixes; it starts recovery without a message, because one was reported already.
enum { RS_BAD = RS_RS_error };

typedef struct Token {
  int kind;           // of reshape.y
  bool after_newline; // it is the first of its line
  Span span;
  RS_STYPE value;
} Token;

typedef struct Bracket {
  int kind; // '(' or '['
  Span span;
} Bracket;

typedef enum Region {
  REGION_FILE,   // between graphs: newlines end statements
  REGION_HEADER, // from `graph` to `{`: newlines are ignored
  REGION_BODY,   // from `{` to `}`: newlines end statements
} Region;

struct Parser {
  Arena *arena;
  const Source *source;
  Diag *diag;
  VEC(AstGraph) graphs; // read so far
  VEC(AstImport) imports;
  StatementList statements; // outside of graphs

  // reshape.l
  void *scanner;
  uint32_t offset;  // of the next byte to scan
  uint32_t bad_end; // end of the last run of bad bytes
  VEC(char) string; // text of the string being scanned
  Span string_span;

  // lines.c
  Token ahead; // the next token, if has_ahead
  bool has_ahead;
  Region region;
  int last, before_last; // kinds of the last two tokens returned
  uint32_t last_end;     // where the last one ended
  bool fresh;            // the statement has no token yet
  Span first;            // its first token
  int end_cause;         // kind of the token that ended the statement or graph, 0 for a newline
  VEC(Bracket) open;     // brackets not yet closed
  int open_round, open_square;
  int minus_run;       // length of the run of '-' that ends at the last token
  bool reported_depth; // this statement was reported as too deep
  int inner_braces;    // '{' inside the body, which are errors
  Span graph_span;     // the word `graph`
  bool is_loop;        // the statement began with `for`
  int loops;           // number of loops whose bodies are open
  Span loop_span;      // the `for` of the last loop opened
};

// Between these two calls, rs_lex returns the tokens of the source.
void parser_start(Parser *parser, Arena *arena, const Source *source, Diag *diag);
void parser_end(Parser *parser);

int rs_scan(RS_STYPE *value, Span *span, void *scanner);
int rs_lex(RS_STYPE *value, Span *span, Parser *parser);
// True if a token may be a name: a word that is special only in one place is a name everywhere else.
bool rs_is_name(int kind);

#endif
