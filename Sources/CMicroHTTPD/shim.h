// What Swift cannot see of libmicrohttpd.
#ifndef SILO_CMICROHTTPD_SHIM_H
#define SILO_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stddef.h>
#include <string.h>

// The escapes of a path are decoded by the program, which must see %00 and %2F as what they are.
static inline size_t silo_mhd_keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls;
  (void)connection;
  return strlen(text);
}

// MHD_start_daemon is variadic, which Swift does not import.
static inline struct MHD_Daemon *silo_mhd_start(
    unsigned int flags, int listening_socket, MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, void *cls, unsigned int threads,
    unsigned int connections, unsigned int idle_seconds, size_t connection_bytes) {
  return MHD_start_daemon(
      flags, 0, NULL, NULL, handler, cls,
      MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listening_socket,
      MHD_OPTION_NOTIFY_COMPLETED, completed, cls,
      MHD_OPTION_UNESCAPE_CALLBACK, &silo_mhd_keep_escapes, NULL,
      MHD_OPTION_THREAD_POOL_SIZE, threads,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_bytes,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_END);
}

// Negative constants with casts, which Swift does not import.
static const ssize_t silo_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t silo_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

#endif
