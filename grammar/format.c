// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// format_source: turns tokens of the scanner into lines. It does not use the tree, so no text outside the tree can be
// lost.
//
//   1. read_tokens   the tokens, which of them end a statement, and the comments between them
//   2. measure       the columns of each token if its statement were one line
//   3. lay_out       statements to lines; lines that are too long are broken at pipes, then at brackets:
//
//        y = x |> reshape(...) |> transpose(...)          y = x
//                                                             |> reshape(...)
//                                                             |> transpose(...)
//
//        graph f(x: f32[2, 3], ...) -> y {                graph f(
//                                                             x: f32[2, 3],
//                                                             ...
//                                                         ) -> y {
//
//   4. join_lines    comments after consecutive lines are aligned
#include "grammar/format.h"

#include "frontend/text/words.h"
#include "grammar/parse.h"
#include "grammar/parser.h"

#include <string.h>

enum {
  WIDTH = 120,
  INDENT = 4,
  GAP = 2
}; // columns: of a line, of one level of indentation, before a comment

typedef struct Comment {
  Span span;
  int column;         // where it starts in its line
  bool is_behind;     // it is after something on its line
  bool after_blank;   // an empty line is before it
  bool after_newline; // it is on the line after the previous token or comment
} Comment;

// A token and the gap before it.
typedef struct Piece {
  int kind;
  Span span;
  const Comment *comment;
  int comment_count;
  bool after_newline, after_blank;
  bool is_word;
  bool ends;      // a statement or a header ends after it
  bool spaced;    // there is a space before it, unless it begins a line
  int match;      // of a bracket: the index of its partner
  int begin, end; // columns in its statement as one line
  int comments;   // the number of comments before it, from the beginning of the file
} Piece;

typedef struct Line {
  const char *text;
  Span comment; // after the text; empty: none
} Line;

typedef struct Formatter {
  Arena *arena;
  Source *source;
  VEC(Piece) piece; // the last one has kind 0: the end of the file
  VEC(char) line;   // the line being written
  VEC(Line) lines;
  bool breaks;        // the next piece starts a line
  int comment_column; // of the comment after the last line, in the source; below 0: none
} Formatter;

// ---- tokens ----

// Names, words of the language, numbers and strings: two adjacent ones have a space between them.
static bool is_word(char first) { return is_word_byte(first) || first == '"' || first == '?'; }

static bool is_opening(int kind) { return kind == '(' || kind == '['; }
static bool is_closing(int kind) { return kind == ')' || kind == ']'; }
static bool ends_operand(const Piece *piece) { return piece->is_word || is_closing(piece->kind); }

static int columns(const char *text, size_t bytes) {
  int count = 0;
  for (size_t i = 0; i < bytes; i++)
    count += ((unsigned char)text[i] & 0xC0) != 0x80;
  return count;
}

// Reads the gap between two tokens: comments and newlines; everything else is `;` and white space.
static void read_gap(Formatter *f, Piece *piece, uint32_t from, uint32_t to) {
  const char *text = f->source->text;
  VEC(Comment) list = {0};
  int newlines = from == 0 ? 1 : 0; // a file begins with a line
  for (uint32_t at = from; at < to; at++) {
    if (text[at] == '\n')
      newlines++;
    if (text[at] != '#')
      continue;
    uint32_t end = at, line = at;
    while (end < to && text[end] != '\n')
      end++;
    while (line > 0 && text[line - 1] != '\n')
      line--;
    Span span = {at, end};
    while (span.end > at && strchr(" \t\r\f\v", text[span.end - 1]))
      span.end--;
    Comment comment = {span, columns(text + line, at - line), newlines == 0, newlines > 1,
                       newlines == 1};
    VEC_PUSH(f->arena, list, comment);
    newlines = 0;
    at = end - 1;
  }
  piece->comment = list.item;
  piece->comment_count = list.count;
  piece->after_newline = newlines > 0;
  piece->after_blank = newlines > 1;
}

