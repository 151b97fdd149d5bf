/*
 * A worker: does one account's requests, as that account.
 *
 * Trust boundary: it has no more rights than the account; requests come checked from the privileged process, results go back
 * as frames. Invariant: the event loop never waits for a command, a slow reader or a large tree.
 */
#ifndef GELATO_WORKER_H
#define GELATO_WORKER_H

#include "account.h"

/* Serves until the parent hangs up, then kills what runs and exits. */
void worker_main(const struct config *c, const struct account *a, int parent) __attribute__((noreturn));

#endif
