// What Swift cannot see of libmicrohttpd.
#ifndef SILO_CMICROHTTPD_SHIM_H
#define SILO_CMICROHTTPD_SHIM_H

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <microhttpd.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

// The escapes of a path are decoded by the program, which must see %00 and %2F as what they are.
static inline size_t silo_mhd_keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls;
  (void)connection;
  return strlen(text);
}

// MHD_start_daemon is variadic, which Swift does not import. Without a certificate it speaks no TLS.
static inline struct MHD_Daemon *silo_mhd_start(
    unsigned int flags, int listening_socket, MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connection, void *cls,
    unsigned int threads, unsigned int connections, unsigned int idle_seconds,
    size_t connection_bytes, const char *certificate, const char *key) {
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-TLS1.0:-VERS-TLS1.1"},
      {MHD_OPTION_END, 0, NULL}};
  struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
  if (certificate) flags |= MHD_USE_TLS;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, handler, cls,
      MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listening_socket,
      MHD_OPTION_NOTIFY_COMPLETED, completed, cls,
      MHD_OPTION_NOTIFY_CONNECTION, connection, cls,
      MHD_OPTION_UNESCAPE_CALLBACK, &silo_mhd_keep_escapes, NULL,
      MHD_OPTION_THREAD_POOL_SIZE, threads,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_bytes,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_ARRAY, certificate ? tls : none,
      MHD_OPTION_END);
}

// Variadic, too. -1 when the connection has no socket.
static inline int silo_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// The certificate of a daemon cannot be changed, that of one connection can, until its handshake begins. NULL when the two do not
// belong together.
static inline gnutls_certificate_credentials_t silo_tls_credentials(
    const char *certificate, const char *key) {
  gnutls_datum_t chain = {(unsigned char *)certificate, (unsigned int)strlen(certificate)};
  gnutls_datum_t secret = {(unsigned char *)key, (unsigned int)strlen(key)};
  gnutls_certificate_credentials_t both;
  if (gnutls_certificate_allocate_credentials(&both) < 0) return NULL;
  if (gnutls_certificate_set_x509_key_mem(both, &chain, &secret, GNUTLS_X509_FMT_PEM) >= 0)
    return both;
  gnutls_certificate_free_credentials(both);
  return NULL;
}

// Variadic, too. 0 when the connection speaks no TLS.
static inline int silo_tls_use(
    struct MHD_Connection *connection, gnutls_certificate_credentials_t credentials) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (!info || !info->tls_session) return 0;
  return gnutls_credentials_set(
             (gnutls_session_t)info->tls_session, GNUTLS_CRD_CERTIFICATE, credentials) >= 0;
}

// What a look at a certificate and its key says, before a daemon is given them.
enum silo_tls_fault {
  silo_tls_good = 0,
  silo_tls_no_certificate,
  silo_tls_no_key,
  silo_tls_key_encrypted,
  silo_tls_other_key,
  silo_tls_too_old,
  silo_tls_too_new
};

static inline gnutls_datum_t silo_tls_bytes(const char *text) {
  gnutls_datum_t bytes = {(unsigned char *)text, (unsigned int)strlen(text)};
  return bytes;
}

static inline int silo_tls_key_fault(const char *key) {
  gnutls_datum_t bytes = silo_tls_bytes(key);
  gnutls_x509_privkey_t read;
  if (gnutls_x509_privkey_init(&read) < 0) return silo_tls_no_key;
  int code = gnutls_x509_privkey_import2(read, &bytes, GNUTLS_X509_FMT_PEM, NULL, 0);
  gnutls_x509_privkey_deinit(read);
  if (code == GNUTLS_E_DECRYPTION_FAILED) return silo_tls_key_encrypted;
  return code < 0 ? silo_tls_no_key : silo_tls_good;
}

static inline int silo_tls_fault_of(const char *certificate, const char *key, time_t now) {
  gnutls_datum_t bytes = silo_tls_bytes(certificate), key_bytes = silo_tls_bytes(key);
  gnutls_x509_crt_t *list = NULL;
  unsigned int count = 0;
  if (gnutls_x509_crt_list_import2(&list, &count, &bytes, GNUTLS_X509_FMT_PEM, 0) < 0 || !count)
    return silo_tls_no_certificate;
  time_t first = gnutls_x509_crt_get_activation_time(list[0]);
  time_t last = gnutls_x509_crt_get_expiration_time(list[0]);
  for (unsigned int index = 0; index < count; index++) gnutls_x509_crt_deinit(list[index]);
  gnutls_free(list);
  int fault = silo_tls_key_fault(key);
  if (fault != silo_tls_good) return fault;
  gnutls_certificate_credentials_t both;
  if (gnutls_certificate_allocate_credentials(&both) < 0) return silo_tls_no_certificate;
  int code = gnutls_certificate_set_x509_key_mem(both, &bytes, &key_bytes, GNUTLS_X509_FMT_PEM);
  gnutls_certificate_free_credentials(both);
  if (code < 0) return silo_tls_other_key;
  if (last != (time_t)-1 && last < now) return silo_tls_too_old;
  return first != (time_t)-1 && first > now ? silo_tls_too_new : silo_tls_good;
}

// Negative constants with casts, which Swift does not import.
static const ssize_t silo_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t silo_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

#endif
