/*
 * Results of requests, from a worker to the privileged process.
 *
 * Invariant: a result fits into a frame.
 */
#ifndef GELATO_REPLY_H
#define GELATO_REPLY_H

#include "work.h"

/* The body of reply() is escaped text after the request id; it is freed. */
void reply(struct work *w, uint64_t seq, struct buf *body);
void reply_ok(struct work *w, uint64_t seq);
void reply_text(struct work *w, uint64_t seq, enum result code, const char *text);
/* "what name: words of errno", with the code errno stands for. */
void reply_errno(struct work *w, uint64_t seq, const char *what, const char *name);
enum result reply_code(int error);

#endif
