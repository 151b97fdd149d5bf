/*
 * Resource limits of the helper's processes and of what they start.
 *
 * Trust boundary: an account can raise what it lowered itself up to the hard limit, so what must hold for commands is set
 * hard. Invariant: a limit is lowered, never raised above what the helper was started with.
 */
#ifndef GELATO_RLIMITS_H
#define GELATO_RLIMITS_H

#include "config.h"

/* No core file of a process that holds proxies, and the usual soft limit of descriptors; called first thing. */
void limits_helper(void);

/* Makes the kernel end this process and what it starts before the CE, when the host has no memory left. Before account_become,
 * after which the file is root's. */
void limits_oom(void);

/* A worker's own memory and descriptors; commands get back what the helper had. */
void limits_worker(const struct config *c);

/* In a forked child, before it becomes a program: 0, or errno of what could not be set. */
int limits_command(const struct config *c);

#endif
