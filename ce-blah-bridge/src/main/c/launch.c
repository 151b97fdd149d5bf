/*
 * Starting programs: their directory, their files, their descriptors.
 *
 * Trust boundary: runs as the account. Invariant: a program gets three descriptors and no other, default signals, and its own
 * process group (or session, when detached).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec.h"
#include "rlimits.h"
#include "path.h"
#include "worker.h"

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

/* posix_spawn can neither tie a program's life to ours nor limit it, so this forks; it returns when the program has begun. */
int launch(const struct work *w, const struct program *p, pid_t *pid) {
    int failure[2], error = 0;
    if (pipe2(failure, O_CLOEXEC)) {
        return errno;
    }
    pid_t parent = getpid();
    *pid = fork();
    if (*pid == 0) {
        error = become(w, p, parent);
        _exit(write(failure[1], &error, sizeof error) == sizeof error ? 127 : 126);
    }
    if (*pid < 0) {
        error = errno;
    }
    close(failure[1]);
    if (*pid > 0) {
        ssize_t n;
        while ((n = read(failure[0], &error, sizeof error)) < 0 && errno == EINTR) {
        }
        if (n == 0) {
            error = 0; /* the program has taken over */
        } else {
            error = n == sizeof error ? error : EIO;
            waitpid(*pid, NULL, 0);
        }
    }
    close(failure[0]);
    return error;
}

/* Appends, so that a second start of the same job does not wipe what the first one said. */
static int open_output(struct work *w, const char *path) {
    const char *name, *rel = path_below(w->config, path);
    if (!rel) {
        errno = EXDEV;
        return -1;
    }
    int dir = path_parent(w->config, rel, true, &name);
    if (dir < 0) {
        return -1;
    }
    close(dir);
    int fd = path_open(w->config, rel, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY, 0600);
    struct stat st;
    if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || fcntl(fd, F_SETFL, O_APPEND))) {
        close(fd);
        errno = ENXIO;
        return -1;
    }
    return fd;
}

void spawn_detached(struct work *w, const struct request *r) {
    int fds[3] = {-1, -1, -1};
    const char *bad = r->args[SPAWN_CWD];
    pid_t pid = -1;
    int cwd = launch_directory(w, r->args[SPAWN_CWD]);
    bool ready = cwd >= 0 && launch_files(w, r, SPAWN_FILES, &bad) == 0;
    for (int i = 1; i <= 2 && ready; i++) {
        bad = r->args[i == 1 ? SPAWN_STDOUT : SPAWN_STDERR];
        fds[i] = open_output(w, bad);
        ready = fds[i] >= 0;
    }
    if (ready) {
        bad = "/dev/null";
        fds[0] = open(bad, O_RDONLY | O_CLOEXEC);
        ready = fds[0] >= 0;
    }
    if (!ready) {
        answer_errno(w, r->seq, "not started:", bad);
    } else {
        struct list argv = {0}, env = {0};
        int error = !list_decode(r->args[SPAWN_ARGV], &argv) || !list_decode(r->args[SPAWN_ENV], &env) || !argv.count
                        ? EINVAL
                        : launch(w, &(struct program){argv.argv, env.argv, cwd, fds, true}, &pid);
        if (error) {
            char text[512];
            snprintf(text, sizeof text, "cannot start %.300s: %s", argv.count ? argv.argv[0] : "", strerror(error));
            answer_text(w, r->seq, error == EAGAIN || error == ENOMEM ? RESULT_BUSY : RESULT_FAILED, text);
        } else {
            w->execs++;
            struct buf body = {0};
            buf_format(&body, "0 No\\ error %d", (int)pid);
            answer(w, r->seq, &body);
        }
        list_free(&argv);
        list_free(&env);
    }
    for (int i = 0; i < 3; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    if (cwd >= 0) {
        close(cwd);
    }
}
