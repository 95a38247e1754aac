/* Files and messages of the host program. The includer defines _POSIX_C_SOURCE. */
#ifndef QC_IO_H
#define QC_IO_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qc_types.h"

enum { kExitFailed = 1, kExitUsage = 2, kMessageBytes = 1024 };

static inline void print_json_string(const char* text) {
  putchar('"');
  for (const unsigned char* c = (const unsigned char*)text; *c != 0; ++c) {
    if (*c == '"' || *c == '\\') {
      printf("\\%c", *c);
    } else if (*c < ' ') {
      printf("\\u%04x", *c);
    } else {
      putchar(*c);
    }
  }
  putchar('"');
}

/* Prints the one line of an error in what the user gave; the program's exit code. */
static inline int refuse(const char* where, const char* format, ...) {
  char message[kMessageBytes];
  const int used = snprintf(message, sizeof(message), "%s: ", where);
  if (used > 0 && used < kMessageBytes) {
    va_list values;
    va_start(values, format);
    vsnprintf(message + used, sizeof(message) - (size_t)used, format, values);
    va_end(values);
  }
  printf("{\"status\": \"error\", \"code\": %d, \"message\": ", QC_ERR_IO);
  print_json_string(message);
  printf("}\n");
  return kExitUsage;
}

/* ---- Reading: 0 or an exit code ---- */

static inline int refuse_size(const char* path, size_t expected, size_t found) {
  return refuse(path, "expected %zu bytes, found %zu", expected, found);
}

/* Reads a file of exactly `bytes` bytes. */
static inline int read_exactly(const char* path, void* to, size_t bytes) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return refuse(path, "cannot be read: %s", strerror(errno));
  const size_t found = fread(to, 1, bytes, file);
  const int failed = ferror(file);
  const int longer = found == bytes && fgetc(file) != EOF;
  fclose(file);
  if (failed) return refuse(path, "cannot be read to its end");
  if (longer) return refuse(path, "expected %zu bytes, found more", bytes);
  return found == bytes ? 0 : refuse_size(path, bytes, found);
}

/* Maps a file of exactly `bytes` bytes for reading, on a page boundary. */
static inline int map_exactly(const char* path, size_t bytes, const uint8_t** to) {
  const int file = open(path, O_RDONLY);
  struct stat file_status;
  if (file < 0 || fstat(file, &file_status) != 0) {
    return refuse(path, "cannot be read: %s", strerror(errno));
  }
  if ((size_t)file_status.st_size != bytes) {
    close(file);
    return refuse_size(path, bytes, (size_t)file_status.st_size);
  }
  void* mapped = bytes > 0 ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
  close(file);
  if (mapped == MAP_FAILED) return refuse(path, "cannot be mapped: %s", strerror(errno));
  *to = mapped;
  return 0;
}

/* ---- Writing: a file appears under its name when all of it is there ---- */

typedef struct sink {
  FILE* file;
  const char* path;
  char* partial; /* the name until then; NULL for a device, which is written at once */
} sink;

static inline int open_sink(sink* s, const char* path) {
  struct stat file_status;
  const int is_device = stat(path, &file_status) == 0 && !S_ISREG(file_status.st_mode);
  static const char kSuffix[] = ".partial";
  const size_t bytes = strlen(path) + sizeof(kSuffix);
  *s = (sink){NULL, path, is_device ? NULL : malloc(bytes)};
  if (s->partial != NULL) snprintf(s->partial, bytes, "%s%s", path, kSuffix);
  s->file = fopen(s->partial != NULL ? s->partial : path, "wb");
  return s->file != NULL ? 0 : refuse(path, "cannot be written: %s", strerror(errno));
}

static inline int write_sink(sink* s, const void* from, size_t bytes) {
  if (fwrite(from, 1, bytes, s->file) == bytes) return 0;
  return refuse(s->path, "cannot be written: %s", strerror(errno));
}

/* Ends the sink: keeps the file if `keep`, else leaves nothing behind. */
static inline int close_sink(sink* s, int keep) {
  int failed = 0;
  if (s->file != NULL && fclose(s->file) != 0 && keep) {
    failed = refuse(s->path, "cannot be written: %s", strerror(errno));
  }
  if (s->file != NULL && s->partial != NULL) {
    if (!keep || failed) {
      unlink(s->partial);
    } else if (rename(s->partial, s->path) != 0) {
      failed = refuse(s->path, "cannot be written: %s", strerror(errno));
    }
  }
  free(s->partial);
  *s = (sink){NULL, NULL, NULL};
  return failed;
}

#endif
