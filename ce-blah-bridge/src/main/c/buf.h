/*
 * Growing byte buffers that leave nothing behind.
 *
 * Trust boundary: buffers carry proxies and wrapper tokens of many accounts, and a worker is forked from the process that
 * holds them. Invariant: memory that is given up (consumed, moved, freed) has been overwritten first.
 * Memory that cannot be had ends the process: the far side then sees the channel, or the worker, as lost.
 */
#ifndef GELATO_BUF_H
#define GELATO_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
    char *data;
    size_t off; /* consumed before it */
    size_t end; /* filled up to it */
    size_t cap;
};

static inline size_t buf_len(const struct buf *b) { return b->end - b->off; }
static inline char *buf_at(const struct buf *b) { return b->data + b->off; }

void buf_room(struct buf *b, size_t more);
void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_text(struct buf *b, const char *text);
void buf_format(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_consume(struct buf *b, size_t n);
void buf_free(struct buf *b);

/* Memory or the end of the process. */
void *must_alloc(size_t n);
char *must_copy(const void *bytes, size_t n);
void wipe_free(void *bytes, size_t n);

/* Says why on stderr and ends the process with status 2. */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* One line on stderr. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Milliseconds of the monotonic clock. */
int64_t now_ms(void);

#endif
