// Calls of the system that fail when they are told to: loaded before libc by LD_PRELOAD into the program under test.
//
// Calls that change something below one folder are counted, over all threads, and the n-th goes wrong. Sockets, pipes and
// files elsewhere are left alone. The environment says what happens:
//
//   SILO_FAULT_BELOW   the folder, an absolute path without links; without it nothing is counted
//   SILO_FAULT_CALLS   what is counted: write,sync,rename,allocate,open,unlink (all)
//   SILO_FAULT_AT      the number of the first call that goes wrong, from 1 (none)
//   SILO_FAULT_TIMES   how many go wrong from there on, 0 for all (1)
//   SILO_FAULT_HOW     a number of errno, or: short (half is written), kill (before the call), kill-half (after half of a
//                      write), kill-after
//   SILO_FAULT_FREE    how many bytes every file system has left at most, as far as it is asked
//   SILO_FAULT_HOSTS   a file with a name and a numeric address in every line: what the names resolve to, read again each time
//   SILO_FAULT_LOG     a file that gets a line for every call that is counted: its number, its kind, its name, the path
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { KIND_WRITE, KIND_SYNC, KIND_RENAME, KIND_ALLOCATE, KIND_OPEN, KIND_UNLINK, KIND_COUNT };
static const char *const kind_names[KIND_COUNT] = {"write",    "sync", "rename",
                                                   "allocate", "open", "unlink"};

enum how { HOW_ERROR, HOW_SHORT, HOW_KILL, HOW_KILL_HALF, HOW_KILL_AFTER };

static char below[PATH_MAX];
static size_t below_length;
static bool counted[KIND_COUNT];
static long fault_at, fault_times = 1;
static enum how fault_how = HOW_ERROR;
static int fault_errno = EIO;
static int log_number = -1;
static atomic_long call_count;

__attribute__((constructor)) static void begin(void) {
  // Not for what the program starts, as the one that finds the names for a sanitizer's report.
  unsetenv("LD_PRELOAD");
  const char *folder = getenv("SILO_FAULT_BELOW");
  if (!folder || folder[0] != '/' || strlen(folder) >= sizeof below) return;
  const char *calls = getenv("SILO_FAULT_CALLS");
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    counted[kind] = !calls || strstr(calls, kind_names[kind]) != NULL;
  }
  const char *text = getenv("SILO_FAULT_AT");
  if (text) fault_at = strtol(text, NULL, 10);
  text = getenv("SILO_FAULT_TIMES");
  if (text) fault_times = strtol(text, NULL, 10);
  text = getenv("SILO_FAULT_HOW");
  if (text && strcmp(text, "short") == 0) {
    fault_how = HOW_SHORT;
  } else if (text && strcmp(text, "kill") == 0) {
    fault_how = HOW_KILL;
  } else if (text && strcmp(text, "kill-half") == 0) {
    fault_how = HOW_KILL_HALF;
  } else if (text && strcmp(text, "kill-after") == 0) {
    fault_how = HOW_KILL_AFTER;
  } else if (text) {
    fault_errno = (int)strtol(text, NULL, 10);
  }
  text = getenv("SILO_FAULT_LOG");
  if (text) {
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    log_number = (int)syscall(SYS_openat, AT_FDCWD, text, flags, 0600);
  }
  strcpy(below, folder);
  below_length = strlen(below);
}

static bool is_below(const char *path) {
  return below_length > 0 && strncmp(path, below, below_length) == 0 && path[below_length] == '/';
}

/// The path of an open file; false for what has none.
static bool path_of(int file, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  if (length <= 0) return false;
  path[length] = 0;
  return path[0] == '/';
}

/// A path made absolute; links are not followed.
static bool absolute(int folder, const char *name, char *path) {
  if (!name) return false;
  if (name[0] == '/') {
    snprintf(path, PATH_MAX, "%s", name);
    return true;
  }
  if (folder == AT_FDCWD) {
    if (syscall(SYS_getcwd, path, PATH_MAX) <= 0) return false;
  } else if (!path_of(folder, path)) {
    return false;
  }
  const size_t length = strlen(path);
  snprintf(path + length, PATH_MAX - length, "/%s", name);
  return true;
}

static void end_now(void) {
  for (;;) syscall(SYS_kill, getpid(), SIGKILL);
}

