/*
 * Unix sockets of daemons.
 *
 * Trust boundary: runs as the account, in the directory that the configuration gives it.
 */
#ifndef GELATO_SOCKETS_H
#define GELATO_SOCKETS_H

/* A connection that does not wait, or -1 with errno; the path fits a socket's address. */
int sockets_connect(const char *path);

/* Removes the sockets of workers that were killed: their names end with a dot and the worker's number. */
void sockets_remove_stale(const char *directory);

#endif
