/*
 * Control groups of jobs; see cgroup.h.
 */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"

#define ACCOUNT "account-" /* no file of the kernel begins so, whatever the account is called */
#define JOB "job-"
#define WORKER "worker"
#define PROCESSES "cgroup.procs"

static int account_group = -1;

static int open_group(int at, const char *name) { return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

/* 0, or -1 with errno; never makes a file. */
static int put(int group, const char *file, const char *text) {
    int fd = openat(group, file, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    ssize_t n = write(fd, text, strlen(text));
    int error = errno;
    close(fd);
    errno = error;
    return n < 0 ? -1 : 0;
}

static void put_limit(int group, const char *file, uint64_t limit) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)limit);
    if (put(group, file, limit == LIMIT_NONE ? "max" : text) && limit != LIMIT_NONE) {
        note("cannot set %s of a control group: %s", file, strerror(errno));
    }
}

/* One by one: the kernel takes all or none. Without one of them its limits alone are missing. */
static void pass_controllers(int group) {
    put(group, "cgroup.subtree_control", "+memory");
    put(group, "cgroup.subtree_control", "+pids");
}

/* The kernel keeps those that have processes. */
static void remove_empty(int group, const char *prefix) {
    int fd = open_group(group, ".");
    DIR *all = fd < 0 ? NULL : fdopendir(fd);
    for (const struct dirent *e; all && (e = readdir(all));) {
        if (strncmp(e->d_name, prefix, strlen(prefix))) {
            continue;
        }
        int below = strcmp(prefix, ACCOUNT) ? -1 : open_group(group, e->d_name);
        if (below >= 0) {
            remove_empty(below, JOB);
            unlinkat(below, WORKER, AT_REMOVEDIR);
            close(below);
        }
        unlinkat(group, e->d_name, AT_REMOVEDIR);
    }
    if (all) {
        closedir(all);
    } else if (fd >= 0) {
        close(fd);
    }
}

void cgroup_prepare(const struct config *c) {
    int group = c->job_cgroup && c->is_root ? open_group(AT_FDCWD, c->job_cgroup) : -1;
    if (group >= 0) {
        remove_empty(group, ACCOUNT);
        pass_controllers(group);
        close(group);
    } else if (c->job_cgroup) {
        note("job_cgroup %s: %s; jobs run in the control group of the CE: start gelato-jobs.service, or remove the line", c->job_cgroup,
             c->is_root ? strerror(errno) : "only a helper of root uses it");
    }
}

void cgroup_enter(const struct config *c, const struct account *a) {
    if (!c->job_cgroup || !c->is_root || !strcmp(a->name, SELF)) {
        return;
    }
    char name[sizeof ACCOUNT + ACCOUNT_NAME_MAX];
    snprintf(name, sizeof name, ACCOUNT "%s", a->name);
    int all = open_group(AT_FDCWD, c->job_cgroup);
    if (all < 0) {
        return; /* said at the start */
    }
    int group = mkdirat(all, name, 0755) == 0 || errno == EEXIST ? open_group(all, name) : -1;
    close(all);
    if (group < 0 || (mkdirat(group, WORKER, 0755) && errno != EEXIST) || put(group, WORKER "/" PROCESSES, "0")) {
        note("no control group for %s: %s", a->name, strerror(errno));
        if (group >= 0) {
            close(group);
        }
        return;
    }
    pass_controllers(group);
    put_limit(group, "memory.max", c->account_memory);
    put_limit(group, "pids.max", c->account_processes);
    if (fchown(group, a->uid, a->gid) || fchownat(group, PROCESSES, a->uid, a->gid, AT_SYMLINK_NOFOLLOW)) {
        note("no control groups for jobs of %s: %s", a->name, strerror(errno));
        close(group);
        return;
    }
    account_group = group;
}

int cgroup_of_job(void) {
    static unsigned long jobs;
    if (account_group < 0) {
        return -1;
    }
    remove_empty(account_group, JOB);
    char name[64];
    snprintf(name, sizeof name, JOB "%d-%lu", (int)getpid(), ++jobs);
    int group = mkdirat(account_group, name, 0755) ? -1 : open_group(account_group, name);
    if (group < 0) {
        return -1;
    }
    put(group, "memory.oom.group", "1"); /* a job without one of its processes is no job */
    int fd = openat(group, PROCESSES, O_WRONLY | O_CLOEXEC);
    close(group);
    return fd;
}
