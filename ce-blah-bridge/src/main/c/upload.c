/*
 * Files that arrive in parts: append, finish, stat.
 *
 * Trust boundary: runs as the account, on a tree the account may change meanwhile; all paths go through path.c. Invariant: a
 * part is added whole or not at all and only at the end its sender expects, so that a repeated or a lost request never leaves
 * a file that looks right and is not; a finished file is on the disk before its name is.
 */
#include "upload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec.h"
#include "file.h"
#include "path.h"
#include "reply.h"

#define OTHER_SIZE "the\\ file\\ has\\ another\\ size" /* as one word of a line */

/* The directory of a path below the root; -1 with errno. */
static int parent(const struct config *c, const char *path, bool make, const char **name) {
    const char *rel = path_below(c, path);
    if (!rel || !*rel) {
        errno = EXDEV;
        return -1;
    }
    return path_parent(c, rel, make, name);
}

static int open_in(int dir, const char *name, int flags, struct stat *st) {
    int fd = openat(dir, name, flags | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 && (fstat(fd, st) || !S_ISREG(st->st_mode))) {
        close(fd);
        errno = ENXIO;
        return -1;
    }
    return fd;
}

static void reply_size(struct work *w, uint64_t seq, enum result code, const char *text, off_t size) {
    struct buf body = {0};
    buf_format(&body, "%d %s %lld", (int)code, text, (long long)size);
    reply(w, seq, &body);
}

/* What cannot be taken back shows in the size at the next request. */
static void take_back(int dir, const char *name, off_t offset) {
    struct stat st;
    int error = errno, fd = open_in(dir, name, O_WRONLY, &st);
    if (fd >= 0) {
        if (ftruncate(fd, offset)) {
            note("cannot take back a part of a file: %s", strerror(errno));
        }
        close(fd);
    }
    errno = error;
}

static void append(struct work *w, const struct request *r) {
    uint64_t offset = 0;
    struct stat st;
    const char *name;
    size_t len;
    char *bytes = base64_decode(r->args[2], &len);
    if (!number_parse(r->args[1], INT64_MAX - APPEND_MAX, &offset) || len > APPEND_MAX) {
        reply_text(w, r->seq, RESULT_REFUSED, "at most 1 MiB can be added at once");
        wipe_free(bytes, len + 1);
        return;
    }
    int dir = parent(w->config, r->args[0], offset == 0, &name);
    int fd = dir < 0 ? -1 : open_in(dir, name, O_WRONLY | (offset == 0 ? O_CREAT : 0), &st);
    if (fd < 0 && errno == ENOENT && offset > 0) {
        reply_size(w, r->seq, RESULT_OTHER_SIZE, OTHER_SIZE, 0);
    } else if (fd < 0) {
        reply_errno(w, r->seq, "cannot write", r->args[0]);
    } else if (st.st_size != (off_t)offset) {
        reply_size(w, r->seq, RESULT_OTHER_SIZE, OTHER_SIZE, st.st_size);
    } else {
        int failed = lseek(fd, (off_t)offset, SEEK_SET) < 0 || write_whole(fd, bytes, len);
        if (close_written(fd, failed, false) == 0) {
            reply_size(w, r->seq, RESULT_OK, "No\\ error", (off_t)(offset + len));
        } else {
            take_back(dir, name, (off_t)offset);
            reply_errno(w, r->seq, "cannot write", r->args[0]);
        }
        fd = -1;
    }
    wipe_free(bytes, len + 1);
    if (fd >= 0) {
        close(fd);
    }
    if (dir >= 0) {
        close(dir);
    }
}

/* Gives a complete part its name; both lie on one file system, as renames of homes do. */
static void finish(struct work *w, const struct request *r) {
    uint64_t size = 0;
    struct stat st;
    const char *part, *name;
    number_parse(r->args[2], INT64_MAX, &size);
    int from = parent(w->config, r->args[0], false, &part);
    int fd = from < 0 ? -1 : open_in(from, part, O_RDONLY, &st);
    int to = fd < 0 ? -1 : parent(w->config, r->args[1], true, &name);
    if (fd < 0) {
        reply_errno(w, r->seq, "cannot finish", r->args[0]);
    } else if ((uint64_t)st.st_size != size) {
        reply_size(w, r->seq, RESULT_OTHER_SIZE, OTHER_SIZE, st.st_size);
    } else if (to < 0 || fsync(fd) || renameat(from, part, to, name) || fsync(to)) {
        reply_errno(w, r->seq, "cannot finish", r->args[1]);
    } else {
        reply_ok(w, r->seq);
    }
    int fds[] = {fd, to, from};
    for (int i = 0; i < 3; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
}

static void stat_file(struct work *w, const struct request *r) {
    struct stat st;
    const char *name;
    int dir = parent(w->config, r->args[0], false, &name);
    int failed = dir < 0 || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW);
    if (!failed && !S_ISREG(st.st_mode)) {
        errno = S_ISLNK(st.st_mode) ? ELOOP : ENXIO;
        failed = 1;
    }
    if (failed && errno == ENOTDIR) { /* what lies below a file does not exist */
        errno = ENOENT;
    }
    if (failed && errno == ENXIO) {
        reply_text(w, r->seq, RESULT_NOT_PLAIN, "not a regular file");
    } else if (failed) {
        reply_errno(w, r->seq, "cannot look at", r->args[0]);
    } else {
        struct buf body = {0};
        buf_format(&body, "0 No\\ error %lld %llx-%llx-%llx.%lx", (long long)st.st_size, (unsigned long long)st.st_ino,
                   (unsigned long long)st.st_size, (unsigned long long)st.st_mtim.tv_sec, (unsigned long)st.st_mtim.tv_nsec);
        reply(w, r->seq, &body);
    }
    if (dir >= 0) {
        close(dir);
    }
}

void upload_work(struct work *w, const struct request *r) {
    switch (r->verb) {
        case VERB_APPEND:
            append(w, r);
            break;
        case VERB_FINISH:
            finish(w, r);
            break;
        default:
            stat_file(w, r);
    }
}
