// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npz: a zip archive of .npy files, each named after its array. The directory at the end of the archive is
// authoritative; the header of a member only says where its bytes begin. Members are stored, or deflated as by
// numpy.savez_compressed; sizes and offsets may have 64 bits. Stored arrays written here begin at multiples of 64, so
// that they can be mapped.
//
//   member   PK 3 4 ... name, extra fields, a .npy file        for each array
//   entry    PK 1 2 ... name, extra fields: its offset         for each array
//   end      PK 5 6 ... offset of the first entry, count       after PK 6 6 and PK 6 7 if 32 bits are too few
//
// Checksums of deflated members are verified; those of stored members are not, so that they need not be read.
#include "driver/script/named_format.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
  MEMBER = 30, // bytes of each, without name and extra fields
  ENTRY = 46,
  END = 22,
  END_64 = 56,
  LOCATOR = 20,
  MOST_COMMENT = 65535,
  MOST_ENTRIES = 1 << 30, // bytes
  EXTRA_64 = 1,           // the field for values that do not fit 32 bits
  EXTRA_ROOM = 0x5253,    // our padding field, which readers ignore
  VERSION_64 = 45,        // version needed to read it: 4.5
  IS_ENCRYPTED = 1,
  IS_UTF8 = 1 << 11,
  STORED = 0,
  DEFLATED = 8,
  MOST_RATIO = 1032, // limit of deflate
  ALIGNMENT = 64,
  FIRST_DAY =
      0x21, // January 1, 1980, the first date of zip archives: the output does not depend on the time
};
static const uint32_t IN_EXTRA = 0xffffffff;

static bool bad_zip(const NamedFile *file, NpyError *error, const char *why) {
  return named_fail(error, file->path, "bad_file", "is not a complete .npz archive: %s", why);
}

// ---- reading ----

typedef struct Entries {
  uint64_t at, bytes, count;
} Entries;

// Without a zip64 locator, the values of the end record are valid, even the maximum of 65535 members.
static bool find_64(int fd, uint64_t end, const NamedFile *file, Entries *entries,
                    NpyError *error) {
  unsigned char locator[LOCATOR], record[END_64];
  if (end < LOCATOR + END_64 || !file_get_at(fd, end - LOCATOR, locator, LOCATOR) ||
      memcmp(locator, "PK\6\7", 4) != 0)
    return true;
  uint64_t at = named_load(locator + 8, 8);
  if (at > end - LOCATOR - END_64 || !file_get_at(fd, at, record, END_64) ||
      memcmp(record, "PK\6\6", 4) != 0)
    return bad_zip(file, error, "its end record does not say where its entries are");
  *entries =
      (Entries){named_load(record + 48, 8), named_load(record + 40, 8), named_load(record + 32, 8)};
  return true;
}

static bool is_end(const unsigned char *tail, size_t n, size_t at) {
  return memcmp(tail + at, "PK\5\6", 4) == 0 && named_load(tail + at + 20, 2) == n - END - at;
}

// Finds the end record, which a comment may follow.
static bool find_entries(int fd, uint64_t size, const NamedFile *file, Entries *entries,
                         NpyError *error) {
  unsigned char tail[END + MOST_COMMENT];
  size_t n = size < sizeof tail ? (size_t)size : sizeof tail, at;
  if (n < END || !file_get_at(fd, size - n, tail, n))
    return bad_zip(file, error, "it is shorter than an end record");
  for (at = n - END; at > 0 && !is_end(tail, n, at);)
    at--;
  if (!is_end(tail, n, at))
    return bad_zip(file, error, "it has no end record");
  const unsigned char *end = tail + at;
  *entries = (Entries){named_load(end + 16, 4), named_load(end + 12, 4), named_load(end + 10, 2)};
  bool is_64 = entries->at == IN_EXTRA || entries->bytes == IN_EXTRA || entries->count == 0xffff;
  uint64_t place = size - n + (uint64_t)(end - tail);
  if (is_64 && !find_64(fd, place, file, entries, error))
    return false;
  if (entries->at > place || entries->bytes > place - entries->at ||
      entries->bytes > MOST_ENTRIES || entries->count > entries->bytes / ENTRY)
    return bad_zip(file, error, "its entries are not where its end record says");
  return true;
}

