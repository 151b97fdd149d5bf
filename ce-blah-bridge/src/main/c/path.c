/*
 * Paths below the sandbox root; see path.h.
 */
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *path_below(const struct config *c, const char *path) {
    size_t n = strlen(c->sandbox_root);
    if (strlen(path) >= PATH_MAX || strncmp(path, c->sandbox_root, n) || (path[n] && path[n] != '/')) {
        return NULL;
    }
    const char *rel = path + n;
    if (!*rel) {
        return rel;
    }
    rel++;
    for (const char *p = rel;;) {
        size_t part = strcspn(p, "/");
        if (part == 0 || part > NAME_MAX || (part == 1 && p[0] == '.') || (part == 2 && p[0] == '.' && p[1] == '.')) {
            return NULL;
        }
        if (!p[part]) {
            return rel;
        }
        p += part + 1;
    }
}

static int root_fd = -1;

int path_root(const struct config *c) {
    if (root_fd < 0) {
        root_fd = open(c->sandbox_root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    return root_fd;
}

void path_forget(void) { root_fd = -1; }

/* One part of a path below a directory we hold; a link is refused even where the kernel would say something else. */
static int open_part(int dir, const char *part, int flags, mode_t mode) {
    int fd = openat(dir, part, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0 && errno == ENOTDIR) {
        struct stat st;
        bool link = fstatat(dir, part, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
        errno = link ? ELOOP : ENOTDIR;
    }
    return fd;
}

static void close_keeping_errno(int fd) {
    int saved = errno;
    close(fd);
    errno = saved;
}

/*
 * Walks to a path one directory at a time; with `make`, absent ones are made on the way and the last part must be a
 * directory too.
 */
static int walk(int root, const char *rel, int flags, mode_t mode, bool make) {
    int dir = fcntl(root, F_DUPFD_CLOEXEC, 3);
    while (dir >= 0) {
        size_t n = strcspn(rel, "/");
        bool last = !rel[n];
        char part[NAME_MAX + 1];
        memcpy(part, rel, n);
        part[n] = 0;
        int want = last ? flags : O_PATH | O_DIRECTORY;
        int fd = open_part(dir, part, want, last ? mode : 0);
        if (fd < 0 && errno == ENOENT && make) {
            if (mkdirat(dir, part, 0700) == 0 || errno == EEXIST) {
                fd = open_part(dir, part, want, 0);
            }
        }
        close_keeping_errno(dir);
        if (last || fd < 0) {
            return fd;
        }
        dir = fd;
        rel += n + 1;
    }
    return dir;
}

int path_open(const struct config *c, const char *rel, int flags, mode_t mode) {
    static bool no_openat2;
    int root = path_root(c);
    if (root < 0) {
        return -1;
    }
    if (!*rel) {
        return openat(root, ".", flags | O_CLOEXEC);
    }
    if (!c->walk && !no_openat2) {
        struct open_how how = {
            .flags = (uint64_t)(unsigned)(flags | O_CLOEXEC), /* O_NOFOLLOW would say ENOTDIR of a link, not ELOOP */
            .mode = flags & O_CREAT ? mode : 0,
            .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
        };
        for (int tries = 0; tries < 100; tries++) {
            long fd = syscall(SYS_openat2, root, rel, &how, sizeof how);
            if (fd >= 0) {
                return (int)fd;
            }
            if (errno != EAGAIN && errno != EINTR) { /* EAGAIN: something was renamed meanwhile */
                break;
            }
        }
        if (errno != ENOSYS && errno != EPERM) { /* EPERM: container rules older than the call */
            return -1;
        }
        no_openat2 = errno == ENOSYS;
    }
    return walk(root, rel, flags, mode, false);
}

int path_make(const struct config *c, const char *rel) {
    int fd = path_open(c, rel, O_RDONLY | O_DIRECTORY, 0);
    if (fd >= 0 || errno != ENOENT) {
        return fd;
    }
    int root = path_root(c);
    return root < 0 ? -1 : walk(root, rel, O_RDONLY | O_DIRECTORY, 0, true);
}

int path_parent(const struct config *c, const char *rel, bool make, const char **name) {
    const char *slash = strrchr(rel, '/');
    if (!slash) {
        *name = rel;
        return path_open(c, "", O_PATH | O_DIRECTORY, 0);
    }
    char parent[PATH_MAX];
    size_t n = (size_t)(slash - rel);
    memcpy(parent, rel, n);
    parent[n] = 0;
    *name = slash + 1;
    return make ? path_make(c, parent) : path_open(c, parent, O_PATH | O_DIRECTORY, 0);
}
