/*
 * Starting programs; see launch.h.
 */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec.h"
#include "file.h"
#include "path.h"
#include "rlimits.h"

int launch_directory(struct work *w, const char *cwd) {
    if (!strcmp(cwd, "/")) {
        return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    const char *rel = path_below(w->config, cwd);
    if (!rel) {
        errno = EXDEV;
        return -1;
    }
    return path_make(w->config, rel);
}

/* Not made durable: the program started next is their reader, and after a crash of the host it is handed over again. */
int launch_files(struct work *w, const struct request *r, int first, const char **bad) {
    for (int i = first; i + 2 < r->argc; i += 3) {
        unsigned mode = 0600;
        size_t len;
        mode_parse(r->args[i + 1], &mode);
        char *bytes = base64_decode(r->args[i + 2], &len);
        int failed = file_put(w->config, r->args[i], mode, bytes, len, false);
        int error = errno;
        wipe_free(bytes, len + 1);
        if (failed) {
            errno = error;
            *bad = r->args[i];
            return -1;
        }
    }
    return 0;
}

/* In the child: becomes the program; returns errno when it cannot. */
static int become(const struct work *w, const struct program *p, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    for (int i = 1; i < NSIG; i++) {
        signal(i, SIG_DFL); /* fails for the two that always are */
    }
    if (!p->detached) {
        /* asked for first and looked at then: a parent that died in between is seen one way or the other */
        if (prctl(PR_SET_PDEATHSIG, SIGKILL)) {
            return errno;
        }
        if (getppid() != parent) {
            return ESRCH;
        }
    }
    for (int i = 0; i < 3; i++) {
        if (dup2(p->fds[i], i) < 0) {
            return errno;
        }
    }
    if (p->group >= 0 && write(p->group, "0", 1) < 0) {
        /* it stays in the group of its account, whose limits are root's */
    }
    int error = limits_command(w->config);
    if (error) {
        return error;
    }
    if ((p->detached ? setsid() < 0 : setpgid(0, 0)) || fchdir(p->cwd) || sigprocmask(SIG_SETMASK, &none, NULL)) {
        return errno;
    }
    execve(p->argv[0], p->argv, p->env);
    return errno;
}

/*
 * posix_spawn can neither tie a program's life to ours nor limit it, so this forks; it returns when the program has begun. The child has our
 * memory until then, and we wait: nothing is copied, which cost more than all else of a start. It runs on a frame below this one, writes to
 * nothing of ours but its result, and all signals are blocked.
 */
int launch(const struct work *w, const struct program *p, pid_t *pid) {
    volatile int error = 0; /* stays when the program has taken over, and when the child was killed before */
    sigset_t all, before;
    sigfillset(&all);
    if (sigprocmask(SIG_BLOCK, &all, &before)) {
        return errno;
    }
    pid_t parent = getpid();
    pid_t child = vfork();
    if (child == 0) {
        error = become(w, p, parent);
        _exit(127);
    }
    if (child < 0) {
        error = errno;
    } else if (error) {
        waitpid(child, NULL, 0);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    *pid = child;
    return error;
}