// The grammar does not check these tokens, so the text must have no errors.
static void read_tokens(Formatter *f) {
  Diag quiet = {.arena = f->arena, .source = f->source, .file = f->source->name};
  Parser parser;
  parser_start(&parser, f->arena, f->source, &quiet);
  RS_STYPE value;
  Span span;
  uint32_t last = 0;
  for (int kind = -1; kind != RS_YYEOF;) {
    kind = rs_lex(&value, &span, &parser);
    if (kind == RS_EOL || kind == RS_END) {
      if (f->piece.count > 0)
        f->piece.item[f->piece.count - 1].ends = true;
      continue;
    }
    Piece piece = {.kind = kind, .span = span, .ends = kind == '{' || kind == '}'};
    piece.is_word = kind != RS_YYEOF && is_word(f->source->text[span.begin]);
    read_gap(f, &piece, last, kind == RS_YYEOF ? f->source->length : span.begin);
    VEC_PUSH(f->arena, f->piece, piece);
    last = span.end;
  }
  parser_end(&parser);
}

// ---- measures ----

// The surroundings of a gap between two pieces.
typedef struct Context {
  const Piece *before; // NULL: a statement begins here
  int bracket;         // the innermost one that is open: '(', '[' or 0
  bool is_sign;        // the piece before is a sign: -1
  bool is_keyword;     // the piece before is a keyword with an operand: where N, in [1, 8]
} Context;

static bool after_operand(Context context) {
  return context.before && ends_operand(context.before) && !context.is_keyword;
}

static bool is_spaced(Context context, int kind) {
  int before = context.before ? context.before->kind : 0;
  if (before == 0 || is_opening(before) || is_closing(kind) || kind == ',' || context.is_sign)
    return false;
  if (before == ',')
    return true;
  if (kind == '.' || before == '.' || kind == ':')
    return false;
  if (before == ':')
    return context.bracket != '['; // x: f32, but x[2:5]
  if (kind == '*' || before == '*' || kind == '/' || before == '/' || kind == RS_FLOOR ||
      before == RS_FLOOR)
    return false;
  if (kind == '=' || before == '=')
    return context.bracket == 0; // y = x, but f(x, axis=1)
  if (is_opening(kind))
    return !after_operand(context);
  return true;
}

// The context after a piece.
static Context context_after(Context context, const Piece *piece) {
  bool wants_list = piece->kind == RS_IN || piece->kind == RS_STRIDES;
  Context next = {.before = piece,
                  .is_sign = (piece->kind == '-' || piece->kind == '~') && !after_operand(context)};
  next.is_keyword =
      piece->kind == RS_GRAPH || piece->kind == RS_WHERE || (wants_list && after_operand(context));
  return !piece->ends ? next : (Context){.before = NULL};
}

// Sets partners of brackets, columns, and spaces. Columns are relative to the start of the statement.
static void measure(Formatter *f) {
  VEC(int) open = {0};
  Context context = {.before = NULL};
  int column = 0, comments = 0;
  for (int i = 0; i < f->piece.count; i++) {
    Piece *piece = &f->piece.item[i];
    const char *text = f->source->text + piece->span.begin;
    comments += piece->comment_count;
    piece->comments = comments;
    context.bracket = open.count > 0 ? f->piece.item[open.item[open.count - 1]].kind : 0;
    piece->spaced = is_spaced(context, piece->kind);
    piece->begin = column + piece->spaced;
    piece->end = piece->begin + columns(text, piece->span.end - piece->span.begin);
    if (is_opening(piece->kind)) {
      VEC_PUSH(f->arena, open, i);
    } else if (is_closing(piece->kind) && open.count > 0) {
      piece->match = open.item[--open.count];
      f->piece.item[piece->match].match = i;
    }
    context = context_after(context, piece);
    column = piece->ends ? 0 : piece->end;
    open.count = piece->ends ? 0 : open.count;
  }
}

// ---- lines ----

static void put(Formatter *f, const char *text, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    VEC_PUSH(f->arena, f->line, text[i]);
}

// A copy of the line. If it is empty, there is nothing to copy from.
static const char *line_text(const Formatter *f) {
  return f->line.count > 0 ? arena_text(f->arena, f->line.item, (size_t)f->line.count) : "";
}

