/*
 * Files that are written whole; see file.h.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"

int write_whole(int fd, const char *bytes, size_t len) {
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR) {
            return -1;
        }
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return 0;
}

int close_written(int fd, int failed, bool durable) {
    failed = failed || (durable && fsync(fd));
    int error = errno;
    if (close(fd) && !failed) {
        return -1;
    }
    errno = error;
    return failed ? -1 : 0;
}

int file_put(const struct config *c, const char *path, unsigned mode, const char *bytes, size_t len, bool durable) {
    static unsigned counter;
    const char *name, *rel = path_below(c, path);
    errno = EXDEV;
    int dir = rel && *rel ? path_parent(c, rel, true, &name) : -1;
    if (dir < 0) {
        return -1;
    }
    char temporary[64];
    snprintf(temporary, sizeof temporary, FILE_TEMPORARY "%d.%u", (int)getpid(), counter++);
    int fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST) { /* of a former process with our number */
        unlinkat(dir, temporary, 0);
        fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    int failed = fd < 0 || close_written(fd, write_whole(fd, bytes, len) || fchmod(fd, mode), durable) ||
                 renameat(dir, temporary, dir, name);
    int error = errno;
    if (fd >= 0 && failed) {
        unlinkat(dir, temporary, 0);
    } else if (fd >= 0 && durable && fsync(dir)) {
        failed = 1;
        error = errno;
    }
    close(dir);
    errno = error;
    return failed ? -1 : 0;
}
