// curl_easy_setopt and its kin are variadic, which Swift does not import: one typed wrapper each.
#ifndef SILO_CCURL_SHIM_H
#define SILO_CCURL_SHIM_H

#include <curl/curl.h>

#endif
