// The calls that write, sync and allocate.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "FaultPlan.h"

// MARK: write

/// Half of it, but something; whole blocks where it has some, as a disk writes.
static size_t half(size_t count) {
  const size_t block = 4096, part = count / 2;
  return part >= block ? part - part % block : count > 1 ? part : count;
}

/// The call on `count` bytes as told: all, half, or none of them.
static ssize_t faulty_write(
    const char *call, const void *from, int file, const void *bytes, size_t count, off_t at) {
  const bool is_wrong = file_goes_wrong(KIND_WRITE, call, from, file);
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
  return faulty_write("write", FROM, file, bytes, count, -1);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  return faulty_write("pwrite", FROM, file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  return faulty_write("pwrite", FROM, file, bytes, count, at);
}

/// Leaves half of the bytes of all parts; returns how many parts that are.
static int halve(struct iovec *parts, int count) {
  size_t whole = 0;
  for (int part = 0; part < count; part++) whole += parts[part].iov_len;
  size_t left = half(whole);
  for (int part = 0; part < count; part++) {
    if (parts[part].iov_len >= left) {
      parts[part].iov_len = left;
      return part + 1;
    }
    left -= parts[part].iov_len;
  }
  return count;
}

static ssize_t faulty_writev(
    const char *call, const void *from, int file, const struct iovec *parts, int count, off_t at) {
  const bool is_wrong = file_goes_wrong(KIND_WRITE, call, from, file);
  if (is_wrong && fault_how == HOW_ERROR) {
    errno = fault_errno;
    return -1;
  }
  struct iovec fewer[IOV_MAX];
  if (is_wrong && fault_how != HOW_KILL_AFTER && count > 0 && count <= IOV_MAX) {
    memcpy(fewer, parts, sizeof *parts * (size_t)count);
    count = halve(fewer, count);
    parts = fewer;
  }
  const ssize_t result = at < 0 ? syscall(SYS_writev, file, parts, count)
                                : syscall(SYS_pwritev, file, parts, count, at, 0L);
  if (is_wrong && fault_how != HOW_SHORT) end_now();
  return result;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  return faulty_writev("writev", FROM, file, parts, count, -1);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  return faulty_writev("pwritev", FROM, file, parts, count, at);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
  return faulty_writev("pwritev", FROM, file, parts, count, at);
}

ssize_t copy_file_range(
    int from, off64_t *from_at, int to, off64_t *to_at, size_t count, unsigned int flags) {
  const bool is_wrong = file_goes_wrong(KIND_WRITE, "copy_file_range", FROM, to);
  if (is_wrong && fault_how == HOW_SHORT) count = half(count);
  WITH_FAULT(is_wrong, syscall(SYS_copy_file_range, from, from_at, to, to_at, count, flags));
}

// MARK: sync

int fsync(int file) {
  WITH_FAULT(file_goes_wrong(KIND_SYNC, "fsync", FROM, file), (int)syscall(SYS_fsync, file));
}

int fdatasync(int file) {
  WITH_FAULT(file_goes_wrong(KIND_SYNC, "fdatasync", FROM, file), (int)syscall(SYS_fdatasync, file));
}

// MARK: allocate

static int faulty_allocate(const void *from, int file, int mode, off_t at, off_t count) {
  WITH_FAULT(
      file_goes_wrong(KIND_ALLOCATE, "fallocate", from, file),
      (int)syscall(SYS_fallocate, file, mode, at, count));
}

int fallocate(int file, int mode, off_t at, off_t count) {
  return faulty_allocate(FROM, file, mode, at, count);
}

int fallocate64(int file, int mode, off64_t at, off64_t count) {
  return faulty_allocate(FROM, file, mode, at, count);
}

/// Returns the error instead of setting it.
static int allocate_telling(const void *from, int file, off_t at, off_t count) {
  const int before = errno;
  const int code = faulty_allocate(from, file, 0, at, count) == 0 ? 0 : errno;
  errno = before;
  return code;
}

int posix_fallocate(int file, off_t at, off_t count) {
  return allocate_telling(FROM, file, at, count);
}

int posix_fallocate64(int file, off64_t at, off64_t count) {
  return allocate_telling(FROM, file, at, count);
}

static int faulty_truncate(const void *from, int file, off_t count) {
  WITH_FAULT(
      file_goes_wrong(KIND_ALLOCATE, "ftruncate", from, file),
      (int)syscall(SYS_ftruncate, file, count));
}

int ftruncate(int file, off_t count) { return faulty_truncate(FROM, file, count); }

int ftruncate64(int file, off64_t count) { return faulty_truncate(FROM, file, count); }
