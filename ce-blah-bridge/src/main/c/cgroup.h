/*
 * Control groups of jobs (cgroup v2): one of each account, and below it one of each job.
 *
 * Trust boundary: the group of an account is root's with its limits; the account may make a bounded number of groups below it and
 * move its own processes among them, and cannot leave it. A worker that it moves is killed. Invariant: where the directory of the configuration is not there or takes nothing,
 * jobs run as without it.
 */
#ifndef GELATO_CGROUP_H
#define GELATO_CGROUP_H

#include <stdbool.h>
#include <sys/types.h>

#include "account.h"

/* At the start, as root: passes the controllers on, and removes what is empty. */
void cgroup_prepare(const struct config *c);

/* In a forked worker that is still root: enters the account's group, which later calls of this process mean. */
void cgroup_enter(const struct config *c, const struct account *a);

/*
 * Whether a worker that entered is in a group of root's still: in one of its account's own it could be frozen, and never answer.
 */
bool cgroup_keeps(const struct config *c, const struct account *a, pid_t pid);

/* A descriptor by which a process enters a new group of its own when it writes "0" to it; -1 where there are no groups. */
int cgroup_of_job(void);

#endif
