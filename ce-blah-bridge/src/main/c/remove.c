/*
 * Removing trees, a slice at a time.
 *
 * Trust boundary: the tree belongs to a hostile account: any depth, any width, changing meanwhile. Invariant: no link is
 * followed, three descriptors are enough for any depth, and other work is never kept waiting for more than a slice.
 *
 * Depth is taken away instead of walked: what lies in a directory below the top is removed, and directories in it that are
 * not empty are renamed up into the top, so that every step works at one level.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"
#include "worker.h"

#define SLICE 256
#define FRUITLESS_PASSES 3

struct removal {
    struct removal *next;
    uint64_t seq;
    char *path;
    int parent;
    char name[NAME_MAX + 1];
    DIR *top, *sub;
    char sub_name[NAME_MAX + 1];
    unsigned long moved;
    bool progress; /* in this pass over the top */
    int fruitless;
    int error;
};

/* Gives a directory its owner's rights back; by descriptor, as its name may mean a link by now. */
static void open_up(int at, const char *name) {
    char self[64];
    int fd = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
        if (chmod(self, 0700)) {
            note("cannot open up a directory to remove it: %s", strerror(errno)); /* the next step fails and says so */
        }
        close(fd);
    }
}

static DIR *open_to_empty(int at, const char *name) {
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(at, name, flags);
    struct stat st;
    if ((fd < 0 && errno == EACCES) || (fd >= 0 && fstat(fd, &st) == 0 && (st.st_mode & 0700) != 0700)) {
        open_up(at, name);
        fd = fd < 0 ? openat(at, name, flags) : fd;
    }
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (fd >= 0 && !dir) {
        close(fd);
    }
    return dir;
}

static bool is_dots(const char *name) { return !strcmp(name, ".") || !strcmp(name, ".."); }

/* Removes an entry that is no directory, or an empty one: 1 gone, 0 a directory with something in it, -1 with errno. */
static int remove_flat(int at, const char *name) {
    if (unlinkat(at, name, 0) == 0 || errno == ENOENT) {
        return 1;
    }
    if (errno != EISDIR && errno != EPERM) {
        return -1;
    }
    if (unlinkat(at, name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
        return 1;
    }
    if (errno == ENOTDIR) {
        errno = EPERM;
        return -1;
    }
    return errno == ENOTEMPTY || errno == EEXIST ? 0 : -1;
}

void removal_queue(struct work *w, const struct request *r) {
    const char *name = NULL, *rel = path_below(w->config, r->args[0]);
    errno = EXDEV;
    int parent = rel && *rel ? path_parent(w->config, rel, false, &name) : -1;
    if (parent < 0 && errno != ENOENT) {
        answer_errno(w, r->seq, "cannot remove", r->args[0]);
        return;
    }
    int gone = parent < 0 ? 1 : remove_flat(parent, name);
    if (gone) {
        if (gone == 1) {
            answer_ok(w, r->seq);
        } else {
            answer_errno(w, r->seq, "cannot remove", r->args[0]);
        }
        if (parent >= 0) {
            close(parent);
        }
        return;
    }
    struct removal *m = must_alloc(sizeof *m);
    *m = (struct removal){.seq = r->seq, .parent = parent};
    snprintf(m->name, sizeof m->name, "%s", name);
    m->path = must_copy(r->args[0], strlen(r->args[0]));
    *w->removals_end = m;
    w->removals_end = &m->next;
}

static int move_up(struct removal *m, const char *name) {
    bool opened = false;
    for (int tries = 0; tries < 100; tries++) {
        char up[64];
        snprintf(up, sizeof up, ".gelato-rm.%d.%lu", (int)getpid(), m->moved++);
        if (renameat(dirfd(m->sub), name, dirfd(m->top), up) == 0) {
            return 0;
        }
        if (errno == EACCES && !opened) { /* the move writes its ".." */
            open_up(dirfd(m->sub), name);
            opened = true;
        } else if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) {
            return -1;
        }
    }
    return -1;
}

static void keep_error(struct removal *m) { m->error = m->error ? m->error : errno; }

/* One entry of the directory below the top. */
static void step_sub(struct removal *m) {
    struct dirent *e = readdir(m->sub);
    if (!e) {
        closedir(m->sub);
        m->sub = NULL;
        if (unlinkat(dirfd(m->top), m->sub_name, AT_REMOVEDIR) == 0) {
            m->progress = true;
        } else if (errno != ENOTEMPTY && errno != ENOENT) {
            keep_error(m);
        }
        return;
    }
    if (is_dots(e->d_name)) {
        return;
    }
    int gone = remove_flat(dirfd(m->sub), e->d_name);
    if (gone == 1 || (gone == 0 && move_up(m, e->d_name) == 0)) {
        m->progress = true;
    } else {
        keep_error(m);
    }
}

/* One entry of the top; true when the tree is gone or cannot be removed (then with m->error). */
static bool step_top(struct removal *m) {
    struct dirent *e = readdir(m->top);
    if (!e) {
        if (unlinkat(m->parent, m->name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
            m->error = 0;
            return true;
        }
        keep_error(m);
        m->fruitless = m->progress ? 0 : m->fruitless + 1;
        if (m->fruitless >= FRUITLESS_PASSES) {
            return true;
        }
        m->error = 0;
        m->progress = false;
        rewinddir(m->top);
        return false;
    }
    if (is_dots(e->d_name)) {
        return false;
    }
    int gone = remove_flat(dirfd(m->top), e->d_name);
    if (gone == 1) {
        m->progress = true;
    } else if (gone < 0 || !(m->sub = open_to_empty(dirfd(m->top), e->d_name))) {
        keep_error(m);
    } else {
        snprintf(m->sub_name, sizeof m->sub_name, "%s", e->d_name);
    }
    return false;
}

static bool step(struct removal *m) {
    if (!m->top) {
        m->top = open_to_empty(m->parent, m->name);
        if (!m->top) {
            m->error = errno == ENOENT ? 0 : errno;
            return true;
        }
    }
    for (int i = 0; i < SLICE; i++) {
        if (m->sub) {
            step_sub(m);
        } else if (step_top(m)) {
            return true;
        }
    }
    return false;
}

void removal_step(struct work *w) {
    struct removal *m = w->removals;
    if (!m) {
        return;
    }
    w->removals = m->next;
    if (!w->removals) {
        w->removals_end = &w->removals;
    }
    m->next = NULL;
    if (!step(m)) { /* to the end of the row: a tree that never gets empty holds up no other */
        *w->removals_end = m;
        w->removals_end = &m->next;
        return;
    }
    errno = m->error;
    if (m->error) {
        answer_errno(w, m->seq, "cannot remove", m->path);
    } else {
        answer_ok(w, m->seq);
    }
    if (m->top) {
        closedir(m->top);
    }
    if (m->sub) {
        closedir(m->sub);
    }
    close(m->parent);
    free(m->path);
    free(m);
}
