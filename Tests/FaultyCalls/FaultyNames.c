// The calls that make, change and remove names.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "FaultPlan.h"

// MARK: rename and link

static int faulty_rename(
    const char *call, const void *from, int old_folder, const char *old, int new_folder,
    const char *new, unsigned int flags) {
  WITH_FAULT(
      name_goes_wrong(KIND_RENAME, call, from, new_folder, new),
      (int)syscall(SYS_renameat2, old_folder, old, new_folder, new, flags));
}

int rename(const char *old, const char *new) {
  return faulty_rename("rename", FROM, AT_FDCWD, old, AT_FDCWD, new, 0);
}

int renameat(int old_folder, const char *old, int new_folder, const char *new) {
  return faulty_rename("renameat", FROM, old_folder, old, new_folder, new, 0);
}

int renameat2(
    int old_folder, const char *old, int new_folder, const char *new, unsigned int flags) {
  return faulty_rename("renameat2", FROM, old_folder, old, new_folder, new, flags);
}

static int faulty_link(
    const void *from, int old_folder, const char *old, int new_folder, const char *new, int flags) {
  WITH_FAULT(
      name_goes_wrong(KIND_RENAME, "link", from, new_folder, new),
      (int)syscall(SYS_linkat, old_folder, old, new_folder, new, flags));
}

int linkat(int old_folder, const char *old, int new_folder, const char *new, int flags) {
  return faulty_link(FROM, old_folder, old, new_folder, new, flags);
}

int link(const char *old, const char *new) {
  return faulty_link(FROM, AT_FDCWD, old, AT_FDCWD, new, 0);
}

// MARK: open for writing

static int faulty_open(
    const char *call, const void *from, int folder, const char *name, int flags, mode_t mode) {
  const bool is_wrong =
      (flags & O_ACCMODE) != O_RDONLY && name_goes_wrong(KIND_OPEN, call, from, folder, name);
  WITH_FAULT(is_wrong, (int)syscall(SYS_openat, folder, name, flags, mode));
}

#define MODE_AFTER(flags)                                        \
  ({                                                             \
    mode_t mode = 0;                                             \
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
      va_list arguments;                                         \
      va_start(arguments, flags);                                \
      mode = va_arg(arguments, mode_t);                          \
      va_end(arguments);                                         \
    }                                                            \
    mode;                                                        \
  })

int open(const char *name, int flags, ...) {
  return faulty_open("open", FROM, AT_FDCWD, name, flags, MODE_AFTER(flags));
}

int open64(const char *name, int flags, ...) {
  return faulty_open("open", FROM, AT_FDCWD, name, flags, MODE_AFTER(flags));
}

int openat(int folder, const char *name, int flags, ...) {
  return faulty_open("openat", FROM, folder, name, flags, MODE_AFTER(flags));
}

int openat64(int folder, const char *name, int flags, ...) {
  return faulty_open("openat", FROM, folder, name, flags, MODE_AFTER(flags));
}

static int faulty_mkdir(const void *from, int folder, const char *name, mode_t mode) {
  WITH_FAULT(
      name_goes_wrong(KIND_FOLDER, "mkdir", from, folder, name),
      (int)syscall(SYS_mkdirat, folder, name, mode));
}

int mkdirat(int folder, const char *name, mode_t mode) {
  return faulty_mkdir(FROM, folder, name, mode);
}

int mkdir(const char *name, mode_t mode) { return faulty_mkdir(FROM, AT_FDCWD, name, mode); }

// MARK: unlink

static int faulty_unlink(const void *from, int folder, const char *name, int flags) {
  const char *const call = flags & AT_REMOVEDIR ? "rmdir" : "unlink";
  WITH_FAULT(
      name_goes_wrong(KIND_UNLINK, call, from, folder, name),
      (int)syscall(SYS_unlinkat, folder, name, flags));
}

int unlinkat(int folder, const char *name, int flags) {
  return faulty_unlink(FROM, folder, name, flags);
}

int unlink(const char *name) { return faulty_unlink(FROM, AT_FDCWD, name, 0); }

int rmdir(const char *name) { return faulty_unlink(FROM, AT_FDCWD, name, AT_REMOVEDIR); }

int remove(const char *name) {
  if (faulty_unlink(FROM, AT_FDCWD, name, 0) == 0) return 0;
  const bool is_folder = errno == EISDIR || errno == EPERM;
  return is_folder ? faulty_unlink(FROM, AT_FDCWD, name, AT_REMOVEDIR) : -1;
}
