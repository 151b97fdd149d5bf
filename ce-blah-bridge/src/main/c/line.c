/*
 * Lines of the BLAHP grammar; see line.h.
 */
#include "line.h"

#include <string.h>

int line_next(struct line_reader *r, char **line, size_t *len, size_t *whole) {
    char *start = r->in.data ? buf_at(&r->in) : NULL;
    size_t n = buf_len(&r->in);
    size_t i = r->scanned;
    for (; i < n && i <= LINE_MAX_BYTES; i++) {
        if (r->escaped) {
            r->escaped = false;
        } else if (start[i] == '\\') {
            r->escaped = true;
        } else if (start[i] == '\n') {
            size_t end = i;
            if (end > 0 && start[end - 1] == '\r') {
                size_t slashes = 0;
                while (slashes < end - 1 && start[end - 2 - slashes] == '\\') {
                    slashes++;
                }
                if (slashes % 2 == 0) {
                    end--;
                }
            }
            *line = start;
            *len = end;
            *whole = i + 1;
            return 1;
        }
    }
    r->scanned = i;
    return i > LINE_MAX_BYTES ? -1 : 0;
}

void line_done(struct line_reader *r, size_t whole) {
    buf_consume(&r->in, whole);
    r->scanned = 0;
    r->escaped = false;
}

int line_split(char *line, size_t len, char *args[LINE_MAX_ARGS], const char **why) {
    if (memchr(line, 0, len)) {
        *why = "NUL byte in request";
        return -1;
    }
    int count = 1;
    size_t to = 0;
    args[0] = line;
    for (size_t from = 0; from < len; from++) {
        char c = line[from];
        if (c == '\\' && from + 1 < len && strchr(" \\\r\n", line[from + 1])) {
            line[to++] = line[++from];
        } else if (c == ' ') {
            if (count == LINE_MAX_ARGS) {
                *why = "Too many parameters";
                return -1;
            }
            line[to++] = 0;
            args[count++] = line + to;
        } else {
            line[to++] = c;
        }
    }
    line[to] = 0;
    return count;
}

void line_arg(struct buf *b, const char *text) {
    size_t n = strlen(text);
    if (!n) {
        return;
    }
    buf_room(b, 2 * n);
    char *to = b->data + b->end;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (c == ' ' || c == '\\') {
            *to++ = '\\';
        }
        *to++ = (unsigned char)c < 0x20 ? '?' : c;
    }
    b->end = (size_t)(to - b->data);
}
