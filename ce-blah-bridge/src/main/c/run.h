/*
 * The verbs RUN and STREAM: commands that are started, followed and ended.
 */
#ifndef GELATO_RUN_H
#define GELATO_RUN_H

#include <poll.h>

#include "work.h"

/* Takes the request over. */
void run_queue(struct work *w, struct request *r);
void run_start_queued(struct work *w);
size_t run_poll_count(const struct work *w);
size_t run_poll(struct work *w, struct pollfd *fds, struct command **owners);
void run_event(struct work *w, struct command *cmd, const struct pollfd *fd);
void run_reap(struct work *w);
/* Kills what is over its time; milliseconds to the next deadline or -1. */
int64_t run_tick(struct work *w);
void run_kill_all(struct work *w);

#endif
