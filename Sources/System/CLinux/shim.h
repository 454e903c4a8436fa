#pragma once
#include <linux/falloc.h>
#include <malloc.h>
#include <sched.h>
#include <spawn.h>
#include <sys/types.h>

// Glibc's module is built without _GNU_SOURCE and so does not lend these calls to Swift; malloc.h is not in it at all
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
extern int sync_file_range(int descriptor, off_t offset, off_t length, unsigned int flags);
extern int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *processors);
extern int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
extern ssize_t copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t count, unsigned int flags);

// linux/fs.h has these too, and much that does not go together with sys/mount.h
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE 2
#endif

// linux/fs.h has it as well
#ifndef SYNC_FILE_RANGE_WRITE
#define SYNC_FILE_RANGE_WRITE 2
#endif

// linux/fcntl.h has it, and much that does not go together with fcntl.h
#ifndef F_SETPIPE_SZ
#define F_SETPIPE_SZ 1031
#endif
