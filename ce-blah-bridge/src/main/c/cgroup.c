/*
 * Control groups of jobs; see cgroup.h.
 */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "file.h"

#define ACCOUNT "account-" /* no file of the kernel begins so, whatever the account is called */
#define JOB "job-"
#define WORKER "worker"
#define PROCESSES "cgroup.procs"

static int account_group = -1;

static int open_group(int at, const char *name) { return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

/* 0, or -1 with errno; never makes a file. */
static int put(int group, const char *file, const char *text) {
    int fd = openat(group, file, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? -1 : close_written(fd, write_whole(fd, text, strlen(text)), false);
}

static void put_limit(int group, const char *file, uint64_t limit) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)limit);
    if (put(group, file, limit == LIMIT_NONE ? "max" : text) && limit != LIMIT_NONE) {
        note("cannot set %s of a control group: %s", file, strerror(errno));
    }
}

/* One by one: the kernel takes all or none. Without one of them its limits alone are missing. */
static bool pass_controllers(int group) {
    bool memory = put(group, "cgroup.subtree_control", "+memory") == 0;
    return put(group, "cgroup.subtree_control", "+pids") == 0 && memory;
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
        if (!pass_controllers(group)) {
            note("job_cgroup %s does not pass on memory and pids: limits of jobs are missing there", c->job_cgroup);
        }
        close(group);
    } else if (c->job_cgroup) {
        note("job_cgroup %s: %s; jobs run in the control group of the CE: start gelato-jobs.service, or remove the line", c->job_cgroup,
             c->is_root ? strerror(errno) : "only a helper of root uses it");
    }
}

/* In a group of its account the worker could be frozen. What runs in one of that name ends; the next try finds it empty. */
static int make_worker(int group, const char *account) {
    struct stat st;
    if (mkdirat(group, WORKER, 0755) == 0) {
        return 0;
    }
    if (errno != EEXIST || fstatat(group, WORKER, &st, AT_SYMLINK_NOFOLLOW)) {
        return -1;
    }
    if (st.st_uid == 0) {
        return 0;
    }
    put(group, WORKER "/cgroup.kill", "1");
    if (unlinkat(group, WORKER, AT_REMOVEDIR) || mkdirat(group, WORKER, 0755)) {
        die("the account %s has made the control group of its worker, which is root's to make", account);
    }
    return 0;
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
    if (group < 0 || make_worker(group, a->name) || put(group, WORKER "/" PROCESSES, "0")) {
        note("no control group for %s: %s", a->name, strerror(errno));
        if (group >= 0) {
            close(group);
        }
        return;
    }
    pass_controllers(group);
    put_limit(group, "memory.max", c->account_memory);
    put_limit(group, "pids.max", c->account_processes);
    put(group, "cgroup.max.descendants", "1000"); /* the kernel has 65535 with memory for the whole host */
    if (fchown(group, a->uid, a->gid) || fchownat(group, PROCESSES, a->uid, a->gid, AT_SYMLINK_NOFOLLOW)) {
        note("no control groups for jobs of %s: %s", a->name, strerror(errno));
        close(group);
        return;
    }
    account_group = group;
}

bool cgroup_keeps(const struct config *c, const struct account *a, pid_t pid) {
    char own[sizeof ACCOUNT + ACCOUNT_NAME_MAX + 2], text[16384], place[2 * PATH_MAX];
    if (!c->job_cgroup || !c->is_root || !strcmp(a->name, SELF)) {
        return true;
    }
    snprintf(text, sizeof text, "/proc/%d/cgroup", (int)pid);
    int fd = open(text, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return true;
    }
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0) {
        return false; /* the account has nested groups until the path is too long for the kernel */
    }
    text[n] = 0;
    char *line = strncmp(text, "0::", 3) ? strstr(text, "\n0::") : text;
    if (!line) {
        return true;
    }
    line += *line == '\n';
    line[strcspn(line, "\n")] = 0;
    snprintf(own, sizeof own, "/" ACCOUNT "%s/", a->name);
    const char *below = strstr(line, own); /* one that never entered has none, and nobody leaves */
    struct stat st;
    return !below || (snprintf(place, sizeof place, "%s%s", c->job_cgroup, below) < (int)sizeof place &&
                      stat(place, &st) == 0 && st.st_uid == 0);
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
