/*
 * Listing a directory with what lies below it; see tree.h.
 *
 * Trust boundary: runs as the account, on a tree the account may change meanwhile: any width, any depth. Invariant: no link is
 * followed and nothing but directories is opened; depth, entries and bytes of one listing are bounded, and it says when it was
 * cut.
 */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec.h"
#include "file.h"
#include "path.h"
#include "reply.h"

#define TREE_DEPTH 16               /* levels below the directory, each of which costs a descriptor */
#define TREE_BYTES (8u * 1024 * 1024)
#define TREE_SCAN 100000            /* entries looked at in one listing */

struct listing {
    struct buf entries;
    uint64_t max, count;
    int scanned;
    bool cut;
    char path[PATH_MAX]; /* of the directory being listed, below the first, with a slash at its end */
};

static bool is_skipped(const char *name) {
    return !strcmp(name, ".") || !strcmp(name, "..") || !strncmp(name, FILE_TEMPORARY, sizeof FILE_TEMPORARY - 1) ||
           !text_is_clean(name);
}

/* Adds one entry of the directory whose path has this length; false when it has no room. */
static bool add(struct listing *l, size_t length, const char *name, const struct stat *st) {
    size_t n = strlen(name);
    if (l->count == l->max || buf_len(&l->entries) > TREE_BYTES || length + n + 1 >= sizeof l->path) {
        l->cut = true;
        return false;
    }
    memcpy(l->path + length, name, n);
    buf_text(&l->entries, " ");
    base64_add(&l->entries, l->path, length + n);
    if (S_ISDIR(st->st_mode)) {
        buf_text(&l->entries, " -");
    } else {
        buf_format(&l->entries, " %lld", (long long)st->st_size);
    }
    buf_format(&l->entries, " %lld", (long long)st->st_mtime);
    l->count++;
    return true;
}

/* Lists an open directory, which it closes; the account may have taken its own right to one of them, which then is empty. */
static void list_into(struct listing *l, int fd, size_t length, uint64_t depth) {
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        if (fd >= 0) {
            close(fd);
        }
        return;
    }
    struct dirent *e;
    while (!l->cut && (e = readdir(dir))) {
        struct stat st;
        if (++l->scanned > TREE_SCAN) {
            l->cut = true;
        } else if (!is_skipped(e->d_name) && fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
                   (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) && add(l, length, e->d_name, &st) && S_ISDIR(st.st_mode) &&
                   depth > 1) {
            size_t below = length + strlen(e->d_name);
            l->path[below] = '/';
            list_into(l, openat(dirfd(dir), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), below + 1, depth - 1);
        }
    }
    closedir(dir);
}

void tree_list(struct work *w, const struct request *r) {
    struct listing l = {0};
    uint64_t depth = 0;
    number_parse(r->args[1], UINT64_MAX, &depth);
    number_parse(r->args[2], UINT64_MAX, &l.max);
    if (depth < 1 || depth > TREE_DEPTH) {
        reply_text(w, r->seq, RESULT_REFUSED, "between 1 and 16 levels can be listed at once");
        return;
    }
    if (l.max > LIST_MAX) {
        l.max = LIST_MAX;
    }
    const char *rel = path_below(w->config, r->args[0]);
    errno = EXDEV;
    int fd = rel ? path_open(w->config, rel, O_RDONLY | O_DIRECTORY, 0) : -1;
    if (fd < 0 && errno == ENOTDIR) { /* a file has this name, or one on the way to it */
        errno = ENOENT;
    }
    if (fd < 0) {
        reply_errno(w, r->seq, "cannot list", r->args[0]);
        return;
    }
    list_into(&l, fd, 0, depth);
    struct buf body = {0};
    buf_format(&body, "0 No\\ error %d %llu", l.cut ? 1 : 0, (unsigned long long)l.count);
    buf_add(&body, buf_at(&l.entries), buf_len(&l.entries));
    buf_free(&l.entries);
    reply(w, r->seq, &body);
}
