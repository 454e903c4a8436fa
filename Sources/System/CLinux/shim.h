#pragma once
#include <linux/falloc.h>
#include <malloc.h>
#include <sys/types.h>

// Glibc's module is built without _GNU_SOURCE and so does not lend this call to Swift; malloc.h is not in it at all
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
