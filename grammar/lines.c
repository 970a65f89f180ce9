// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens for the grammar: newlines that end a statement become EOL, other newlines are dropped, and a
// graph whose `}` is missing ends with END. So the grammar has a place to recover after every syntax
// error.
//
//   y = x                     y '=' x
//       |> f(a,                 '|>' f '(' a ','          a newline before |>, inside brackets, or
//            b)                      b ')' EOL            after a token that something must follow: dropped
//   z = g(y                   z '=' g '(' y EOL           two adjacent operands: the ')' is missing
//   w = x }                   w '=' x EOL '}'             a statement also ends before }
#include "grammar/parser.h"

static void read_ahead(Parser *parser) {
  Token *token = &parser->ahead;
  token->after_newline = false;
  while ((token->kind = rs_scan(&token->value, &token->span, parser->scanner)) == RS_EOL &&
         *source_text(parser->source, token->span.begin) != ';')
    token->after_newline = true;
  parser->has_ahead = true;
}

bool rs_is_name(int kind) {
  switch (kind) {
  case RS_NAME:
  case RS_FOR:
  case RS_VIEW:
  case RS_INPLACE:
  case RS_IN:
  case RS_LOD:
  case RS_LAYOUT:
  case RS_STRIDES:
  case RS_ALIGN:
  case RS_PLACED:
  case RS_IMPORT:
    return true;
  default:
    return false;
  }
}

static bool can_end_statement(int kind) {
  switch (kind) {
  case RS_INT:
  case RS_INT_MIN:
  case RS_LARGE:
  case RS_FLOAT:
  case RS_STRING:
  case RS_ELLIPSIS:
  case RS_BAD:
  case ')':
  case ']':
  case '?':
  case '{':
    return true;
  default:
    return rs_is_name(kind);
  }
}

static bool starts_operand(int kind) {
  return can_end_statement(kind) && kind != ')' && kind != ']' && kind != '{';
}

// Whether a statement that has begun ends before the next token.
static bool statement_ends(const Parser *parser, const Token *next) {
  switch (next->kind) {
  case RS_YYEOF:
  case RS_GRAPH:
  case RS_EOL:
  case '}':
    return true;
  case RS_THEN:
    return false;
  default:
    // Operands cannot be adjacent, so a line that begins with an operand inside brackets means that a
    // closing bracket is missing.
    return next->after_newline && can_end_statement(parser->last) &&
           (parser->open.count == 0 || starts_operand(next->kind));
  }
}

static int give(Parser *parser, int kind, Span span, Span *out) {
  *out = span;
  parser->before_last = parser->last;
  parser->last = kind;
  parser->last_end = span.end;
  return kind;
}

// Returns EOL or END before the token ahead. Its position is the end of the text before it, unless a
// token of the same line is the cause.
static int give_end(Parser *parser, int kind, Span *out) {
  const Token *next = &parser->ahead;
  Span end = {parser->last_end, parser->last_end};
  bool newline = kind == RS_EOL && next->after_newline && next->kind != RS_EOL;
  bool cause = next->kind == '}' || next->kind == RS_GRAPH || next->kind == RS_EOL;
  parser->end_cause = newline ? 0 : cause || next->kind == RS_YYEOF ? next->kind : 0;
  parser->fresh = true;
  give(parser, kind, cause && !newline ? next->span : end, out);
  parser->last_end = end.end;
  return kind;
}

static void start_statement(Parser *parser) {
  parser->open.count = parser->open_round = parser->open_square = 0;
  parser->reported_depth = false;
  parser->fresh = false;
}

// Only brackets and signs make the parser's stack grow, so they are counted here.
static int refuse_depth(Parser *parser, const char *what, Span span) {
  if (parser->reported_depth)
    return 0;
  parser->reported_depth = true;
  diag_error(parser->diag, span, "too_deep", "%s more than %d deep", what, EXPR_MAX_DEPTH);
  return RS_BAD;
}

static int open_bracket(Parser *parser, const Token *token) {
  Bracket bracket = {token->kind, token->span};
  VEC_PUSH(parser->arena, parser->open, bracket);
  ++*(token->kind == '(' ? &parser->open_round : &parser->open_square);
  int refused = 0;
  if (parser->open.count > EXPR_MAX_DEPTH)
    refused = refuse_depth(parser, "brackets are nested", token->span);
  return refused ? refused : token->kind;
}

// A closing bracket also closes brackets that were opened inside its pair; one without a partner
// closes nothing.
static void close_bracket(Parser *parser, int opening) {
  if (*(opening == '(' ? &parser->open_round : &parser->open_square) == 0)
    return;
  int kind;
  do {
    kind = parser->open.item[--parser->open.count].kind;
    --*(kind == '(' ? &parser->open_round : &parser->open_square);
  } while (kind != opening);
}

