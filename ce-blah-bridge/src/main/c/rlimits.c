/*
 * Resource limits; see rlimits.h.
 */
#include "rlimits.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "buf.h"

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

void limits_helper(void) { lower(RLIMIT_CORE, "core files", &core, 0); }

void limits_worker(const struct config *c) {
    /* three pipes a command, a daemon's connections, and what one request opens on its way through a path */
    lower(RLIMIT_NOFILE, "descriptors", &files,
          3 * c->max_children + (SERVICE_CONNECTIONS + 1) * c->account_services.count + 64);
#ifndef __SANITIZE_ADDRESS__ /* which maps terabytes to begin with */
    lower(RLIMIT_AS, "memory", &memory, c->worker_memory);
#else
    lower(RLIMIT_AS, "memory", &memory, RLIM_INFINITY);
#endif
}

/* Soft and hard, so that the command cannot undo it; `none` gives back what the helper had. */
static int hold(int which, const struct rlimit *found, uint64_t limit) {
    struct rlimit held = *found;
    if (limit != LIMIT_NONE) {
        held.rlim_max = least(found->rlim_max, limit);
        held.rlim_cur = held.rlim_max;
    }
    return setrlimit(which, &held) ? errno : 0;
}

int limits_command(const struct config *c) {
    struct rlimit processes;
    int error = getrlimit(RLIMIT_NPROC, &processes) ? errno : hold(RLIMIT_NPROC, &processes, c->command_processes);
    error = error ? error : hold(RLIMIT_CORE, &core, c->command_core);
    error = error ? error : hold(RLIMIT_NOFILE, &files, c->command_files);
    return error ? error : hold(RLIMIT_AS, &memory, c->command_memory);
}
