// What Swift cannot see of libmicrohttpd.
#ifndef SILO_CMICROHTTPD_SHIM_H
#define SILO_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

#endif
