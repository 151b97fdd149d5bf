/*
 * Growing byte buffers that leave nothing behind; see buf.h.
 */
#include "buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A drained buffer larger than this gives its memory back. */
#define KEEP_DRAINED (64 * 1024)

static void say(const char *format, va_list args) {
    char line[1024];
    int head = snprintf(line, sizeof line, "gelato-helper[%d]: ", (int)getpid());
    int n = vsnprintf(line + head, sizeof line - (size_t)head - 1, format, args);
    size_t len = (size_t)head + (n < 0 ? 0 : (size_t)n);
    if (len > sizeof line - 2) {
        len = sizeof line - 2;
    }
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)line[i] < 0x20) {
            line[i] = '?';
        }
    }
    line[len] = '\n';
    ssize_t ignored = write(STDERR_FILENO, line, len + 1);
    (void)ignored; /* nobody is left to tell */
}

void note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    _exit(2);
}

void *must_alloc(size_t n) {
    void *p = malloc(n ? n : 1);
    if (!p) {
        die("out of memory");
    }
    return p;
}

char *must_copy(const void *bytes, size_t n) {
    char *p = must_alloc(n + 1);
    if (n) {
        memcpy(p, bytes, n);
    }
    p[n] = 0;
    return p;
}

void wipe_free(void *bytes, size_t n) {
    if (bytes) {
        explicit_bzero(bytes, n);
        free(bytes);
    }
}

void buf_room(struct buf *b, size_t more) {
    if (b->cap - b->end >= more) {
        return;
    }
    size_t len = buf_len(b);
    if (more > SIZE_MAX / 4 - len) {
        die("out of memory");
    }
    size_t cap = b->cap ? b->cap : 4096;
    while (cap < len + more) {
        cap *= 2;
    }
    char *data = must_alloc(cap);
    if (len) {
        memcpy(data, buf_at(b), len);
    }
    wipe_free(b->data, b->cap);
    b->data = data;
    b->off = 0;
    b->end = len;
    b->cap = cap;
}

void buf_add(struct buf *b, const void *bytes, size_t n) {
    if (!n) {
        return;
    }
    buf_room(b, n);
    memcpy(b->data + b->end, bytes, n);
    b->end += n;
}

void buf_text(struct buf *b, const char *text) { buf_add(b, text, strlen(text)); }

void buf_format(struct buf *b, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0) {
        buf_add(b, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    }
}

void buf_consume(struct buf *b, size_t n) {
    if (!n) {
        return;
    }
    explicit_bzero(buf_at(b), n);
    b->off += n;
    if (b->off == b->end) {
        b->off = b->end = 0;
        if (b->cap > KEEP_DRAINED) {
            buf_free(b);
        }
    }
}

void buf_free(struct buf *b) {
    wipe_free(b->data, b->cap);
    *b = (struct buf){0};
}

int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
