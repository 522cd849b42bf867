// curl_easy_setopt and its kin are variadic, which Swift does not import: one typed wrapper each. The parentheses keep
// curl's type-checking macros out, which want the option as a constant.
#ifndef SILO_CCURL_SHIM_H
#define SILO_CCURL_SHIM_H

#include <curl/curl.h>

typedef size_t (*silo_body_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*silo_sent_callback)(
    void *context, char *remote, char *local, int remote_port, int local_port);

static inline CURLcode silo_easy_set_long(CURL *easy, CURLoption option, long value) {
  return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode silo_easy_set_text(CURL *easy, CURLoption option, const char *value) {
  return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode silo_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode silo_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode silo_easy_set_body_callback(
    CURL *easy, CURLoption option, silo_body_callback value) {
  return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode silo_easy_set_sent_callback(CURL *easy, silo_sent_callback value) {
  return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode silo_easy_get_text(CURL *easy, CURLINFO option, const char **value) {
  return (curl_easy_getinfo)(easy, option, value);
}

static inline CURLMcode silo_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return (curl_multi_setopt)(multi, option, value);
}

static inline CURLcode silo_message_result(const CURLMsg *message) { return message->data.result; }

static const size_t silo_write_pause = CURL_WRITEFUNC_PAUSE;
static const long silo_http_2_over_tls = CURL_HTTP_VERSION_2TLS;
static const long silo_http_1_1 = CURL_HTTP_VERSION_1_1;

#endif