static void end_line(Formatter *f) {
  Line line = {line_text(f), {0, 0}};
  VEC_PUSH(f->arena, f->lines, line);
  f->line.count = 0;
  f->comment_column = -1;
}

static void start_line(Formatter *f, int indent) {
  if (f->line.count > 0)
    end_line(f);
  for (int i = 0; i < indent; i++)
    VEC_PUSH(f->arena, f->line, ' ');
}

static void put_comment_behind(Formatter *f, const Comment *comment) {
  if (f->line.count > 0)
    end_line(f);
  f->lines.item[f->lines.count - 1].comment = comment->span;
  f->comment_column = comment->column;
}

static void put_comment_line(Formatter *f, const Comment *comment, int indent) {
  start_line(f, indent);
  put(f, f->source->text + comment->span.begin, comment->span.end - comment->span.begin);
  end_line(f);
}

// ---- inside statements ----

// Writes the next piece of a statement. Comments before it keep their lines, and it starts a line after them.
static void put_next(Formatter *f, int i, int indent) {
  const Piece *piece = &f->piece.item[i];
  for (int c = 0; c < piece->comment_count; c++)
    if (piece->comment[c].is_behind)
      put_comment_behind(f, &piece->comment[c]);
    else
      put_comment_line(f, &piece->comment[c], is_closing(piece->kind) ? indent + INDENT : indent);
  if (f->breaks || piece->comment_count > 0)
    start_line(f, indent);
  else if (piece->spaced)
    put(f, " ", 1);
  f->breaks = false;
  put(f, f->source->text + piece->span.begin, piece->span.end - piece->span.begin);
}

static void put_flat(Formatter *f, int first, int last, int indent) {
  for (int i = first; i <= last; i++)
    put_next(f, i, indent);
}

// Whether pieces first to last, and `tail` columns after them, fit on the line. They never fit with comments
// inside.
static bool fits(const Formatter *f, int first, int last, int indent, int tail) {
  const Piece *a = &f->piece.item[first], *b = &f->piece.item[last];
  int begin = f->breaks ? indent : columns(f->line.item, (size_t)f->line.count) + a->spaced;
  return a->comments == b->comments && begin + (b->end - a->begin) + tail <= WIDTH;
}

// The last piece of the list's entry, or of the pipe's stage, that starts at `first`: before the next
// `separator`, or `end`.
static int end_of_part(const Formatter *f, int first, int end, int separator) {
  int i = first;
  do
    i = is_opening(f->piece.item[i].kind) ? f->piece.item[i].match + 1 : i + 1;
  while (i < end && f->piece.item[i].kind != separator);
  return i - 1;
}

// Whether all entries of a list are numbers, names, or pairs such as a=1: these are filled like words of a paragraph.
static bool is_plain_list(const Formatter *f, int open) {
  for (int i = open + 1; i < f->piece.item[open].match; i++) {
    const Piece *piece = &f->piece.item[i];
    bool joins = piece->kind == ',' || piece->kind == '-' || piece->kind == '=';
    if (!piece->is_word && !joins)
      return false;
  }
  return true;
}

static void put_expression(Formatter *f, int first, int last, int indent, int tail);

// Writes the list after a bracket on separate lines, then the closing bracket.
static void put_entries(Formatter *f, int open, int indent) {
  int close = f->piece.item[open].match, inner = indent + INDENT;
  bool plain = is_plain_list(f, open);
  for (int first = open + 1; first < close;) {
    int last = end_of_part(f, first, close, ',');
    bool comma = last + 1 < close;
    f->breaks = !plain || first == open + 1 || !fits(f, first, last, inner, comma);
    put_expression(f, first, last, inner, comma);
    if (comma)
      put_next(f, last + 1, inner);
    first = last + 1 + comma;
  }
  f->breaks = true;
  put_next(f, close, indent);
}

// The columns from the end of a bracket to the next position where the line may be broken.
static int tail_of(const Formatter *f, int close, int last, int tail) {
  for (int i = close + 1; i <= last; i++)
    if (is_opening(f->piece.item[i].kind) && f->piece.item[i].match > i + 1)
      return f->piece.item[i].end - f->piece.item[close].end;
  return f->piece.item[last].end - f->piece.item[close].end + tail;
}