// Values that do not fit 32 bits, and only those, are in an extra field, in this order.
static bool read_extra(const unsigned char *extra, size_t length, uint64_t *const value[3]) {
  while (length >= 4) {
    size_t id = (size_t)named_load(extra, 2), size = (size_t)named_load(extra + 2, 2);
    extra += 4;
    length -= 4;
    if (size > length)
      return false;
    for (int i = 0; id == EXTRA_64 && i < 3; i++) {
      if (*value[i] != IN_EXTRA)
        continue;
      if (size < 8)
        return false;
      *value[i] = named_load(extra, 8);
      extra += 8;
      size -= 8;
      length -= 8;
    }
    if (id == EXTRA_64)
      return true;
    extra += size;
    length -= size;
  }
  return *value[0] != IN_EXTRA && *value[1] != IN_EXTRA && *value[2] != IN_EXTRA;
}

// Reads one entry; *length is its total length. Members other than .npy files are not listed.
static bool read_zip_entry(Arena *arena, NamedFile *file, const unsigned char *at, uint64_t left,
                           uint64_t members, uint64_t *length, NpyError *error) {
  if (left < ENTRY || memcmp(at, "PK\1\2", 4) != 0)
    return bad_zip(file, error, "an entry is cut off");
  size_t name = (size_t)named_load(at + 28, 2), extra = (size_t)named_load(at + 30, 2);
  *length = ENTRY + name + extra + named_load(at + 32, 2);
  if (*length > left)
    return bad_zip(file, error, "an entry is cut off");
  const char *text = (const char *)at + ENTRY;
  bool is_array = name >= 4 && memcmp(text + name - 4, ".npy", 4) == 0 && !memchr(text, 0, name);
  uint64_t packed = named_load(at + 20, 4), bytes = named_load(at + 24, 4),
           place = named_load(at + 42, 4);
  if (!read_extra(at + ENTRY + name, extra, (uint64_t *const[]){&bytes, &packed, &place}) ||
      place > members || packed > members - place)
    return bad_zip(file, error, "a member is not where its entry says");
  if (!is_array)
    return true;
  bool is_locked = named_load(at + 8, 2) & IS_ENCRYPTED;
  NamedEntry *e = &file->entry[file->count++];
  *e = (NamedEntry){.name = arena_text(arena, text, name - 4),
                    .dtype = RSH_DTYPE_NONE,
                    .begin = place,
                    .end = place + packed,
                    .bytes = bytes,
                    .crc = (unsigned)named_load(at + 16, 4),
                    .method = is_locked ? UINT_MAX : (unsigned)named_load(at + 10, 2)};
  return true;
}

static bool read_zip_entries(Arena *arena, int fd, uint64_t size, NamedFile *file,
                             NpyError *error) {
  Entries entries;
  if (!find_entries(fd, size, file, &entries, error))
    return false;
  unsigned char *text = malloc((size_t)entries.bytes + 1);
  if (!text)
    return named_fail(error, file->path, "no_memory", "not enough memory for %" PRIu64 " bytes",
                      entries.bytes);
  bool good = file_get_at(fd, entries.at, text, (size_t)entries.bytes) ||
              bad_zip(file, error, "an entry is cut off");
  file->entry = ARENA_ARRAY(arena, NamedEntry, (size_t)entries.count + 1);
  uint64_t at = 0, length = 0;
  for (uint64_t i = 0; i < entries.count && good; i++) {
    good = read_zip_entry(arena, file, text + at, entries.bytes - at, entries.at, &length, error);
    at += good ? length : 0;
  }
  free(text);
  return good;
}

// Inflates a deflated member.
typedef struct Inflater {
  z_stream stream;
  const NamedFile *file;
  const NamedEntry *entry;
  int fd;
  uint64_t at, end; // of the bytes still in the file
  uint64_t given;   // bytes so far
  unsigned long crc;
  unsigned char in[1 << 16];
} Inflater;

static bool wrong_bytes(const Inflater *f, NpyError *error) {
  return named_fail(
      error, f->file->path, "bad_file",
      "the bytes of '%.100s' are damaged: size or checksum differs from the archive's",
      f->entry->name);
}

static bool no_memory(const NamedFile *file, const NamedEntry *e, NpyError *error) {
  return named_fail(error, file->path, "no_memory", "not enough memory to unpack '%.100s'",
                    e->name);
}

