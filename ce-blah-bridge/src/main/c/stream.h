/*
 * The verbs READ and CLOSE, and what becomes of a command whose output is fetched in pieces.
 */
#ifndef GELATO_STREAM_H
#define GELATO_STREAM_H

#include "command.h"
#include "work.h"

/* What a new stream is known by. */
uint64_t stream_number(void);
void stream_read(struct work *w, const struct request *r);
void stream_close(struct work *w, const struct request *r);

/* Whether there is room for more of a stream; without it the command waits. */
bool stream_has_room(const struct command *cmd);

/* Its output can be read. */
void stream_event(struct work *w, struct command *cmd);

/* Its process was reaped. */
void stream_ended(struct work *w, struct command *cmd);

/* Its deadline is over. */
void stream_late(struct work *w, struct command *cmd, int64_t now);

#endif
