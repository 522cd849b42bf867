// What glibc hides without _GNU_SOURCE, which Swift's Glibc module does not set: declared here as glibc has it.
#ifndef SILO_CLINUX_SHIM_H
#define SILO_CLINUX_SHIM_H

#include <pthread.h>
#include <stdint.h>

int fallocate(int fd, int mode, long offset, long length);
int sync_file_range(int fd, long offset, long length, unsigned int flags);
int pthread_setname_np(unsigned long thread, const char *name);
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
int open(const char *path, int flags, ...);
int eventfd(unsigned int count, int flags);

static inline int silo_fallocate(int fd, int mode, int64_t offset, int64_t length) {
  return fallocate(fd, mode, (long)offset, (long)length);
}

static inline int silo_start_writing(int fd, int64_t offset, int64_t length) {
  return sync_file_range(fd, (long)offset, (long)length, 2 /* SYNC_FILE_RANGE_WRITE */);
}

static inline int silo_rename_new(const char *from, const char *to) {
  return renameat2(-100 /* AT_FDCWD */, from, -100, to, 1 /* RENAME_NOREPLACE */);
}

static inline void silo_name_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}

static inline int silo_event(void) {
  return eventfd(0, 02000000 /* EFD_CLOEXEC */ | 04000 /* EFD_NONBLOCK */);
}

// A file in a folder that never has a name: it is gone with its descriptor, whatever ends the process.
static inline int silo_open_nameless(const char *folder) {
#if defined(__aarch64__) || defined(__arm__)
  const int o_directory = 040000;
#else
  const int o_directory = 0200000;
#endif
  return open(folder, 020000000 /* O_TMPFILE without it */ | o_directory | 1 /* O_WRONLY */ | 02000000 /* O_CLOEXEC */, 0600);
}

static const int silo_falloc_keep_size = 1;
static const int silo_falloc_punch_hole = 2;

#endif
