/*
 * What a worker returns to the privileged process; see reply.h.
 */
#include "reply.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "line.h"

/* Streams that somebody may still read. */
static uint32_t open_streams(const struct work *w) {
    uint32_t n = 0;
    for (const struct command *cmd = w->commands; cmd && n < FRAME_STREAMS_MAX; cmd = cmd->next) {
        n += cmd->stream && !cmd->answered && !cmd->over;
    }
    return n;
}

void reply(struct work *w, uint64_t seq, struct buf *body) {
    if (buf_len(body) > FRAME_MAX) { /* the bounds of every verb keep results below; a frame over it would end us */
        buf_free(body);
        reply_text(w, seq, RESULT_FAILED, "the result is too large");
        return;
    }
    uint32_t execs = w->execs < FRAME_EXECS_MAX ? w->execs : FRAME_EXECS_MAX;
    frame_add(&w->out, FRAME_NEWS(execs, open_streams(w)), seq, buf_at(body), buf_len(body));
    w->execs -= execs;
    buf_free(body);
}

void reply_ok(struct work *w, uint64_t seq) { reply_text(w, seq, RESULT_OK, "No error"); }

void reply_text(struct work *w, uint64_t seq, enum result code, const char *text) {
    struct buf body = {0};
    buf_format(&body, "%d ", (int)code);
    line_arg(&body, text);
    reply(w, seq, &body);
}

enum result reply_code(int error) {
    switch (error) {
        case ENOENT:
            return RESULT_NO_SUCH_FILE;
        case ELOOP:
        case EXDEV:
            return RESULT_REFUSED;
        case EAGAIN:
        case EMFILE:
        case ENFILE:
        case ENOMEM:
            return RESULT_BUSY;
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return RESULT_NO_SPACE;
        default:
            return RESULT_FAILED;
    }
}

void reply_errno(struct work *w, uint64_t seq, const char *what, const char *name) {
    int error = errno;
    char text[1024];
    snprintf(text, sizeof text, "%s %.700s: %s", what, name,
             error == ELOOP   ? "a symbolic link is in the way"
             : error == ENXIO ? "not a regular file"
                              : strerror(error));
    reply_text(w, seq, reply_code(error), text);
}
