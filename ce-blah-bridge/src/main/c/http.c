/*
 * The little of HTTP/1.1 that a worker speaks; see http.h.
 */
#include "http.h"

#include <string.h>
#include <strings.h>

#include "codec.h"

#define HEAD_MAX (16u * 1024)

bool http_method_valid(const char *method) {
    static const char *const methods[] = {"GET", "POST", "PUT", "DELETE", "PATCH"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!strcmp(methods[i], method)) {
            return true;
        }
    }
    return false;
}

bool http_target_valid(const char *target) {
    size_t n = strlen(target);
    for (size_t i = 0; i < n; i++) {
        if (target[i] <= ' ' || target[i] > '~') {
            return false;
        }
    }
    return target[0] == '/' && n <= HTTP_TARGET_MAX;
}

void http_request(struct buf *out, const char *method, const char *target, const char *body, size_t len) {
    buf_room(out, len + HTTP_TARGET_MAX + 256);
    buf_format(out, "%s %s HTTP/1.1\r\nHost: localhost\r\n", method, target);
    if (len) {
        /* this form and no other: daemons compare the whole value */
        buf_format(out, "Content-Type: application/json\r\nContent-Length: %zu\r\n", len);
    }
    buf_text(out, "\r\n");
    buf_add(out, body, len);
}

/* The value of a header line of this name, without surrounding blanks, as a string in `value`; false for another line. */
static bool header(const char *line, size_t len, const char *name, char value[64]) {
    size_t n = strlen(name);
    if (len <= n || line[n] != ':' || strncasecmp(line, name, n)) {
        return false;
    }
    line += n + 1;
    len -= n + 1;
    while (len && (*line == ' ' || *line == '\t')) {
        line++;
        len--;
    }
    while (len && (line[len - 1] == ' ' || line[len - 1] == '\t')) {
        len--;
    }
    len = len < 63 ? len : 63;
    memcpy(value, line, len);
    value[len] = 0;
    return true;
}

/* "HTTP/1.x nnn"; the status or -1. */
static int status_of(const char *line, size_t len) {
    if (len < 12 || strncmp(line, "HTTP/1.", 7) || line[8] != ' ') {
        return -1;
    }
    int status = 0;
    for (int i = 9; i < 12; i++) {
        if (line[i] < '0' || line[i] > '9') {
            return -1;
        }
        status = status * 10 + (line[i] - '0');
    }
    return status >= 200 && (len == 12 || line[12] == ' ') ? status : -1;
}

int http_answer(const struct buf *in, size_t max, bool eof, struct answer *out) {
    size_t have = buf_len(in), looked = have < HEAD_MAX ? have : HEAD_MAX;
    const char *text = have ? buf_at(in) : "";
    const char *end = memmem(text, looked, "\r\n\r\n", 4);
    if (!end) {
        return have >= HEAD_MAX || eof ? -1 : 0;
    }
    *out = (struct answer){.body = (size_t)(end - text) + 4};
    bool sized = false;
    uint64_t len = 0;
    for (const char *line = text; line < end + 2;) {
        size_t n = (size_t)((const char *)memmem(line, (size_t)(end + 2 - line), "\r\n", 2) - line);
        char value[64];
        if (line == text) {
            out->status = status_of(line, n);
        } else if (header(line, n, "Content-Length", value)) {
            if (sized || !number_parse(value, UINT32_MAX, &len)) {
                return -1;
            }
            sized = true;
        } else if (header(line, n, "Connection", value)) {
            out->ends = out->ends || !strcasecmp(value, "close");
        } else if (header(line, n, "Transfer-Encoding", value)) {
            return -1;
        }
        line += n + 2;
    }
    if (out->status < 0) {
        return -1;
    }
    size_t there = have - out->body;
    if (!sized && (out->status == 204 || out->status == 304)) {
        sized = true;
    }
    if (!sized) {
        out->ends = true;
        out->len = there;
        return there > max ? -1 : eof;
    }
    if (len > max) {
        return -1;
    }
    out->len = (size_t)len;
    out->ends = out->ends || there > len;
    return there >= len ? 1 : eof ? -1 : 0;
}
