/*
 * Requests that a worker has taken; see work.h.
 */
#include "work.h"

#include <stdlib.h>
#include <string.h>

struct request *request_take(const struct frame_head *head, const char *body) {
    struct request *r = must_alloc(sizeof *r);
    *r = (struct request){.seq = head->seq, .verb = (enum verb)head->what, .len = head->len + 1};
    r->bytes = must_copy(body, head->len);
    for (size_t i = 0; i < head->len; i++) {
        r->argc += !r->bytes[i];
    }
    r->args = must_alloc(((size_t)r->argc + 1) * sizeof *r->args);
    char *at = r->bytes;
    for (int i = 0; i < r->argc; i++) {
        r->args[i] = at;
        at += strlen(at) + 1;
    }
    r->args[r->argc] = NULL;
    return r;
}

void request_free(struct request *r) {
    wipe_free(r->bytes, r->len);
    free(r->args);
    free(r);
}
