// Answers of the system that are as they are told to be: what is free, and where names lead. The environment says:
//
//   SILO_FAULT_FREE    how many bytes every file system has left at most, as far as it is asked
//   SILO_FAULT_HOSTS   a file with a name and a numeric address in every line: what the names resolve to, read again each time
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

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