static bool inflate_bytes(void *from, void *bytes, size_t size, size_t *got, NpyError *error) {
  Inflater *f = from;
  int state = Z_OK;
  *got = 0;
  while (*got < size && state == Z_OK) {
    if (f->stream.avail_in == 0 && f->at < f->end) {
      size_t n = f->end - f->at < sizeof f->in ? (size_t)(f->end - f->at) : sizeof f->in;
      if (!file_get_at(f->fd, f->at, f->in, n))
        return wrong_bytes(f, error);
      f->stream.next_in = f->in;
      f->stream.avail_in = (uInt)n;
      f->at += n;
    }
    size_t room = size - *got < INT_MAX ? size - *got : INT_MAX;
    f->stream.next_out = (unsigned char *)bytes + *got;
    f->stream.avail_out = (uInt)room;
    state = inflate(&f->stream, Z_NO_FLUSH);
    *got += room - f->stream.avail_out;
  }
  f->crc = crc32_z(f->crc, bytes, *got);
  f->given += *got;
  if (state == Z_MEM_ERROR)
    return no_memory(f->file, f->entry, error);
  return state == Z_OK || state == Z_STREAM_END || wrong_bytes(f, error);
}

static bool read_deflated(int fd, const NamedFile *file, const NamedEntry *e, uint64_t at,
                          uint64_t end, Npy *out, NpyError *error) {
  Inflater *f = calloc(1, sizeof *f);
  if (!f || inflateInit2(&f->stream, -MAX_WBITS) != Z_OK) {
    free(f);
    return no_memory(file, e, error);
  }
  f->file = file;
  f->entry = e;
  f->fd = fd;
  f->at = at;
  f->end = end;
  bool good = (e->bytes / MOST_RATIO <= end - at || wrong_bytes(f, error)) &&
              npy_read_from(inflate_bytes, f, e->bytes, file->path, out, error) &&
              ((f->given == e->bytes && f->crc == e->crc) || wrong_bytes(f, error));
  inflateEnd(&f->stream);
  free(f);
  return good;
}

static bool read_zip_array(int fd, uint64_t size, const NamedFile *file, const NamedEntry *e,
                           Npy *out, NpyError *error) {
  unsigned char member[MEMBER];
  if (e->method != STORED && e->method != DEFLATED)
    return named_fail(error, file->path, "unsupported", "'%.100s' is %s: pack it with numpy.savez",
                      e->name, e->method == UINT_MAX ? "encrypted" : "neither stored nor deflated");
  if (!file_get_at(fd, e->begin, member, MEMBER) || memcmp(member, "PK\3\4", 4) != 0)
    return bad_zip(file, error, "a member is not where its entry says");
  uint64_t packed = e->end - e->begin,
           at = e->begin + MEMBER + named_load(member + 26, 2) + named_load(member + 28, 2);
  if (at + packed > size || (e->method == STORED && packed != e->bytes))
    return bad_zip(file, error, "a member is not where its entry says");
  if (e->method == DEFLATED)
    return read_deflated(fd, file, e, at, at + packed, out, error);
  return npy_read_part(fd, at, packed, file->path, out, error);
}

// ---- writing ----

static bool is_ascii(const char *text) {
  while (*text && (unsigned char)*text < 128)
    text++;
  return *text == '\0';
}

// The fields that a member's header shares with its entry: from the version to the length of the name.
static void put_common(unsigned char *to, const NamedEntry *e, bool is_wide) {
  named_store(to, VERSION_64, 2);
  named_store(to + 2, is_ascii(e->name) ? 0 : IS_UTF8, 2);
  named_store(to + 4, STORED, 2);
  named_store(to + 6, 0, 2);
  named_store(to + 8, FIRST_DAY, 2);
  named_store(to + 10, e->crc, 4);
  named_store(to + 14, is_wide ? IN_EXTRA : e->bytes, 4);
  named_store(to + 18, is_wide ? IN_EXTRA : e->bytes, 4);
  named_store(to + 22, strlen(e->name), 2);
}

static void put_zip_field(unsigned char *to, unsigned id, size_t bytes) {
  named_store(to, id, 2);
  named_store(to + 2, bytes, 2);
}

// Writes a member's header with its name, and extra fields up to an aligned offset for the array.
static bool put_member(NamedWriter *writer, const NamedEntry *e, NpyError *error) {
  enum { ROOM = 2 * ALIGNMENT };
  unsigned char header[MEMBER + USHRT_MAX + 24 + ROOM] = "PK\3\4";
  size_t name = strlen(e->name), at = MEMBER + name;
  bool is_wide = e->bytes >= IN_EXTRA;
  put_common(header + 4, e, is_wide);
  memcpy(header + MEMBER, e->name, name);
  if (is_wide) {
    put_zip_field(header + at, EXTRA_64, 16);
    named_store(header + at + 4, e->bytes, 8);
    named_store(header + at + 12, e->bytes, 8);
    at += 20;
  }
  size_t end = (size_t)(named_rounded(writer->data + at + 4, ALIGNMENT) - writer->data);
  put_zip_field(header + at, EXTRA_ROOM, end - at - 4);
  named_store(header + 28, end - MEMBER - name, 2);
  bool good = named_put(writer, writer->data, header, end, error);
  writer->data += end;
  return good;
}

