/*
 * Removing trees, a slice at a time.
 *
 * Trust boundary: the tree belongs to a hostile account: any depth, any width, changing meanwhile. Invariant: no link is
 * followed, four descriptors are enough for a tree of any depth, any number of trees takes those of IN_FLIGHT, and other work is
 * never kept waiting for more than a slice.
 *
 * Two levels below the top are walked: a sandbox in a trash directory is no deeper. Further depth is taken away instead: at the
 * lowest level directories that are not empty are renamed up into the top.
 */
#include "remove.h"

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
#include "reply.h"

#define SLICE 256
#define LEVELS 3
#define FRUITLESS_PASSES 3
/* Trees that take turns; each has its parent and LEVELS directories open. The others of the queue have nothing open. */
#define IN_FLIGHT 8

struct removal {
    struct removal *next;
    uint64_t seq;
    char *path;
    int parent; /* -1: its turn has not come */
    char name[NAME_MAX + 1];
    DIR *dirs[LEVELS];                  /* the top first */
    char names[LEVELS][NAME_MAX + 1]; /* but the top's */
    int level;                          /* the lowest that is open */
    unsigned long moved;
    bool progress; /* in this pass over the top */
    int fruitless;
    int error;                /* the first of this pass; 0 for none */
    unsigned long left;       /* entries of this pass that could not be removed */
    char one[NAME_MAX + 1]; /* the first of them */
};

/*
 * Gives a directory its owner's rights back; by descriptor, as its name may mean a link by now. False with errno: another
 * account's, for example.
 */
static bool open_up(int at, const char *name) {
    char self[64];
    int fd = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    bool done = chmod(self, 0700) == 0;
    int error = errno;
    close(fd);
    errno = error;
    return done;
}

static DIR *open_to_empty(int at, const char *name) {
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(at, name, flags);
    struct stat st;
    if ((fd < 0 && errno == EACCES) || (fd >= 0 && fstat(fd, &st) == 0 && (st.st_mode & 0700) != 0700)) {
        bool opened = open_up(at, name);
        fd = fd < 0 && opened ? openat(at, name, flags) : fd;
    }
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (fd >= 0 && !dir) {
        close(fd);
    }
    return dir;
}

static bool is_dots(const char *name) { return !strcmp(name, ".") || !strcmp(name, ".."); }

/*
 * Removes an entry that is no directory, or an empty one: 1 gone, 0 a directory with something in it, -1 with errno. The type
 * it had when it was listed saves a try, and is not relied on.
 */
static int remove_flat(int at, const char *name, unsigned char type) {
    if (type != DT_DIR) {
        if (unlinkat(at, name, 0) == 0 || errno == ENOENT) {
            return 1;
        }
        if (errno != EISDIR && errno != EPERM) {
            return -1;
        }
    }
    if (unlinkat(at, name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
        return 1;
    }
    if (errno == ENOTDIR) {
        if (type == DT_DIR) { /* replaced since it was listed */
            return remove_flat(at, name, DT_UNKNOWN);
        }
        errno = EPERM;
        return -1;
    }
    return errno == ENOTEMPTY || errno == EEXIST ? 0 : -1;
}

/*
 * Opens the directory that the tree is in. An entry without anything in it is removed at once. True when that is the end, of
 * which m->error is the result; false leaves the parent open.
 */
static bool open_parent(const struct work *w, struct removal *m) {
    const char *name = NULL, *rel = path_below(w->config, m->path);
    errno = EXDEV;
    m->parent = rel && *rel ? path_parent(w->config, rel, false, &name) : -1;
    if (m->parent < 0) {
        m->error = errno == ENOENT ? 0 : errno;
        return true;
    }
    int gone = remove_flat(m->parent, name, DT_UNKNOWN);
    if (gone) {
        m->error = gone == 1 ? 0 : errno;
        return true;
    }
    snprintf(m->name, sizeof m->name, "%s", name);
    return false;
}

static void add_last(struct removal ***end, struct removal *m) {
    m->next = NULL;
    **end = m;
    *end = &m->next;
}

static struct removal *take_first(struct removal **first, struct removal ***end) {
    struct removal *m = *first;
    *first = m->next;
    if (!*first) {
        *end = first;
    }
    return m;
}

static int move_up(struct removal *m, const char *name) {
    int from = dirfd(m->dirs[m->level]);
    bool opened = false;
    for (int tries = 0; tries < 100; tries++) {
        char up[64];
        snprintf(up, sizeof up, ".gelato-rm.%d.%lu", (int)getpid(), m->moved++);
        if (renameat(from, name, dirfd(m->dirs[0]), up) == 0) {
            return 0;
        }
        if (errno == EACCES && !opened) { /* the move writes its ".." */
            opened = open_up(from, name);
            if (!opened) {
                return -1;
            }
        } else if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) {
            return -1;
        }
    }
    return -1;
}

