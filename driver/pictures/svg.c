// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints marks as SVG. Uses only what every viewer draws: rectangles, paths, text and a style
// sheet.
#include "driver/pictures/svg.h"

#include "frontend/text/source.h"

#include <stdarg.h>
#include <string.h>

enum { MARGIN = 16, STEPS = 16 }; // around the page; colors of steps

static const char style[] =
    "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
    "fill:#1f2328}\n"
    ".page{fill:#ffffff;stroke:#d1d9e0}\n"
    ".head{font-size:15px;font-weight:bold}.bold{font-weight:bold}.small{font-size:10px}\n"
    ".faint{fill:#59636e}\n"
    ".value{fill:#f6f8fa;stroke:#818b98}.moves{fill:#ffedcf;stroke:#b35900}\n"
    ".keeps{fill:#e1f3e6;stroke:#2c7a3f}.computes{fill:#e0ecff;stroke:#2f6fd0}\n"
    ".note{fill:#ffffff;stroke:#d1d9e0;stroke-dasharray:4 3}\n"
    ".wire{fill:none;stroke:#6e7781;stroke-width:1.4}\n"
    ".thread{fill:none;stroke-width:1.2;opacity:.75}\n"
    ".tip{fill:#6e7781}.fill{fill:#d1d9e0;stroke:#818b98}.bar{fill:#f6f8fa;stroke:#818b98}\n"
    "@media(prefers-color-scheme:dark){\n"
    "text{fill:#e6edf3}.page{fill:#0d1117;stroke:#3d444d}.faint{fill:#9198a1}\n"
    ".value{fill:#212830;stroke:#768390}.moves{fill:#3d2a0c;stroke:#e09b3d}\n"
    ".keeps{fill:#12321d;stroke:#57ab6a}.computes{fill:#14294a;stroke:#6cb0ff}\n"
    ".note{fill:#0d1117;stroke:#3d444d}.wire{stroke:#9198a1}\n"
    ".tip{fill:#9198a1}.fill{fill:#3d444d;stroke:#768390}.bar{fill:#212830;stroke:#768390}\n"
    "}\n"
    // The text of a cell is on the cell's color, whatever the page's color.
    ".on{fill:#101418}.off{fill:#ffffff}\n";

// From violet over green to amber; all are visible on a light page and on a dark one.
static const char *const colors[STEPS] = {
    "#6a4fc0", "#575ec8", "#446dd0", "#347bcd", "#2988c0", "#1e95b3", "#209b9c", "#22a285",
    "#30a66e", "#49a957", "#63ab3f", "#7fa835", "#9aa52a", "#b09f21", "#c19518", "#d18b10"};
enum { LIGHT = 6 }; // text on this color and later ones is dark

static int color_of(int step, int count) {
  return count < 2 ? STEPS / 2 : (int)((long long)step * (STEPS - 1) / (count - 1));
}

static void put(Svg *svg, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Svg *svg, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (int i = 0; i < length && i < (int)sizeof text - 1; i++)
    VEC_PUSH(svg->arena, svg->body, text[i]);
}

static void reach(Svg *svg, int x, int y) {
  svg->width = x > svg->width ? x : svg->width;
  svg->height = y > svg->height ? y : svg->height;
}

static void put_escaped(Svg *svg, const char *text) {
  const char *end = text + strlen(text);
  for (const char *at = text; at < end;) {
    int bytes = utf8_length(at, end);
    if (*at == '&')
      put(svg, "&amp;");
    else if (*at == '<')
      put(svg, "&lt;");
    else if (*at == '>')
      put(svg, "&gt;");
    else if (bytes == 0 || (unsigned char)*at < 0x20 || *at == 0x7F ||
             strncmp(at, "\xEF\xBF\xBE", 3) == 0 || strncmp(at, "\xEF\xBF\xBF", 3) == 0)
      put(svg, "?");
    else
      put(svg, "%.*s", bytes, at);
    at += bytes ? bytes : 1;
  }
}

int svg_columns(const char *text) {
  int count = 0;
  for (; *text; text++)
    count += ((unsigned char)*text & 0xC0) != 0x80;
  return count;
}

int svg_text_width(const char *text) { return (svg_columns(text) * 29 + 3) / 4; }

void svg_text(Svg *svg, int x, int y, const char *anchor, const char *classes, const char *text) {
  if (!*text)
    return;
  put(svg, "<text x=\"%d\" y=\"%d\"", x, y);
  if (strcmp(anchor, "start") != 0)
    put(svg, " text-anchor=\"%s\"", anchor);
  if (*classes)
    put(svg, " class=\"%s\"", classes);
  put(svg, ">");
  put_escaped(svg, text);
  put(svg, "</text>\n");
  int width = strstr(classes, "head") ? svg_columns(text) * 9 + 4 : svg_text_width(text);
  reach(svg, strcmp(anchor, "start") == 0 ? x + width : x, y + 4);
}

void svg_rect(Svg *svg, int x, int y, int width, int height, int radius, const char *classes) {
  put(svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" class=\"%s\"/>\n", x, y,
      width, height, radius, classes);
  reach(svg, x + width, y + height);
}

void svg_cell(Svg *svg, int x, int y, int width, int height, int step, int count,
              const char *text) {
  int color = color_of(step, count);
  put(svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x, y, width,
      height, colors[color]);
  svg_text(svg, x + width / 2, y + height / 2 + 4, "middle",
           color < LIGHT ? "off small" : "on small", text);
  reach(svg, x + width, y + height);
}

void svg_curve(Svg *svg, int x1, int y1, int x2, int y2, const char *classes) {
  int middle = (y1 + y2) / 2;
  bool is_arrow = strstr(classes, "arrow") != NULL;
  put(svg, "<path d=\"M%d %dC%d %d %d %d %d %d\" class=\"%s\"/>\n", x1, y1, x1, middle, x2, middle,
      x2, is_arrow ? y2 - 6 : y2, classes);
  if (is_arrow)
    put(svg, "<path d=\"M%d %dl-4 -8h8z\" class=\"tip\"/>\n", x2, y2);
  reach(svg, x1 > x2 ? x1 : x2, y2);
}

void svg_thread(Svg *svg, int x1, int y1, int x2, int y2, int step, int count) {
  int middle = (y1 + y2) / 2;
  put(svg, "<path d=\"M%d %dC%d %d %d %d %d %d\" stroke=\"%s\" class=\"thread\"/>\n", x1, y1, x1,
      middle, x2, middle, x2, y2, colors[color_of(step, count)]);
}

static void print_body(const Svg *svg, FILE *out) {
  if (svg->body.count > 0)
    fwrite(svg->body.item, 1, (size_t)svg->body.count, out);
}

void markup_print(Arena *arena, const char *text, FILE *out) {
  Svg svg = {.arena = arena};
  put_escaped(&svg, text);
  print_body(&svg, out);
}

void svg_print(const Svg *svg, FILE *out) {
  int width = svg->width + MARGIN, height = svg->height + MARGIN;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
          "%d\">\n"
          "<style>\n%s</style>\n"
          "<rect x=\"0\" y=\"0\" width=\"%d\" height=\"%d\" rx=\"6\" class=\"page\"/>\n",
          width, height, width, height, style, width, height);
  print_body(svg, out);
  fputs("</svg>\n", out);
}
