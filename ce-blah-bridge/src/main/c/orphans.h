/*
 * What a worker that was killed has left behind.
 */
#ifndef GELATO_ORPHANS_H
#define GELATO_ORPHANS_H

#include <sys/types.h>

/*
 * Kills every process of a session. To be called as the account, while the session's dead leader is not reaped, so that its
 * number can mean no other session. Programs that made a session of their own (spawned jobs among them) are not in it.
 */
void orphans_kill(pid_t session);

#endif
