/*
 * Messages between the privileged process and its workers; see frame.h.
 */
#include "frame.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define READ_ONCE (256 * 1024)

void frame_add(struct buf *out, uint32_t what, uint64_t seq, const void *body, size_t len) {
    struct frame_head head = {.len = (uint32_t)len, .what = what, .seq = seq};
    if (len > FRAME_MAX) {
        die("frame of %zu bytes", len);
    }
    buf_room(out, sizeof head + len);
    buf_add(out, &head, sizeof head);
    buf_add(out, body, len);
}

int frame_next(const struct buf *in, struct frame_head *head, char **body) {
    if (buf_len(in) < sizeof *head) {
        return 0;
    }
    memcpy(head, buf_at(in), sizeof *head);
    if (head->len > FRAME_MAX) {
        return -1;
    }
    *body = buf_at(in) + sizeof *head;
    return buf_len(in) - sizeof *head >= head->len;
}

int fd_read(int fd, struct buf *in) {
    size_t want = in->cap - in->end > 4096 ? in->cap - in->end : 32 * 1024;
    if (want > READ_ONCE) {
        want = READ_ONCE;
    }
    buf_room(in, want);
    ssize_t n = read(fd, in->data + in->end, want);
    if (n > 0) {
        in->end += (size_t)n;
        return 1;
    }
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

int fd_write(int fd, struct buf *out) {
    while (buf_len(out)) {
        ssize_t n = write(fd, buf_at(out), buf_len(out));
        if (n < 0) {
            return errno == EAGAIN || errno == EINTR ? 0 : -1;
        }
        buf_consume(out, (size_t)n);
    }
    return 0;
}
