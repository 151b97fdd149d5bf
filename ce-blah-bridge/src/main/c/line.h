/*
 * Lines of the BLAHP grammar: one space separates arguments, a backslash before space, backslash, CR or LF makes it plain,
 * any other backslash stands for itself; LF or CR LF ends a line.
 *
 * Trust boundary: reads bytes of the JVM side. Invariant: never reads or writes outside the line it was given.
 */
#ifndef GELATO_LINE_H
#define GELATO_LINE_H

#include <stdbool.h>

#include "buf.h"

#define LINE_MAX_BYTES (16u * 1024 * 1024)
#define LINE_MAX_ARGS 512

struct line_reader {
    struct buf in;
    size_t scanned; /* bytes of `in` known to hold no line end */
    bool escaped;   /* the last scanned byte was a backslash that stands before what follows */
};

/*
 * Finds the next whole line. Returns 1 with its start, its length without the line end and the bytes to consume; 0 when more
 * must be read; -1 when the line is over LINE_MAX_BYTES.
 */
int line_next(struct line_reader *r, char **line, size_t *len, size_t *whole);

/* Drops a line that line_next gave. */
void line_done(struct line_reader *r, size_t whole);

/*
 * Splits a line into arguments, in place (line[len] must be writable). Returns how many, or -1 with *why set.
 */
int line_split(char *line, size_t len, char *args[LINE_MAX_ARGS], const char **why);

/* Adds one argument, escaped; control characters, which no argument of ours needs, become '?'. */
void line_arg(struct buf *b, const char *text);

#endif
