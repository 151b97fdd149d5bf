/*
 * Paths below the sandbox root.
 *
 * Trust boundary: paths come from the JVM side, the tree belongs to hostile accounts. Invariant: nothing is opened outside
 * the root, and no symbolic link is followed, whatever is swapped meanwhile.
 */
#ifndef GELATO_PATH_H
#define GELATO_PATH_H

#include <stdbool.h>
#include <sys/types.h>

#include "config.h"

/* The part of an absolute path below the root ("" for the root itself), or NULL when it is not a plain path below it. */
const char *path_below(const struct config *c, const char *path);

/* Descriptor of the root, opened at first use and kept; -1 with errno. */
int path_root(const struct config *c);

/* After a fork: the descriptor was the parent's. */
void path_forget(void);

/* Opens a relative path as of path_below; -1 with errno. ELOOP for a link in the way. */
int path_open(const struct config *c, const char *rel, int flags, mode_t mode);

/* Opens a directory, making it and its parents 0700 where absent; -1 with errno. */
int path_make(const struct config *c, const char *rel);

/*
 * Opens the directory a path lies in and points *name at its last part; with `make`, makes the directory. -1 with errno.
 */
int path_parent(const struct config *c, const char *rel, bool make, const char **name);

#endif
