/*
 * The little of HTTP/1.1 that a worker speaks to a daemon of its account.
 *
 * Trust boundary: answers are the account's. Invariant: what is not surely a whole answer is none.
 */
#ifndef GELATO_HTTP_H
#define GELATO_HTTP_H

#include <stdbool.h>

#include "buf.h"

#define HTTP_TARGET_MAX 1024

struct answer {
    int status;
    size_t body, len; /* where the body begins, and its bytes */
    bool ends;        /* the connection is not used again */
};

/* Whether these may stand in a request line. */
bool http_method_valid(const char *method);
bool http_target_valid(const char *target);

/* Adds a request; one without a body has no type and no length. */
void http_request(struct buf *out, const char *method, const char *target, const char *body, size_t len);

/*
 * Reads an answer from its first byte on: 1 with a whole one, 0 for more to read, -1 when it is malformed or its body is over
 * `max`. With `eof` nothing more comes.
 */
int http_answer(const struct buf *in, size_t max, bool eof, struct answer *out);

#endif
