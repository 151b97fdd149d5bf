/*
 * What stands inside one argument; see codec.h.
 */
#include "codec.h"

#include <stdlib.h>
#include <string.h>

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int value_of(unsigned char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static size_t padding(const char *text, size_t n) {
    if (n >= 2 && text[n - 1] == '=' && text[n - 2] == '=') {
        return 2;
    }
    return n >= 1 && text[n - 1] == '=' ? 1 : 0;
}

bool base64_valid(const char *text) {
    if (!strcmp(text, "-")) {
        return true;
    }
    size_t n = strlen(text);
    if (n == 0 || n % 4) {
        return false;
    }
    size_t pad = padding(text, n);
    for (size_t i = 0; i < n - pad; i++) {
        if (value_of((unsigned char)text[i]) < 0) {
            return false;
        }
    }
    /* bits that padding leaves over must be zero, so that there is one way to write a content */
    unsigned spare = pad == 2 ? 0x0f : pad == 1 ? 0x03 : 0;
    return ((unsigned)value_of((unsigned char)text[n - pad - 1]) & spare) == 0;
}

char *base64_decode(const char *text, size_t *len) {
    size_t n = !strcmp(text, "-") ? 0 : strlen(text);
    size_t pad = padding(text, n);
    *len = n / 4 * 3 - pad;
    char *bytes = must_alloc(n / 4 * 3 + 1);
    size_t to = 0;
    for (size_t i = 0; i + 3 < n; i += 4) {
        unsigned v = 0;
        for (size_t k = 0; k < 4; k++) {
            int d = value_of((unsigned char)text[i + k]);
            v = v << 6 | (unsigned)(d < 0 ? 0 : d);
        }
        bytes[to++] = (char)(v >> 16);
        bytes[to++] = (char)(v >> 8);
        bytes[to++] = (char)v;
    }
    bytes[*len] = 0;
    return bytes;
}

void base64_add(struct buf *b, const void *content, size_t n) {
    if (!n) {
        buf_add(b, "-", 1);
        return;
    }
    const unsigned char *p = content;
    buf_room(b, (n + 2) / 3 * 4);
    char *to = b->data + b->end;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        unsigned v = (unsigned)p[i] << 16 | (left > 1 ? (unsigned)p[i + 1] << 8 : 0) | (left > 2 ? (unsigned)p[i + 2] : 0);
        *to++ = ALPHABET[v >> 18];
        *to++ = ALPHABET[v >> 12 & 63];
        *to++ = left > 1 ? ALPHABET[v >> 6 & 63] : '=';
        *to++ = left > 2 ? ALPHABET[v & 63] : '=';
    }
    b->end = (size_t)(to - b->data);
}

bool list_decode(const char *text, struct list *out) {
    *out = (struct list){0};
    if (!base64_valid(text)) {
        return false;
    }
    out->bytes = base64_decode(text, &out->len);
    if (out->len && out->bytes[out->len - 1]) {
        return false;
    }
    for (size_t i = 0; i < out->len; i++) {
        out->count += !out->bytes[i];
    }
    out->argv = must_alloc((out->count + 1) * sizeof *out->argv);
    char *at = out->bytes;
    for (size_t i = 0; i < out->count; i++) {
        out->argv[i] = at;
        at += strlen(at) + 1;
    }
    out->argv[out->count] = NULL;
    return true;
}

void list_free(struct list *l) {
    wipe_free(l->bytes, l->len + 1);
    free(l->argv);
    *l = (struct list){0};
}

bool number_parse(const char *text, uint64_t max, uint64_t *out) {
    uint64_t v = 0;
    size_t n = strlen(text);
    if (n == 0 || n > 18) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        v = v * 10 + (uint64_t)(text[i] - '0');
    }
    *out = v;
    return v <= max;
}

bool mode_parse(const char *text, unsigned *out) {
    size_t n = strlen(text);
    unsigned v = 0;
    if (n == 0 || n > 4) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '7') {
            return false;
        }
        v = v << 3 | (unsigned)(text[i] - '0');
    }
    *out = v;
    return v <= 0777;
}

bool text_is_clean(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        unsigned v;
        int more;
        if (*p < 0x20 || *p == 0x7f) {
            return false;
        } else if (*p < 0x80) {
            p++;
            continue;
        } else if ((*p & 0xe0) == 0xc0) {
            v = *p & 0x1f, more = 1;
        } else if ((*p & 0xf0) == 0xe0) {
            v = *p & 0x0f, more = 2;
        } else if ((*p & 0xf8) == 0xf0) {
            v = *p & 0x07, more = 3;
        } else {
            return false;
        }
        for (int i = 1; i <= more; i++) {
            if ((p[i] & 0xc0) != 0x80) {
                return false;
            }
            v = v << 6 | (p[i] & 0x3f);
        }
        static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
        if (v < least[more] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff)) {
            return false;
        }
        p += more + 1;
    }
    return true;
}
