/*
 * Debian's Node reads some built-in modules from /usr/share/nodejs at each start, and aborts without them. A device may
 * lack them: this opens the copies in the package, in the folder `nodejs` beside this library. Preloaded.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char SYSTEM[] = "/usr/share/nodejs/";

/* Finds the packaged copy of a module. Returns `path` itself for any other file. */
static const char *packaged(const char *path, char copy[PATH_MAX]) {
  const size_t prefix = sizeof SYSTEM - 1;
  Dl_info self;
  if (strncmp(path, SYSTEM, prefix) != 0 || !dladdr((void *)packaged, &self)) return path;
  const char *end = strrchr(self.dli_fname, '/');
  if (!end) return path;
  int folder = (int)(end - self.dli_fname);
  int length = snprintf(copy, PATH_MAX, "%.*s/nodejs/%s", folder, self.dli_fname, path + prefix);
  return length > 0 && length < PATH_MAX ? copy : path;
}

int open64(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  va_list more;
  va_start(more, flags);
  int mode = va_arg(more, int);
  va_end(more);
  char copy[PATH_MAX];
  return next(packaged(path, copy), flags, mode);
}
