/*
 * The workers: one forked process per account, made on demand, retired when idle, replaced when dead.
 *
 * Trust boundary: a worker's answers count only for its own requests, and only as one line of plain text.
 * Invariant: every accepted request gets exactly one result, whatever becomes of its worker.
 */
#ifndef GELATO_POOL_H
#define GELATO_POOL_H

#include <poll.h>

#include "account.h"
#include "frame.h"
#include "request.h"

#define ID_MAX 20

struct worker {
    struct account account;
    pid_t pid;
    int fd;
    bool ready;
    struct buf in, out;
    struct buf held;  /* requests that wait for what the worker says of its account */
    int64_t checked;  /* when it was last known that the account is as it was */
    bool checking;    /* the worker was asked */
    bool stale;       /* and said no: another takes its place */
    bool retired;     /* another has: it ends what it began */
    int64_t end_by;   /* of one that is retired */
    size_t pending;
    uint32_t streams;       /* open, as the worker says */
    int64_t streams_until; /* when none can be, whatever it says */
    int64_t last_used;
    struct worker *next;
};

struct pending {
    char id[ID_MAX];
    struct worker *worker; /* NULL: this slot is free */
    uint32_t generation;
    size_t next_free;
};

struct pool {
    const struct config *config;
    struct worker *first;
    size_t workers;
    struct pending *slot;
    size_t slots, free_slot;
    size_t accepted; /* waiting for their result */
    size_t queued_bytes;
    uint64_t forks, execs, lost; /* since the start */
    struct buf *results;         /* where result lines go */
    size_t result_count;
    pid_t *gone; /* workers let go and not yet reaped: until then their process ids are theirs */
    size_t gone_count;
    int64_t next_look; /* at workers that may have been stopped */
    struct buf *wipe[3]; /* buffers of the channel that a worker must not keep */
};

void pool_init(struct pool *p, const struct config *c, struct buf *results);

/* The worker of an account, forked when there is none. NULL with *why; *busy when another try may help. */
struct worker *pool_worker(struct pool *p, const char *account, bool *busy, const char **why);

/* Hands a request over; args are those after id and account. */
void pool_send(struct pool *p, struct worker *w, const char *id, const struct rule *r, int argc, char **args);

/* Adds a result line for a request that no worker has. */
void pool_result(struct pool *p, const char *id, enum result code, const char *text);

/* Adds this pool's descriptors; reads from workers only when `reading`. Returns how many. */
size_t pool_poll(struct pool *p, struct pollfd *fds, struct worker **owners, bool reading);
void pool_event(struct pool *p, struct worker *w, short revents);

/* Retires idle workers and reaps dead ones; returns milliseconds until it wants to be called again, or -1. */
int pool_tick(struct pool *p);

/* Ends all workers. */
void pool_end(struct pool *p);

#endif