// Writes pieces without a pipe, broken at brackets that do not fit.
static void put_stage(Formatter *f, int first, int last, int indent, int tail) {
  for (int i = first; i <= last; i++) {
    const Piece *piece = &f->piece.item[i];
    int at = i == first ? indent : indent + INDENT;
    if (!is_opening(piece->kind) || piece->match == i + 1) {
      put_next(f, i, at);
    } else if (fits(f, i, piece->match, at, tail_of(f, piece->match, last, tail))) {
      put_flat(f, i, piece->match, at);
      i = piece->match;
    } else {
      put_next(f, i, at);
      put_entries(f, i, indent);
      i = piece->match;
    }
  }
}

static void put_expression(Formatter *f, int first, int last, int indent, int tail) {
  if (fits(f, first, last, indent, tail)) {
    put_flat(f, first, last, indent);
    return;
  }
  for (int from = first; from <= last;) {
    int to = end_of_part(f, from, last + 1, RS_THEN);
    f->breaks = f->breaks || from > first;
    put_stage(f, from, to, from > first ? indent + INDENT : indent, to == last ? tail : 0);
    from = to + 1;
  }
}

// Writes from `graph` to the last result, or to `{`. If it does not fit, a single result gets its own line, and a list
// of results is broken.
static void put_signature(Formatter *f, int first, int last) {
  int arrow = end_of_part(f, first, last, RS_ARROW) + 1;
  bool is_list = f->piece.item[arrow + 1].kind == '(';
  if (is_list || fits(f, first, last, 0, 0) || !fits(f, first, arrow - 1, 0, 0)) {
    put_stage(f, first, last, 0, 0);
    return;
  }
  put_flat(f, first, arrow - 1, 0);
  f->breaks = true;
  put_stage(f, arrow, last, INDENT, 0);
}

// Writes from `graph` to `{`; conditions that do not fit get their own lines.
static void put_header(Formatter *f, int first, int last) {
  int where = end_of_part(f, first, last, RS_WHERE) + 1;
  if (fits(f, first, last, 0, 0) || where >= last) {
    put_signature(f, first, last);
    return;
  }
  put_signature(f, first, where - 1);
  f->breaks = true;
  put_next(f, where, INDENT);
  for (int from = where + 1; from < last;) {
    int to = end_of_part(f, from, last, ',');
    bool comma = to + 1 < last;
    f->breaks = !fits(f, from, to, 2 * INDENT, comma ? 1 : 2);
    put_stage(f, from, to, 2 * INDENT, comma ? 1 : 2);
    if (comma)
      put_next(f, to + 1, 2 * INDENT);
    from = to + 1 + comma;
  }
  put_next(f, last, 0);
}

// ---- statements and graphs ----

static int end_of_statement(const Formatter *f, int first) {
  int last = first;
  while (!f->piece.item[last].ends && f->piece.item[last + 1].kind != 0)
    last++;
  return last;
}

// A graph whose body is on one line in the source stays on one, if it fits: the index of its `}`; otherwise 0.
static int end_of_short_graph(const Formatter *f, int first) {
  int open = end_of_statement(f, first), close = open, width = 0;
  const Piece *piece = f->piece.item;
  for (; piece[close].kind != '}'; close++) {
    if (piece[close + 1].kind == 0 || piece[close + 1].after_newline ||
        piece[close + 1].comment_count > 0)
      return 0;
    width += piece[close].ends ? piece[close].end + 2 : 0;
  }
  bool quiet = piece[first].comments == piece[open].comments;
  return quiet && width + 1 <= WIDTH ? close : 0;
}

static void put_short_graph(Formatter *f, int first, int close) {
  const Piece *piece = f->piece.item;
  for (int i = first; i <= close; i++) {
    put_next(f, i, 0);
    bool between = piece[i].kind != '{' && piece[i + 1].kind != '}';
    if (i < close && piece[i].ends)
      put(f, between ? "; " : " ", between ? 2 : 1);
  }
}

static void put_blank(Formatter *f) {
  start_line(f, 0);
  end_line(f);
}