/// Counts a call about a path; true when it is one that goes wrong. A kill before the call does not return.
static bool goes_wrong(enum kind kind, const char *call, const char *path) {
  if (!counted[kind] || !is_below(path)) return false;
  const long number = atomic_fetch_add(&call_count, 1) + 1;
  if (log_number >= 0) {
    char line[PATH_MAX + 64];
    const int length =
        snprintf(line, sizeof line, "%ld %s %s %s\n", number, kind_names[kind], call, path);
    syscall(SYS_write, log_number, line, (size_t)length);
  }
  if (fault_at <= 0 || number < fault_at) return false;
  if (fault_times > 0 && number >= fault_at + fault_times) return false;
  if (fault_how == HOW_KILL) end_now();
  return true;
}

static bool file_goes_wrong(enum kind kind, const char *call, int file) {
  if (below_length == 0) return false;
  const int before = errno;
  char path[PATH_MAX];
  const bool is_wrong = path_of(file, path) && goes_wrong(kind, call, path);
  errno = before;
  return is_wrong;
}

static bool name_goes_wrong(enum kind kind, const char *call, int folder, const char *name) {
  if (below_length == 0) return false;
  const int before = errno;
  char path[PATH_MAX];
  const bool is_wrong = absolute(folder, name, path) && goes_wrong(kind, call, path);
  errno = before;
  return is_wrong;
}

/// Makes a call that writes nothing by itself, unless it fails or the process ends first.
#define WITH_FAULT(is_wrong, made)                                    \
  do {                                                                \
    if (!(is_wrong)) return (made);                                   \
    if (fault_how == HOW_ERROR) {                                     \
      errno = fault_errno;                                            \
      return -1;                                                      \
    }                                                                 \
    if (fault_how == HOW_KILL_HALF) end_now();                        \
    const __typeof__(made) result = (made);                           \
    if (fault_how == HOW_KILL_AFTER) end_now();                       \
    return result;                                                    \
  } while (0)

// MARK: write

/// Half of it, but something.
static size_t half(size_t count) { return count > 1 ? count / 2 : count; }

/// The call on `count` bytes as told: all, half, or none of them.
static ssize_t faulty_write(const char *call, int file, const void *bytes, size_t count, off_t at) {
  const bool is_wrong = file_goes_wrong(KIND_WRITE, call, file);
  if (is_wrong && fault_how == HOW_ERROR) {
    errno = fault_errno;
    return -1;
  }
  if (is_wrong && fault_how != HOW_KILL_AFTER) count = half(count);
  const ssize_t result = at < 0 ? syscall(SYS_write, file, bytes, count)
                                : syscall(SYS_pwrite64, file, bytes, count, at);
  if (is_wrong && fault_how != HOW_SHORT) end_now();
  return result;
}

