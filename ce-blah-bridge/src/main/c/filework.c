/*
 * File work that is done at once: make, put, get, list, collect, discard, rename.
 *
 * Trust boundary: runs as the account, on a tree the account may change meanwhile; all paths go through path.c. Invariant:
 * devices, pipes and links are never opened for content.
 */
#include "filework.h"

#include <dirent.h>
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

#define COLLECT_BYTES (8u * 1024 * 1024)
#define SCAN_MAX 100000 /* entries looked at in one directory */
#define JUNK_MAX 10000  /* entries removed by one collection */

static const char *below(const struct config *c, const char *path) {
    const char *rel = path_below(c, path);
    errno = EXDEV;
    return rel;
}

static void make(struct work *w, const struct request *r) {
    const char *rel = below(w->config, r->args[0]);
    int fd = rel ? path_make(w->config, rel) : -1;
    if (fd < 0) {
        reply_errno(w, r->seq, "cannot make", r->args[0]);
        return;
    }
    close(fd);
    reply_ok(w, r->seq);
}

static void put(struct work *w, const struct request *r) {
    unsigned mode = 0600;
    size_t len;
    mode_parse(r->args[1], &mode);
    char *bytes = base64_decode(r->args[2], &len);
    int failed = file_put(w->config, r->args[0], mode, bytes, len, true);
    int error = errno;
    wipe_free(bytes, len + 1);
    errno = error;
    if (failed) {
        reply_errno(w, r->seq, "cannot write", r->args[0]);
    } else {
        reply_ok(w, r->seq);
    }
}

/* Opens a regular file for reading, below a directory or below the root. */
static int open_regular(const struct config *c, int dir, const char *name, struct stat *st) {
    const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;
    int fd = dir >= 0 ? openat(dir, name, flags) : path_open(c, name, flags, 0);
    if (fd >= 0 && (fstat(fd, st) || !S_ISREG(st->st_mode))) {
        close(fd);
        errno = ENXIO;
        return -1;
    }
    return fd;
}

static ssize_t read_part(int fd, char *bytes, size_t max, off_t offset) {
    size_t len = 0;
    while (len < max) {
        ssize_t n = pread(fd, bytes + len, max - len, offset + (off_t)len);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return -1;
        }
        if (n == 0) {
            break;
        }
        len += (size_t)n;
    }
    return (ssize_t)len;
}

/* Whether what is there will not become readable by itself, as a file on a server that is away would. */
static bool is_not_plain(int error) {
    return error == ELOOP || error == ENXIO || error == ENOTDIR || error == EISDIR || error == EACCES;
}

static void get(struct work *w, const struct request *r) {
    uint64_t offset = 0, max = 0;
    struct stat st;
    if (!number_parse(r->args[1], INT64_MAX, &offset) || !number_parse(r->args[2], GET_MAX, &max) || max == 0) {
        reply_text(w, r->seq, RESULT_REFUSED, "between 1 byte and 1 MiB can be read at once");
        return;
    }
    const char *rel = below(w->config, r->args[0]);
    int fd = rel ? open_regular(w->config, -1, rel, &st) : -1;
    char *bytes = must_alloc(max);
    ssize_t len = fd < 0 ? -1 : read_part(fd, bytes, max, (off_t)offset);
    if (len < 0 && is_not_plain(errno)) {
        reply_text(w, r->seq, RESULT_NOT_PLAIN,
                   errno == ELOOP     ? "a symbolic link is in the way"
                   : errno == EACCES  ? "its account may not read it"
                   : errno == ENOTDIR ? "it lies in what is no directory"
                                      : "not a regular file");
    } else if (len < 0) {
        reply_errno(w, r->seq, "cannot read", r->args[0]);
    } else {
        struct buf body = {0};
        buf_format(&body, "0 No\\ error %lld ", (long long)st.st_size);
        base64_add(&body, bytes, (size_t)len);
        reply(w, r->seq, &body);
    }
    if (fd >= 0) {
        close(fd);
    }
    wipe_free(bytes, max);
}

/* An absent directory gives NULL and errno ENOENT. */
static DIR *open_directory(struct work *w, const char *path) {
    const char *rel = below(w->config, path);
    int fd = rel ? path_open(w->config, rel, O_RDONLY | O_DIRECTORY, 0) : -1;
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (fd >= 0 && !dir) {
        close(fd);
    }
    return dir;
}

static bool is_ours(const char *name) { return !strncmp(name, FILE_TEMPORARY, sizeof FILE_TEMPORARY - 1); }

static bool is_ascii(const char *text) {
    while (*text && (unsigned char)*text < 0x80) {
        text++;
    }
    return !*text;
}

/* Removes what can never be collected, which would be met again by each call; so much of it in one call. */
static void remove_junk(DIR *dir, const char *name, int *junk) {
    if (*junk > 0) {
        --*junk;
        unlinkat(dirfd(dir), name, 0);
    }
}

/*
 * The next regular file's name, which is clean UTF-8: others could not be named in a request. NULL at the end. With junk,
 * for a collection, it is ASCII too, and whatever else is no directory is removed.
 */
static const char *next_regular(DIR *dir, int *scanned, struct stat *st, int *junk) {
    struct dirent *e;
    while (++*scanned <= SCAN_MAX && (e = readdir(dir))) {
        if (e->d_type == DT_DIR || is_ours(e->d_name) || fstatat(dirfd(dir), e->d_name, st, AT_SYMLINK_NOFOLLOW) ||
            S_ISDIR(st->st_mode)) {
            continue;
        }
        if (S_ISREG(st->st_mode) && text_is_clean(e->d_name) && (!junk || is_ascii(e->d_name))) {
            return e->d_name;
        }
        if (junk) {
            remove_junk(dir, e->d_name, junk);
        }
    }
    return NULL;
}