static void keep_error(struct removal *m, const char *name) {
    if (!m->left++) {
        m->error = errno;
        snprintf(m->one, sizeof m->one, "%s", name);
    }
}

/* The end of a directory below the top. */
static void step_up(struct removal *m) {
    closedir(m->dirs[m->level]);
    m->dirs[m->level] = NULL;
    const char *name = m->names[m->level--];
    if (unlinkat(dirfd(m->dirs[m->level]), name, AT_REMOVEDIR) == 0) {
        m->progress = true;
    } else if (errno != ENOTEMPTY && errno != ENOENT) {
        keep_error(m, name);
    }
}

/* The end of the top; true when the tree is gone or cannot be removed (then with m->error). */
static bool step_out(struct removal *m) {
    if (unlinkat(m->parent, m->name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
        m->error = 0;
        return true;
    }
    m->error = m->error ? m->error : errno;
    m->fruitless = m->progress ? 0 : m->fruitless + 1;
    if (m->fruitless >= FRUITLESS_PASSES) {
        return true;
    }
    m->error = 0;
    m->left = 0;
    m->progress = false;
    rewinddir(m->dirs[0]);
    return false;
}

/* A directory with something in it. */
static bool step_into(struct removal *m, const char *name) {
    if (m->level + 1 == LEVELS) {
        bool moved = move_up(m, name) == 0;
        m->progress = m->progress || moved;
        return moved;
    }
    DIR *dir = open_to_empty(dirfd(m->dirs[m->level]), name);
    if (dir) {
        m->dirs[++m->level] = dir;
        snprintf(m->names[m->level], sizeof m->names[m->level], "%s", name);
    }
    return dir;
}

/* One entry of the lowest directory; true as of step_out. */
static bool step_entry(struct removal *m) {
    struct dirent *e = readdir(m->dirs[m->level]);
    if (!e && m->level == 0) {
        return step_out(m);
    }
    if (!e) {
        step_up(m);
        return false;
    }
    if (is_dots(e->d_name)) {
        return false;
    }
    int gone = remove_flat(dirfd(m->dirs[m->level]), e->d_name, e->d_type);
    if (gone == 1) {
        m->progress = true;
    } else if (gone < 0 || !step_into(m, e->d_name)) {
        keep_error(m, e->d_name);
    }
    return false;
}

static bool step(struct removal *m) {
    if (!m->dirs[0]) {
        m->dirs[0] = open_to_empty(m->parent, m->name);
        if (!m->dirs[0]) {
            m->error = errno == ENOENT ? 0 : errno;
            return true;
        }
    }
    for (int i = 0; i < SLICE; i++) {
        if (step_entry(m)) {
            return true;
        }
    }
    return false;
}

/* One result for all that is left, however much that is. */
static void report(struct work *w, const struct removal *m) {
    char name[PATH_MAX];
    errno = m->error;
    if (!m->left) {
        reply_errno(w, m->seq, "cannot remove", m->path);
        return;
    }
    int n = snprintf(name, sizeof name, "%.400s with %lu entries that stay, one is '%s'", m->path, m->left, m->one);
    for (int i = 0; i < n && name[i]; i++) {
        name[i] = name[i] < ' ' || name[i] > '~' ? '?' : name[i]; /* a name is the account's to choose */
    }
    errno = m->error;
    reply_errno(w, m->seq, "cannot remove", name);
}

/* The result, and the end. */
static void conclude(struct work *w, struct removal *m) {
    if (m->error) {
        report(w, m);
    } else {
        reply_ok(w, m->seq);
    }
    for (int i = 0; i < LEVELS && m->dirs[i]; i++) {
        closedir(m->dirs[i]);
    }
    if (m->parent >= 0) {
        close(m->parent);
    }
    free(m->path);
    free(m);
}

void removal_queue(struct work *w, const struct request *r) {
    struct removal *m = must_alloc(sizeof *m);
    *m = (struct removal){.seq = r->seq, .parent = -1};
    m->path = must_copy(r->args[0], strlen(r->args[0]));
    if (open_parent(w, m)) {
        conclude(w, m);
    } else if (w->removing < IN_FLIGHT) {
        w->removing++;
        add_last(&w->removals_end, m);
    } else {
        close(m->parent);
        m->parent = -1;
        add_last(&w->waiting_end, m);
    }
}

void removal_step(struct work *w) {
    while (w->waiting && w->removing < IN_FLIGHT) {
        struct removal *m = take_first(&w->waiting, &w->waiting_end);
        if (open_parent(w, m)) {
            conclude(w, m);
        } else {
            w->removing++;
            add_last(&w->removals_end, m);
        }
    }
    if (!w->removals) {
        return;
    }
    struct removal *m = take_first(&w->removals, &w->removals_end);
    if (step(m)) {
        w->removing--;
        conclude(w, m);
    } else {
        add_last(&w->removals_end, m); /* a tree that never gets empty holds up no other that has its turn */
    }
}
