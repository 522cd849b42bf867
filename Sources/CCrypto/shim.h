// What Swift cannot see of libcrypto.
#ifndef SILO_CCRYPTO_SHIM_H
#define SILO_CCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/err.h>

#endif