/* One file with its content, cut at max; false with errno when it is gone or not readable, which leaves it out. */
static bool add_content(DIR *dir, const char *name, size_t max, struct buf *files, size_t *bytes_left) {
    struct stat st;
    int fd = open_regular(NULL, dirfd(dir), name, &st);
    if (fd < 0) {
        return false;
    }
    if (max > *bytes_left) {
        max = *bytes_left;
    }
    char *bytes = must_alloc(max);
    ssize_t len = read_part(fd, bytes, max, 0);
    int error = errno;
    close(fd);
    if (len >= 0) {
        buf_text(files, " ");
        base64_add(files, name, strlen(name));
        buf_format(files, " %o ", (unsigned)st.st_mode & 0777);
        base64_add(files, bytes, (size_t)len);
        *bytes_left -= (size_t)len;
    }
    wipe_free(bytes, max);
    errno = error;
    return len >= 0;
}

static void list(struct work *w, const struct request *r, bool with_content) {
    uint64_t max = 0, max_bytes = 0;
    number_parse(r->args[1], UINT64_MAX, &max);
    if (with_content) {
        number_parse(r->args[2], UINT64_MAX, &max_bytes);
    }
    if (max > LIST_MAX) {
        max = LIST_MAX;
    }
    DIR *dir = open_directory(w, r->args[0]);
    if (!dir && errno != ENOENT) {
        reply_errno(w, r->seq, "cannot list", r->args[0]);
        return;
    }
    struct buf files = {0};
    size_t count = 0, left = COLLECT_BYTES;
    int scanned = 0, junk = JUNK_MAX;
    struct stat st;
    const char *name;
    while (dir && count < max && (name = next_regular(dir, &scanned, &st, with_content ? &junk : NULL))) {
        if (!with_content) {
            buf_text(&files, " ");
            base64_add(&files, name, strlen(name));
            buf_format(&files, " %lld", (long long)st.st_size);
            count++;
            continue;
        }
        size_t size = st.st_size > 0 && (uint64_t)st.st_size < max_bytes ? (size_t)st.st_size : (size_t)max_bytes;
        if (size > left && count) {
            break; /* the rest comes with the next call */
        }
        if (add_content(dir, name, max_bytes, &files, &left)) {
            count++;
        } else if (errno == EACCES) {
            remove_junk(dir, name, &junk);
        }
    }
    if (dir) {
        closedir(dir);
    }
    struct buf body = {0};
    buf_format(&body, "0 No\\ error %zu", count);
    buf_add(&body, buf_at(&files), buf_len(&files));
    buf_free(&files);
    reply(w, r->seq, &body);
}

static void discard(struct work *w, const struct request *r) {
    struct list names;
    const char *rel = below(w->config, r->args[0]);
    int dir = rel ? path_open(w->config, rel, O_PATH | O_DIRECTORY, 0) : -1;
    const char *bad = dir < 0 && errno != ENOENT ? r->args[0] : NULL;
    int error = errno;
    bool fine = list_decode(r->args[1], &names);
    for (size_t i = 0; fine && dir >= 0 && i < names.count; i++) {
        const char *name = names.argv[i];
        if (strchr(name, '/') || (unlinkat(dir, name, 0) && errno != ENOENT)) {
            error = errno;
            bad = name;
        }
    }
    if (bad) {
        errno = error;
        reply_errno(w, r->seq, "cannot remove", bad);
    } else {
        reply_ok(w, r->seq);
    }
    list_free(&names);
    if (dir >= 0) {
        close(dir);
    }
}

/* Renames to a name whose parent another CE on the same sandboxes may remove between, when it was empty. */
static bool rename_into(struct work *w, int source, const char *from_name, const char *to) {
    struct stat st;
    for (int tries = 0; tries < 3; tries++) {
        const char *to_name;
        errno = EXDEV;
        int target = to && *to ? path_parent(w->config, to, true, &to_name) : -1;
        bool done = target >= 0 && renameat(source, from_name, target, to_name) == 0;
        int error = errno;
        if (target >= 0) {
            close(target);
        }
        errno = error;
        if (done || error != ENOENT) {
            return done;
        }
        if (fstatat(source, from_name, &st, AT_SYMLINK_NOFOLLOW)) {
            return errno == ENOENT;
        }
    }
    errno = ENOENT;
    return false;
}

static void rename_away(struct work *w, const struct request *r) {
    const char *from = below(w->config, r->args[0]), *to = below(w->config, r->args[1]);
    const char *from_name;
    struct stat st;
    int source = from && *from ? path_parent(w->config, from, false, &from_name) : -1;
    if (source < 0 || fstatat(source, from_name, &st, AT_SYMLINK_NOFOLLOW)) {
        if (errno == ENOENT) {
            reply_ok(w, r->seq);
        } else {
            reply_errno(w, r->seq, "cannot rename", r->args[0]);
        }
    } else if (rename_into(w, source, from_name, to)) {
        reply_ok(w, r->seq);
    } else {
        reply_errno(w, r->seq, "cannot rename to", r->args[1]);
    }
    if (source >= 0) {
        close(source);
    }
}

void file_work(struct work *w, const struct request *r) {
    switch (r->verb) {
        case VERB_MKDIR:
            make(w, r);
            break;
        case VERB_PUT:
            put(w, r);
            break;
        case VERB_GET:
            get(w, r);
            break;
        case VERB_LIST:
            list(w, r, false);
            break;
        case VERB_COLLECT:
            list(w, r, true);
            break;
        case VERB_DISCARD:
            discard(w, r);
            break;
        case VERB_RENAME:
            rename_away(w, r);
            break;
        default:
            reply_text(w, r->seq, RESULT_FAILED, "unknown verb");
    }
}
