// What Swift cannot see of SQLite.
#ifndef SILO_CSQLITE_SHIM_H
#define SILO_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
