/*
 * Paths that root relies on; see trusted.h.
 */
#include "trusted.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40

/* What is known of a path: the part that was found to be root's, without links, and what is to be walked from there. */
struct way {
    char done[PATH_MAX]; /* "" for the root directory */
    char rest[PATH_MAX];
    int links;
};

static char why[PATH_MAX + 128];

static const char *wrong(const char *place, const char *what) {
    snprintf(why, sizeof why, "%s %s", *place ? place : "/", what);
    return why;
}

static const char *foreign(const char *place, const struct stat *st) {
    char text[64];
    snprintf(text, sizeof text, "%s uid %u", S_ISLNK(st->st_mode) ? "is a symbolic link of" : "belongs to", (unsigned)st->st_uid);
    return wrong(place, text);
}

/* Whether others than root may write. */
static bool is_open(const struct stat *st) {
    return st->st_mode & S_IWOTH || (st->st_mode & S_IWGRP && st->st_gid != 0);
}

static const char *check(const char *place, bool last, struct stat *st) {
    if (lstat(*place ? place : "/", st)) {
        return wrong(place, strerror(errno));
    }
    if (st->st_uid != 0) {
        return foreign(place, st);
    }
    char inside[PATH_MAX];
    if (S_ISDIR(st->st_mode) && snprintf(inside, sizeof inside, "%s/.", place) < (int)sizeof inside && lstat(inside, st)) {
        return wrong(place, strerror(errno)); /* what is mounted there when somebody goes in counts */
    }
    if (st->st_uid != 0) {
        return foreign(place, st);
    }
    bool others = (S_ISDIR(st->st_mode) || S_ISREG(st->st_mode)) && is_open(st);
    bool kept = !last && S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX; /* others cannot replace what root has there */
    return others && !kept ? wrong(place, "can be written by others than root") : NULL;
}

/* Takes the first part off what is to be walked; its length. */
static size_t take_part(struct way *w, char part[NAME_MAX + 1]) {
    const char *at = w->rest + strspn(w->rest, "/");
    size_t n = strcspn(at, "/");
    if (n > NAME_MAX) {
        return n;
    }
    memcpy(part, at, n);
    part[n] = 0;
    at += n;
    at += strspn(at, "/");
    memmove(w->rest, at, strlen(at) + 1);
    return n;
}

/* Puts the target of a link in front of what is to be walked. */
static const char *follow(struct way *w, const char *link) {
    char target[PATH_MAX], rest[PATH_MAX];
    ssize_t n = readlink(link, target, sizeof target - 1);
    if (n < 0) {
        return wrong(link, strerror(errno));
    }
    target[n] = 0;
    int length = snprintf(rest, sizeof rest, "%s/%s", target, w->rest);
    if (++w->links > LINKS_MAX || length >= (int)sizeof rest) {
        return wrong(link, strerror(ELOOP));
    }
    memcpy(w->rest, rest, (size_t)length + 1);
    if (target[0] == '/') {
        w->done[0] = 0;
    }
    return NULL;
}

static const char *walk(const char *path, bool to_be_made) {
    struct way w = {.links = 0};
    struct stat st;
    bool shared = false; /* whether others can make files in the directory that was walked last */
    if (path[0] != '/' || strlen(path) >= sizeof w.rest) {
        return wrong(path, "is no absolute path");
    }
    memcpy(w.rest, path, strlen(path) + 1);
    const char *reason = check("", !w.rest[strspn(w.rest, "/")], &st);
    while (!reason && w.rest[strspn(w.rest, "/")]) {
        char part[NAME_MAX + 1], place[PATH_MAX];
        size_t n = take_part(&w, part);
        if (n == 0 || (n == 1 && part[0] == '.')) {
            continue;
        }
        if (n == 2 && part[0] == '.' && part[1] == '.') { /* only of a link: nothing of what was walked is a link */
            char *slash = strrchr(w.done, '/');
            w.done[slash ? slash - w.done : 0] = 0;
            continue;
        }
        if (n > NAME_MAX || snprintf(place, sizeof place, "%s/%s", w.done, part) >= (int)sizeof place) {
            return wrong(path, strerror(ENAMETOOLONG));
        }
        if (lstat(place, &st) && errno == ENOENT) {
            /* whoever makes it is root, where nobody else can */
            return to_be_made || !shared ? NULL : wrong(place, "is not there, and others than root can make it");
        }
        reason = check(place, !w.rest[0], &st);
        if (!reason && S_ISLNK(st.st_mode)) {
            reason = follow(&w, place);
        } else if (!reason) {
            memcpy(w.done, place, strlen(place) + 1);
            shared = S_ISDIR(st.st_mode) && is_open(&st);
        }
    }
    return reason;
}

const char *trusted_path(const char *path) { return walk(path, true); }

const char *trusted_file(const char *path) { return walk(path, false); }