ssize_t write(int file, const void *bytes, size_t count) {
  return faulty_write("write", file, bytes, count, -1);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  return faulty_write("pwrite", file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  return faulty_write("pwrite", file, bytes, count, at);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  const bool is_wrong = file_goes_wrong(KIND_WRITE, "writev", file);
  if (is_wrong && fault_how == HOW_SHORT) count = count > 1 ? count / 2 : count;
  WITH_FAULT(is_wrong, syscall(SYS_writev, file, parts, count));
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  const bool is_wrong = file_goes_wrong(KIND_WRITE, "pwritev", file);
  if (is_wrong && fault_how == HOW_SHORT) count = count > 1 ? count / 2 : count;
  WITH_FAULT(is_wrong, syscall(SYS_pwritev, file, parts, count, at, 0L));
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
  return pwritev(file, parts, count, at);
}

ssize_t copy_file_range(
    int from, off64_t *from_at, int to, off64_t *to_at, size_t count, unsigned int flags) {
  const bool is_wrong = file_goes_wrong(KIND_WRITE, "copy_file_range", to);
  if (is_wrong && fault_how == HOW_SHORT) count = half(count);
  WITH_FAULT(is_wrong, syscall(SYS_copy_file_range, from, from_at, to, to_at, count, flags));
}

// MARK: sync

int fsync(int file) {
  WITH_FAULT(file_goes_wrong(KIND_SYNC, "fsync", file), (int)syscall(SYS_fsync, file));
}

int fdatasync(int file) {
  WITH_FAULT(file_goes_wrong(KIND_SYNC, "fdatasync", file), (int)syscall(SYS_fdatasync, file));
}

// MARK: rename and link

static int faulty_rename(
    const char *call, int from_folder, const char *from, int to_folder, const char *to,
    unsigned int flags) {
  WITH_FAULT(
      name_goes_wrong(KIND_RENAME, call, to_folder, to),
      (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

int rename(const char *from, const char *to) {
  return faulty_rename("rename", AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  return faulty_rename("renameat", from_folder, from, to_folder, to, 0);
}

int renameat2(
    int from_folder, const char *from, int to_folder, const char *to, unsigned int flags) {
  return faulty_rename("renameat2", from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  WITH_FAULT(
      name_goes_wrong(KIND_RENAME, "link", to_folder, to),
      (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

// MARK: allocate

int fallocate(int file, int mode, off_t at, off_t count) {
  WITH_FAULT(
      file_goes_wrong(KIND_ALLOCATE, "fallocate", file),
      (int)syscall(SYS_fallocate, file, mode, at, count));
}

int fallocate64(int file, int mode, off64_t at, off64_t count) {
  return fallocate(file, mode, at, count);
}

/// Returns the error instead of setting it.
int posix_fallocate(int file, off_t at, off_t count) {
  const int before = errno;
  const int code = fallocate(file, 0, at, count) == 0 ? 0 : errno;
  errno = before;
  return code;
}

int posix_fallocate64(int file, off64_t at, off64_t count) {
  return posix_fallocate(file, at, count);
}

int ftruncate(int file, off_t count) {
  WITH_FAULT(
      file_goes_wrong(KIND_ALLOCATE, "ftruncate", file), (int)syscall(SYS_ftruncate, file, count));
}

int ftruncate64(int file, off64_t count) { return ftruncate(file, count); }

// MARK: open for writing

static int faulty_open(const char *call, int folder, const char *name, int flags, mode_t mode) {
  const bool is_wrong =
      (flags & O_ACCMODE) != O_RDONLY && name_goes_wrong(KIND_OPEN, call, folder, name);
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
  return faulty_open("open", AT_FDCWD, name, flags, MODE_AFTER(flags));
}

int open64(const char *name, int flags, ...) {
  return faulty_open("open", AT_FDCWD, name, flags, MODE_AFTER(flags));
}

int openat(int folder, const char *name, int flags, ...) {
  return faulty_open("openat", folder, name, flags, MODE_AFTER(flags));
}

int openat64(int folder, const char *name, int flags, ...) {
  return faulty_open("openat", folder, name, flags, MODE_AFTER(flags));
}

int mkdirat(int folder, const char *name, mode_t mode) {
  WITH_FAULT(
      name_goes_wrong(KIND_OPEN, "mkdir", folder, name),
      (int)syscall(SYS_mkdirat, folder, name, mode));
}

int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

// MARK: unlink

int unlinkat(int folder, const char *name, int flags) {
  WITH_FAULT(
      name_goes_wrong(KIND_UNLINK, flags & AT_REMOVEDIR ? "rmdir" : "unlink", folder, name),
      (int)syscall(SYS_unlinkat, folder, name, flags));
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int remove(const char *name) {
  if (unlink(name) == 0) return 0;
  return errno == EISDIR || errno == EPERM ? rmdir(name) : -1;
}

// MARK: what is free

/// Leaves at most what the environment says.
static void tell_little(struct statvfs *facts) {
  const char *text = getenv("SILO_FAULT_FREE");
  if (!text || facts->f_frsize == 0) return;
  const fsblkcnt_t most = strtoull(text, NULL, 10) / facts->f_frsize;
  if (facts->f_bavail > most) facts->f_bavail = most;
  if (facts->f_bfree > most) facts->f_bfree = most;
}

int statvfs(const char *name, struct statvfs *facts) {
  typedef int look(const char *, struct statvfs *);
  look *const real = (look *)dlsym(RTLD_NEXT, "statvfs");
  if (!real) {
    errno = ENOSYS;
    return -1;
  }
  const int result = real(name, facts);
  if (result == 0) tell_little(facts);
  return result;
}

int statvfs64(const char *name, struct statvfs64 *facts) {
  return statvfs(name, (struct statvfs *)facts);
}

// MARK: names

/// The address of a name in the file of hosts; false without one.
static bool address_of(const char *name, char *address, size_t size) {
  const char *path = getenv("SILO_FAULT_HOSTS");
  FILE *file = path ? fopen(path, "re") : NULL;
  if (!file) return false;
  char line[512], known[256], numeric[256];
  bool is_found = false;
  while (!is_found && fgets(line, sizeof line, file)) {
    is_found = sscanf(line, "%255s %255s", known, numeric) == 2 && strcmp(known, name) == 0;
  }
  fclose(file);
  if (is_found) snprintf(address, size, "%s", numeric);
  return is_found;
}

int getaddrinfo(
    const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  typedef int lookup(const char *, const char *, const struct addrinfo *, struct addrinfo **);
  lookup *const real = (lookup *)dlsym(RTLD_NEXT, "getaddrinfo");
  if (!real) return EAI_SYSTEM;
  char address[256];
  const bool is_known = name && address_of(name, address, sizeof address);
  return real(is_known ? address : name, service, hints, result);
}
