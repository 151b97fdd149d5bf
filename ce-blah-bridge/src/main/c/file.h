/*
 * Files that are written whole.
 *
 * Trust boundary: runs as the account, on a tree the account may change meanwhile. Invariant: a file that was put is whole or
 * absent.
 */
#ifndef GELATO_FILE_H
#define GELATO_FILE_H

#include "config.h"

/* A name that file_put gives a file until it is whole begins so. */
#define FILE_TEMPORARY ".gelato-tmp."

/* Writes a file below the root under its name, with its directories; -1 with errno. */
int file_put(const struct config *c, const char *path, unsigned mode, const char *bytes, size_t len, bool durable);

/* Writes all; -1 with errno. The file must be closed by close_written. */
int write_whole(int fd, const char *bytes, size_t len);

/*
 * Closes a file that was written, when durable after it is on the disk; -1 with errno when that fails, or for what failed before. NFS
 * takes what is written and says when the file is closed that a quota is full.
 */
int close_written(int fd, int failed, bool durable);

#endif