static bool add_array(NamedWriter *writer, const char *name, const char *type, const Npy *array,
                      NpyError *error) {
  NpyParts parts;
  NamedEntry e = {.name = arena_printf(writer->arena, "%s.npy", name), .begin = writer->data};
  if (type)
    return named_fail(error, writer->path, "bad_arg",
                      "'%.100s' is saved with its element type: only .gguf files take another type",
                      name);
  if (strlen(e.name) > USHRT_MAX)
    return named_fail(error, writer->path, "limit", "a name has %zu bytes, the limit is %d",
                      strlen(name), USHRT_MAX - 4);
  if (!npy_parts(array, writer->path, &parts, error))
    return false;
  error->kind = "io"; // of what can fail now
  for (int i = 0; i < 2; i++) {
    e.crc = (unsigned)crc32_z(e.crc, parts.part[i].bytes, parts.part[i].size);
    e.bytes += parts.part[i].size;
  }
  bool good = put_member(writer, &e, error);
  for (int i = 0; i < 2 && good; i++) {
    good = named_put(writer, writer->data, parts.part[i].bytes, parts.part[i].size, error);
    writer->data += parts.part[i].size;
  }
  npy_parts_free(&parts);
  VEC_PUSH(writer->arena, writer->entry, e);
  return good;
}

static bool put_zip_entry(NamedWriter *writer, const NamedEntry *e, NpyError *error) {
  unsigned char entry[ENTRY + USHRT_MAX + 28] = "PK\1\2";
  size_t name = strlen(e->name), at = ENTRY + name;
  bool is_wide = e->bytes >= IN_EXTRA || e->begin >= IN_EXTRA;
  named_store(entry + 4, VERSION_64, 2);
  put_common(entry + 6, e, is_wide);
  named_store(entry + 30, is_wide ? 28 : 0, 2);
  named_store(entry + 42, is_wide ? IN_EXTRA : e->begin, 4);
  memcpy(entry + ENTRY, e->name, name);
  if (is_wide) {
    put_zip_field(entry + at, EXTRA_64, 24);
    named_store(entry + at + 4, e->bytes, 8);
    named_store(entry + at + 12, e->bytes, 8);
    named_store(entry + at + 20, e->begin, 8);
    at += 28;
  }
  bool good = named_put(writer, writer->data, entry, at, error);
  writer->data += at;
  return good;
}

static bool put_end(NamedWriter *writer, uint64_t begin, NpyError *error) {
  unsigned char end[END_64 + LOCATOR + END] = "PK\6\6", *last = end + END_64 + LOCATOR;
  uint64_t count = (uint64_t)writer->entry.count, bytes = writer->data - begin;
  bool is_wide = count >= 0xffff || bytes >= IN_EXTRA || begin >= IN_EXTRA;
  named_store(end + 4, END_64 - 12, 8);
  named_store(end + 12, VERSION_64, 2);
  named_store(end + 14, VERSION_64, 2);
  named_store(end + 24, count, 8);
  named_store(end + 32, count, 8);
  named_store(end + 40, bytes, 8);
  named_store(end + 48, begin, 8);
  memcpy(end + END_64, "PK\6\7", 4);
  named_store(end + END_64 + 8, writer->data, 8);
  named_store(end + END_64 + 16, 1, 4);
  memcpy(last, "PK\5\6", 4);
  named_store(last + 8, is_wide ? 0xffff : count, 2);
  named_store(last + 10, is_wide ? 0xffff : count, 2);
  named_store(last + 12, is_wide ? IN_EXTRA : bytes, 4);
  named_store(last + 16, is_wide ? IN_EXTRA : begin, 4);
  const unsigned char *from = is_wide ? end : last;
  return named_put(writer, writer->data, from, (size_t)(end + sizeof end - from), error);
}

static bool end_archive(NamedWriter *writer, NpyError *error) {
  uint64_t begin = writer->data;
  for (int i = 0; i < writer->entry.count; i++)
    if (!put_zip_entry(writer, &writer->entry.item[i], error))
      return false;
  return put_end(writer, begin, error);
}

const NamedFormat npz_format = {".npz", read_zip_entries, read_zip_array, add_array, end_archive};
