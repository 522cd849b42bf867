// What the calls of this library share: whether one goes wrong, and how.
#ifndef FAULT_PLAN_H
#define FAULT_PLAN_H

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

#define HIDDEN __attribute__((visibility("hidden")))

enum kind {
  KIND_WRITE,
  KIND_SYNC,
  KIND_RENAME,
  KIND_ALLOCATE,
  KIND_OPEN,
  KIND_FOLDER,
  KIND_UNLINK,
  KIND_COUNT
};

enum how { HOW_ERROR, HOW_SHORT, HOW_KILL, HOW_KILL_HALF, HOW_KILL_AFTER };

/// How the calls go wrong that do.
extern enum how fault_how HIDDEN;
/// With which error.
extern int fault_errno HIDDEN;

/// Ends the process as a crash does.
void end_now(void) HIDDEN;
/// Counts a call about an open file; true when it is one that goes wrong. A kill before the call does not return.
bool file_goes_wrong(enum kind kind, const char *call, const void *from, int file) HIDDEN;
/// The same about a name in a folder.
bool name_goes_wrong(
    enum kind kind, const char *call, const void *from, int folder, const char *name) HIDDEN;

/// Where a call of the system comes from: for the functions that the program sees only.
#define FROM __builtin_return_address(0)

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

#endif
