// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics: collected while the stages run, printed at the end of the command, as text or JSON.
//
//   model.rsh:4:18: error: perm has 3 axes but 'x' has rank 2
//       y = transpose(x, perm=[0,1,2])
//                             ^~~~~~~
//   model.rsh:1:7: note: 'x' is declared here: f32[4, 5]
#ifndef FRONTEND_DIAG_H
#define FRONTEND_DIAG_H

#include "frontend/text/source.h"

#include <stdio.h>

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE } Severity;

typedef struct Diagnostic {
  Severity severity;
  const char *kind;    // a status of runtime/statuses.def, or "syntax", "unknown_name", "arity" ...
  const char *message; // lower case, no full stop; both sides of a mismatch
  Span span;           // meaningless when has_span is false
  bool has_span;       // false: the file as a whole (unreadable, empty)
} Diagnostic;          // a note belongs to the error or warning before it; its kind is "note"

typedef struct Diag {
  Arena *arena;
  Source *source;   // the first of the list that spans refer to; NULL while there is none
  const char *file; // name used when source is NULL
  VEC(Diagnostic) list;
  int errors, warnings;
  bool warnings_are_errors;
  bool dropped; // the last error or warning was not kept, so its notes are not either
} Diag;

// A repeated error or warning (same text, same place) is dropped. At most DIAG_LIMIT of each severity are kept;
// for further errors only the number is printed.
enum { DIAG_LIMIT = 100 };

void diag_error(Diag *diag, Span span, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(Diag *diag, Span span, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_note(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_error_file(Diag *diag, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning_file(Diag *diag, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// A note without an error or warning: a remark about the file.
void diag_remark_file(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Discards what was reported since the mark.
typedef struct DiagMark {
  int count, errors, warnings;
  bool dropped;
} DiagMark;
DiagMark diag_mark(const Diag *diag);
void diag_rewind(Diag *diag, DiagMark mark);

// Clang's format, with the line and a caret; ANSI color on request. Lines over 200 characters are shown as a
// window around the place; control bytes are shown as spaces.
void diag_print(const Diag *diag, FILE *out, bool color);
// {"diagnostics": [{"file", "line", "column", "severity", "kind", "message"}]}
void diag_print_json(const Diag *diag, FILE *out);

// A diagnostic as shown: control bytes and broken UTF-8 in the message are escaped, and the part of a model
// comes first.
typedef struct DiagShown {
  const char *file; // as given
  const char *message;
  bool has_place; // false: it is about the whole file, or about a part of a model
  Place begin, end;
} DiagShown;
DiagShown diag_shown(const Diag *diag, const Diagnostic *d);

// "error".
const char *diag_severity_name(Severity severity);
// The name of a file in printable form; NULL: it has none.
const char *diag_file_text(const Diag *diag, const char *name);

// The candidate nearest to `name` by edit distance (at most a third of its length), or NULL: for "did you mean".
const char *diag_nearest(const char *name, const char *const *candidates, int count);

#endif