// The scanner gives all integers as LARGE. After a sign, 2^63 is the smallest integer. Reports a number
// that does not fit, and replaces it by one that does.
static int check_integer(Parser *parser, const Token *token, RS_STYPE *value) {
  uint64_t magnitude = token->value.RS_LARGE;
  bool fits = token->kind == RS_LARGE;
  if (fits && magnitude <= INT64_MAX) {
    value->RS_INT = (int64_t)magnitude;
    return RS_INT;
  }
  bool is_sign = parser->last == '-' && !can_end_statement(parser->before_last);
  if (fits && magnitude == (uint64_t)1 << 63 && is_sign) {
    value->RS_INT_MIN = INT64_MIN;
    return RS_INT_MIN;
  }
  if (fits && !is_sign)
    return RS_LARGE;
  int length = (int)(token->span.end - token->span.begin);
  const char *digits = source_text(parser->source, token->span.begin);
  if (length > 40)
    diag_error(parser->diag, token->span, "overflow",
               "%.*s... (%d characters) does not fit 64 bits", 20, digits, length);
  else
    diag_error(parser->diag, token->span, "overflow", "%.*s does not fit 64 bits", length, digits);
  value->RS_INT = INT64_MAX;
  return RS_INT;
}

// Skips braces outside of a graph, for example if `graph` is misspelled. Their contents are not statements of the file.
static void skip_braces(Parser *parser) {
  for (int depth = 1; depth > 0 && parser->ahead.kind != RS_YYEOF;) {
    read_ahead(parser);
    depth += (parser->ahead.kind == '{') - (parser->ahead.kind == '}');
  }
  parser->has_ahead = parser->ahead.kind == RS_YYEOF;
}

static int open_loop(Parser *parser, const Token *token) {
  int depth = ++parser->loops;
  parser->fresh = true;
  parser->loop_span = parser->first;
  if (depth <= EXPR_MAX_DEPTH)
    return '{';
  if (depth == EXPR_MAX_DEPTH + 1) // only the first
    refuse_depth(parser, "loops are nested", token->span);
  return RS_BAD;
}

// Returns the token ahead to the grammar.
static int take(Parser *parser, RS_STYPE *value, Span *span) {
  Token token = parser->ahead;
  int kind = token.kind;
  parser->has_ahead = false;
  *value = token.value;
  if (parser->fresh) {
    start_statement(parser);
    parser->first = token.span;
    parser->is_loop = kind == RS_FOR && parser->region == REGION_FILE;
  }
  if (kind == RS_FOR && !(parser->is_loop && token.span.begin == parser->first.begin))
    kind = RS_NAME; // not the beginning of a statement
  parser->minus_run = kind == '-' ? parser->minus_run + 1 : 0;
  switch (kind) {
  case RS_GRAPH:
    start_statement(parser);
    parser->region = REGION_HEADER;
    parser->inner_braces = 0;
    parser->graph_span = token.span;
    break;
  case '{':
    if (parser->region == REGION_FILE && parser->is_loop && parser->open.count == 0) {
      kind = open_loop(parser, &token);
      break;
    }
    if (parser->region == REGION_FILE) {
      skip_braces(parser);
      break;
    }
    if (parser->region == REGION_BODY)
      parser->inner_braces++;
    parser->region = REGION_BODY;
    parser->fresh = parser->inner_braces == 0;
    break;
  case '}':
    if (parser->inner_braces > 0) {
      parser->inner_braces--;
      kind = RS_BAD;
    } else if (parser->region == REGION_BODY) {
      parser->region = REGION_FILE;
      parser->fresh = true;
    } else if (parser->loops > 0) {
      parser->loops--;
      parser->fresh = true;
    }
    break;
  case '(':
  case '[':
    kind = open_bracket(parser, &token);
    break;
  case ')':
  case ']':
    close_bracket(parser, kind == ')' ? '(' : '[');
    break;
  case '-':
    if (parser->minus_run > EXPR_MAX_DEPTH && refuse_depth(parser, "signs are nested", token.span))
      kind = RS_BAD;
    break;
  case RS_EOL: // a ';' in a header
    parser->end_cause = RS_EOL;
    break;
  case RS_LARGE:
  case RS_TOO_LARGE:
    kind = check_integer(parser, &token, value);
    break;
  default:
    break;
  }
  return give(parser, kind, token.span, span);
}

int rs_lex(RS_STYPE *value, Span *span, Parser *parser) {
  for (;;) {
    if (!parser->has_ahead)
      read_ahead(parser);
    const Token *next = &parser->ahead;
    bool graph_ends = next->kind == RS_GRAPH || next->kind == RS_YYEOF;
    bool has_statements = parser->region != REGION_HEADER;
    if (next->kind == RS_EOL && has_statements && parser->fresh) {
      parser->has_ahead = false; // drops a ';' that ends nothing
    } else if (next->kind == '}' && parser->region == REGION_FILE && parser->fresh &&
               parser->loops == 0) {
      diag_error(parser->diag, next->span, "syntax", "this '}' closes no graph");
      parser->has_ahead = false;
    } else if (has_statements && !parser->fresh && statement_ends(parser, next)) {
      if (next->kind == RS_EOL)
        parser->has_ahead = false;
      return give_end(parser, RS_EOL, span);
    } else if ((parser->region != REGION_FILE || parser->loops > 0) && graph_ends) {
      parser->loops -= parser->region == REGION_FILE;
      parser->region = REGION_FILE;
      return give_end(parser, RS_END, span);
    } else {
      return take(parser, value, span);
    }
  }
}
