// Nothing is called from outside: the library is put before libc with LD_PRELOAD, see FaultPlan.c.