// Writes the gap before a statement: comments, and an empty line if there was any, except at the start of a file
// or a body (`opens`).
static void put_gap(Formatter *f, int i, int indent, bool opens) {
  const Piece *piece = &f->piece.item[i];
  for (int c = 0; c < piece->comment_count; c++) {
    const Comment *comment = &piece->comment[c];
    if (comment->is_behind) {
      put_comment_behind(f, comment);
    } else if (comment->after_newline && comment->column == f->comment_column) {
      Line line = {"", comment->span}; // continues the comment after the line above
      VEC_PUSH(f->arena, f->lines, line);
    } else {
      if (!opens && comment->after_blank)
        put_blank(f);
      opens = false;
      put_comment_line(f, comment, indent);
    }
  }
  if (!opens && piece->after_blank && piece->kind != '}' && piece->kind != 0)
    put_blank(f);
}

static void lay_out(Formatter *f) {
  bool opens = true;
  int depth = 0; // of graphs and loops
  for (int i = 0, last; f->piece.item[i].kind != 0; i = last + 1) {
    int kind = f->piece.item[i].kind, indent = INDENT * (depth - (kind == '}'));
    int close = kind == RS_GRAPH ? end_of_short_graph(f, i) : 0;
    bool is_long = kind == RS_GRAPH && close == 0;
    put_gap(f, i, INDENT * depth, opens);
    last = close ? close : end_of_statement(f, i);
    start_line(f, indent);
    // The gap before the first piece is written already.
    f->piece.item[i].comment_count = 0;
    if (close)
      put_short_graph(f, i, close);
    else if (is_long)
      put_header(f, i, last);
    else
      put_expression(f, i, last, indent, 0);
    opens = is_long || kind == RS_FOR;
    depth += opens - (kind == '}');
  }
  put_gap(f, f->piece.count - 1, 0, opens);
  if (f->line.count > 0)
    end_line(f);
}

// ---- the text ----

// The common column of comments after consecutive lines.
static int comment_column(const Formatter *f, int first) {
  int column = 0;
  for (int i = first; i < f->lines.count && f->lines.item[i].comment.end > 0; i++) {
    int width = columns(f->lines.item[i].text, strlen(f->lines.item[i].text)) + GAP;
    column = width > column ? width : column;
  }
  return column;
}

static void join_lines(Formatter *f) {
  int column = 0;
  for (int i = 0; i < f->lines.count; i++) {
    const Line *line = &f->lines.item[i];
    size_t bytes = strlen(line->text);
    put(f, line->text, bytes);
    if (line->comment.end > 0) {
      column = column ? column : comment_column(f, i);
      for (int at = columns(line->text, bytes); at < column; at++)
        put(f, " ", 1);
      put(f, f->source->text + line->comment.begin, line->comment.end - line->comment.begin);
    } else {
      column = 0;
    }
    put(f, "\n", 1);
  }
}

// Whether two texts have the same tokens.
static bool same_pieces(const Formatter *a, const Formatter *b) {
  if (a->piece.count != b->piece.count)
    return false;
  for (int i = 0; i < a->piece.count; i++) {
    const Piece *p = &a->piece.item[i], *q = &b->piece.item[i];
    uint32_t bytes = p->span.end - p->span.begin;
    if (p->kind != q->kind || p->ends != q->ends || bytes != q->span.end - q->span.begin ||
        memcmp(a->source->text + p->span.begin, b->source->text + q->span.begin, bytes) != 0)
      return false;
  }
  return true;
}

const char *format_source(Arena *arena, Source *source, size_t *length, Diag *diag) {
  int errors = diag->errors;
  parse_source(arena, source, diag);
  if (diag->errors > errors)
    return NULL;
  Formatter f = {.arena = arena, .source = source, .comment_column = -1};
  read_tokens(&f);
  measure(&f);
  lay_out(&f);
  join_lines(&f);
  const char *text = line_text(&f);
  *length = (size_t)f.line.count;
  Formatter again = {.arena = arena,
                     .source = source_from_text(arena, source->name, text, *length)};
  read_tokens(&again);
  if (!same_pieces(&f, &again)) {
    diag_error_file(diag, "internal", "formatting would change its meaning");
    return NULL;
  }
  return text;
}
