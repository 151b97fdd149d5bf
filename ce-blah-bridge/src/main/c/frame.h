/*
 * Messages between the privileged process and its workers.
 *
 * Trust boundary: the worker side belongs to an account and may lie. Invariant: a frame longer than FRAME_MAX is an error of
 * the peer; nothing is taken from a frame before it is whole.
 */
#ifndef GELATO_FRAME_H
#define GELATO_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "buf.h"

#define FRAME_MAX (24u * 1024 * 1024)

/* What a worker says of itself with each frame: commands started since the last one, and streams that are open. */
#define FRAME_EXECS_MAX 0xffffffu
#define FRAME_STREAMS_MAX 0xffu
#define FRAME_NEWS(execs, streams) ((uint32_t)(execs) | (uint32_t)(streams) << 24)
#define FRAME_EXECS(what) ((what) & FRAME_EXECS_MAX)
#define FRAME_STREAMS(what) ((what) >> 24)

/* A worker's number for a stream, by which its requests are sent to it and to no other; within what a request can say. */
#define STREAM_NUMBER(random, pid) ((uint64_t)(random) >> 30 << 22 | (uint64_t)(pid))
#define STREAM_PID(number) ((pid_t)((number) & 0x3fffff)) /* no system has larger ones */

/* To a worker, in place of a verb: is its account as it was? */
#define FRAME_CHECK 0u
/* What it says then, the one byte of a frame with number 0 */
#define CHECK_SAME '='
#define CHECK_CHANGED '!'

struct frame_head {
    uint32_t len; /* of the body that follows */
    uint32_t what; /* to a worker: the verb; from it: FRAME_NEWS */
    uint64_t seq; /* the request; 0 in the first frame of a worker that is ready, and in one about its account */
};

void frame_add(struct buf *out, uint32_t what, uint64_t seq, const void *body, size_t len);

/* 1 with a whole frame at *body (consume sizeof *head + head->len after use), 0 for more to read, -1 for a bad peer. */
int frame_next(const struct buf *in, struct frame_head *head, char **body);

/* Reads what is there, at most 256 KiB: 1 something, 0 nothing now, -1 the peer is gone. */
int fd_read(int fd, struct buf *in);

/* Writes what goes: 0, or -1 when the peer is gone. */
int fd_write(int fd, struct buf *out);

#endif
