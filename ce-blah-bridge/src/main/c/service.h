/*
 * The verb HTTP: requests to a daemon of the account that speaks HTTP on a Unix socket, started on demand.
 *
 * Trust boundary: program, arguments and environment are the configuration's; daemon, socket and answers are the account's and
 * only carried. Invariants: every request taken is answered once, at the latest five seconds after its deadline; that nothing
 * was done is reported only of a request of which the daemon got no byte; one whose fate is unknown can have no further
 * effect when that is reported; a daemon never outlives its worker.
 */
#ifndef GELATO_SERVICE_H
#define GELATO_SERVICE_H

#include <poll.h>

#include "work.h"

/* Begins the request; the caller keeps it. */
void service_request(struct work *w, const struct request *r);

size_t service_poll_count(const struct work *w);
size_t service_poll(struct work *w, struct pollfd *fds);
void service_events(struct work *w, const struct pollfd *fds, size_t n);

/* Starts daemons and sends what waits; ends what is over its time; milliseconds until it wants to be called again, or -1. */
int64_t service_tick(struct work *w);

/* Whether the process is a daemon of ours. */
bool service_is(const struct work *w, pid_t pid);
/* It was reaped. */
void service_ended(struct work *w, pid_t pid, int status);

/* Kills all daemons and removes their sockets. */
void service_kill_all(struct work *w);

#endif
