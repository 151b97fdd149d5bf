/*
 * What a worker holds: requests it has taken, what they have begun, and what goes back.
 *
 * Trust boundary: requests come checked from the privileged process; their arguments end with NUL and lie in one piece of memory.
 */
#ifndef GELATO_WORK_H
#define GELATO_WORK_H

#include "config.h"
#include "frame.h"
#include "request.h"

struct request {
    struct request *next;
    uint64_t seq;
    enum verb verb;
    int argc;
    char **args; /* into bytes */
    char *bytes;
    size_t len;
};

struct command;
struct removal;
struct service;

struct work {
    const struct config *config;
    const struct account *account;
    int parent;
    int signals; /* signalfd of SIGCHLD */
    struct buf in, out;
    uint32_t execs; /* since the last frame */
    struct request *queue, **queue_end; /* commands waiting for a free place */
    size_t queued; /* bytes of them, and of requests to daemons */
    struct command *commands;
    size_t running;
    struct removal *removals, **removals_end; /* take turns */
    struct removal *waiting, **waiting_end;   /* for one of these to end */
    size_t removing;                          /* how many take turns */
    struct service *services;
};

/* A request from the body of its frame; give it back with request_free. */
struct request *request_take(const struct frame_head *head, const char *body);
void request_free(struct request *r);

#endif
