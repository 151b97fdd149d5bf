/*
 * What a worker that was killed has left behind; see orphans.h.
 */
#include "orphans.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "buf.h"

/* A process may fork between the look at it and its end: looked at again until none is left. */
#define PASSES 200

/* Whether a process lives and is in the session; the name before the last ')' is the process's own choice. */
static bool in_session(pid_t pid, pid_t session) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0) {
        return false;
    }
    text[n] = 0;
    const char *end = strrchr(text, ')');
    char state;
    int parent, group, of;
    return end && sscanf(end + 1, " %c %d %d %d", &state, &parent, &group, &of) == 4 && of == session && state != 'Z' &&
           state != 'X';
}

/*
 * Held by a descriptor before it is looked at, a process cannot have given its number to another one of the account when it
 * is killed. Returns whether it was in the session.
 */
static bool end_if_in(pid_t pid, pid_t session) {
    int held = (int)syscall(SYS_pidfd_open, pid, 0);
    if (held < 0 && errno != ENOSYS && errno != EPERM) {
        return false; /* it has ended, or it is a thread's number */
    }
    bool found = in_session(pid, session);
    if (found) {
        /* kernels before 5.3, and containers that forbid the call, leave the moment between look and end */
        held < 0 ? kill(pid, SIGKILL) : syscall(SYS_pidfd_send_signal, held, SIGKILL, NULL, 0);
    }
    if (held >= 0) {
        close(held);
    }
    return found;
}

void orphans_kill(pid_t session) {
    for (int pass = 0; pass < PASSES; pass++) {
        DIR *all = opendir("/proc");
        if (!all) {
            die("cannot look for processes: %s", strerror(errno));
        }
        int found = 0;
        for (const struct dirent *e; (e = readdir(all));) {
            pid_t pid = (pid_t)atoi(e->d_name);
            found += pid > 1 && end_if_in(pid, session);
        }
        closedir(all);
        if (!found) {
            return;
        }
        poll(NULL, 0, 5);
    }
    note("processes of session %d do not end", (int)session);
}
