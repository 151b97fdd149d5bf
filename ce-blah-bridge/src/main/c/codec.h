/*
 * What stands inside one argument: base64 content, lists, numbers, paths.
 *
 * Trust boundary: decodes bytes of the JVM side. "-" is empty content; a list is base64 of strings each ended by NUL.
 */
#ifndef GELATO_CODEC_H
#define GELATO_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

/* Whether the text is canonical base64, or "-". */
bool base64_valid(const char *text);

/* Decodes valid base64 into memory the caller gives back with wipe_free(bytes, *len + 1); a NUL follows the content. */
char *base64_decode(const char *text, size_t *len);

/* Adds bytes as base64, or "-" for none. */
void base64_add(struct buf *b, const void *bytes, size_t n);

/* A list of strings; argv[] ends with NULL. */
struct list {
    char *bytes;
    size_t len;
    char **argv;
    size_t count;
};

/* Decodes a list; false when it is not one. Give it back with list_free in either case. */
bool list_decode(const char *text, struct list *out);
void list_free(struct list *l);

/* Decimal number without sign, at most `max`. */
bool number_parse(const char *text, uint64_t max, uint64_t *out);

/* Permission bits in octal, at most 0777. */
bool mode_parse(const char *text, unsigned *out);

/* Whether bytes are well-formed UTF-8 without control characters. */
bool text_is_clean(const char *text);

#endif
