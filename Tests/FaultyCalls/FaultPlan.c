// Calls of the system that fail when they are told to: loaded before libc by LD_PRELOAD into the program under test.
//
// Calls that change something below one folder are counted, over all threads, and the n-th goes wrong. Sockets, pipes and
// files elsewhere are left alone. The environment says what happens:
//
//   SILO_FAULT_BELOW   the folder, an absolute path without links; without it nothing is counted
//   SILO_FAULT_CALLS   what is counted: write,sync,rename,allocate,open,folder,unlink (all)
//   SILO_FAULT_BY      whose calls are counted: program,database (both); the database's are those that come from SQLite's library
//   SILO_FAULT_AT      the number of the first call that goes wrong, from 1 (none)
//   SILO_FAULT_TIMES   how many go wrong from there on, 0 for all (1)
//   SILO_FAULT_HOW     a number of errno, or: short (half is written), kill (before the call), kill-half (after half of a
//                      write), kill-after
//   SILO_FAULT_LOG     a file that gets a line for every call that is counted: its number, its kind, whose it is, its name, the path
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "FaultPlan.h"

static const char *const kind_names[KIND_COUNT] = {"write", "sync",   "rename", "allocate",
                                                   "open",  "folder", "unlink"};
enum caller { CALLER_PROGRAM, CALLER_DATABASE, CALLER_COUNT };
static const char *const caller_names[CALLER_COUNT] = {"program", "database"};

static char below[PATH_MAX];
static size_t below_length;
static bool counted[KIND_COUNT];
static bool counted_by[CALLER_COUNT];
static bool has_sanitizer;
static long fault_at, fault_times = 1;
static int log_number = -1;
static atomic_long call_count;

enum how fault_how = HOW_ERROR;
int fault_errno = EIO;

__attribute__((constructor)) static void begin(void) {
  // Not for what the program starts, as the one that finds the names for a sanitizer's report.
  unsetenv("LD_PRELOAD");
  const char *folder = getenv("SILO_FAULT_BELOW");
  if (!folder || folder[0] != '/' || strlen(folder) >= sizeof below) return;
  has_sanitizer = dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init");
  const char *calls = getenv("SILO_FAULT_CALLS");
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    counted[kind] = !calls || strstr(calls, kind_names[kind]) != NULL;
  }
  const char *callers = getenv("SILO_FAULT_BY");
  for (int caller = 0; caller < CALLER_COUNT; caller++) {
    counted_by[caller] = !callers || strstr(callers, caller_names[caller]) != NULL;
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

void end_now(void) {
  for (;;) syscall(SYS_kill, getpid(), SIGKILL);
}

static bool is_of_database(const void *place) {
  Dl_info facts;
  return dladdr(place, &facts) != 0 && facts.dli_fname && strstr(facts.dli_fname, "libsqlite3");
}

/// Whose a call is that comes from an address.
static enum caller caller_at(const void *from) {
  if (is_of_database(from)) return CALLER_DATABASE;
  // The functions of a sanitizer stand between the caller and this library, in the program itself.
  void *frames[8];
  const int count = has_sanitizer ? backtrace(frames, 8) : 0;
  for (int frame = 0; frame < count; frame++) {
    if (is_of_database(frames[frame])) return CALLER_DATABASE;
  }
  return CALLER_PROGRAM;
}

/// Counts a call about a path; true when it is one that goes wrong. A kill before the call does not return.
static bool goes_wrong(enum kind kind, const char *call, const void *from, const char *path) {
  if (!counted[kind] || !is_below(path)) return false;
  const enum caller caller = caller_at(from);
  if (!counted_by[caller]) return false;
  const long number = atomic_fetch_add(&call_count, 1) + 1;
  if (log_number >= 0) {
    char line[PATH_MAX + 64];
    const int length = snprintf(
        line, sizeof line, "%ld %s %s %s %s\n", number, kind_names[kind], caller_names[caller],
        call, path);
    syscall(SYS_write, log_number, line, (size_t)length);
  }
  if (fault_at <= 0 || number < fault_at) return false;
  if (fault_times > 0 && number >= fault_at + fault_times) return false;
  if (fault_how == HOW_KILL) end_now();
  return true;
}

bool file_goes_wrong(enum kind kind, const char *call, const void *from, int file) {
  if (below_length == 0) return false;
  const int before = errno;
  char path[PATH_MAX];
  const bool is_wrong = path_of(file, path) && goes_wrong(kind, call, from, path);
  errno = before;
  return is_wrong;
}

bool name_goes_wrong(
    enum kind kind, const char *call, const void *from, int folder, const char *name) {
  if (below_length == 0) return false;
  const int before = errno;
  char path[PATH_MAX];
  const bool is_wrong = absolute(folder, name, path) && goes_wrong(kind, call, from, path);
  errno = before;
  return is_wrong;
}
