/*
 * Paths that root relies on.
 *
 * Trust boundary: a path of the configuration may lie in directories of other accounts, who could lead root elsewhere at any time.
 */
#ifndef GELATO_TRUSTED_H
#define GELATO_TRUSTED_H

/*
 * NULL when root alone decides what an absolute path means: the directories on the way, the links among them, and what it names
 * belong to root and are writable by nobody else. Of a directory on the way that all may write to, the sticky bit is enough, as in
 * /tmp. What is not there yet is fine. Otherwise what is wrong, with the part of the path that is.
 */
const char *trusted_path(const char *path);

/* The same of what root does not make itself: where it is not there, nobody else may be able to make it. */
const char *trusted_file(const char *path);

#endif
