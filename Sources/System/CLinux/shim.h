#pragma once
#include <linux/falloc.h>
#include <malloc.h>
#include <sched.h>
#include <sys/types.h>

// Glibc's module is built without _GNU_SOURCE and so does not lend these calls to Swift; malloc.h is not in it at all
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
extern int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *processors);
