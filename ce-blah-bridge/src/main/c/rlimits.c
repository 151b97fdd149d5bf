/*
 * Resource limits; see rlimits.h.
 */
#include "rlimits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "buf.h"
#include "file.h"

/* The usual soft limit: select() knows no more. The JVM raises its own to the hard one, and the helper inherits that. */
#define USUAL_FILES 1024
/* For what runs as accounts: half of the host's memory counts as theirs, so the JVM and its database are killed after them. */
#define ACCOUNTS_OOM_SCORE 500

static struct rlimit core, memory, files; /* as the helper found them */

static rlim_t least(rlim_t a, rlim_t b) { return a < b ? a : b; }

static void lower(int which, const char *name, struct rlimit *found, uint64_t soft) {
    if (getrlimit(which, found)) {
        die("cannot read the limit of %s: %s", name, strerror(errno));
    }
    struct rlimit lower = {.rlim_cur = least(found->rlim_cur, soft), .rlim_max = found->rlim_max};
    if (setrlimit(which, &lower)) {
        die("cannot limit %s: %s", name, strerror(errno));
    }
}

void limits_helper(void) {
    lower(RLIMIT_CORE, "core files", &core, 0);
    lower(RLIMIT_NOFILE, "descriptors", &files, USUAL_FILES);
}

void limits_oom(void) {
    char text[16] = {0};
    int fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (fd >= 0 && pread(fd, text, sizeof text - 1, 0) > 0 && atoi(text) < ACCOUNTS_OOM_SCORE) {
        int n = snprintf(text, sizeof text, "%d", ACCOUNTS_OOM_SCORE);
        if (close_written(fd, write_whole(fd, text, (size_t)n), false)) {
            note("cannot write oom_score_adj: %s", strerror(errno));
        }
    } else if (fd >= 0) {
        close(fd);
    }
}

void limits_worker(const struct config *c) {
    /* three pipes a command, a daemon's connections, and what one request opens on its way through a path */
    struct rlimit helpers;
    lower(RLIMIT_NOFILE, "descriptors", &helpers,
          3 * c->max_children + (SERVICE_CONNECTIONS + 1) * c->account_services.count + 64);
#ifndef __SANITIZE_ADDRESS__ /* which maps terabytes to begin with */
    lower(RLIMIT_AS, "memory", &memory, c->worker_memory);
#else
    lower(RLIMIT_AS, "memory", &memory, RLIM_INFINITY);
#endif
}

/* Soft and hard, so that the command cannot undo it; `none` gives back what the helper had, and less of it to begin with. */
static int hold(int which, const struct rlimit *found, uint64_t limit, rlim_t soft) {
    struct rlimit held = {.rlim_cur = least(found->rlim_cur, soft), .rlim_max = found->rlim_max};
    if (limit != LIMIT_NONE) {
        held.rlim_max = least(found->rlim_max, limit);
        held.rlim_cur = held.rlim_max;
    }
    return setrlimit(which, &held) ? errno : 0;
}

int limits_command(const struct config *c) {
    struct rlimit processes, locked;
    if (getrlimit(RLIMIT_NPROC, &processes) || getrlimit(RLIMIT_MEMLOCK, &locked)) {
        return errno;
    }
    int error = hold(RLIMIT_NPROC, &processes, c->command_processes, RLIM_INFINITY);
    error = error ? error : hold(RLIMIT_CORE, &core, c->command_core, 0);
    error = error ? error : hold(RLIMIT_NOFILE, &files, c->command_files, USUAL_FILES);
    error = error ? error : hold(RLIMIT_MEMLOCK, &locked, c->command_locked, RLIM_INFINITY);
    return error ? error : hold(RLIMIT_AS, &memory, c->command_memory, RLIM_INFINITY);
}
