/*
 * Programs that live on without their worker; see spawn.h.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "codec.h"
#include "launch.h"
#include "path.h"
#include "reply.h"

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
        reply_errno(w, r->seq, "not started:", bad);
    } else {
        struct list argv = {0}, env = {0};
        int group = cgroup_of_job();
        int error = !list_decode(r->args[SPAWN_ARGV], &argv) || !list_decode(r->args[SPAWN_ENV], &env) || !argv.count
                        ? EINVAL
                        : launch(w, &(struct program){argv.argv, env.argv, cwd, fds, group, true}, &pid);
        if (group >= 0) {
            close(group);
        }
        if (error) {
            char text[512];
            snprintf(text, sizeof text, "cannot start %.300s: %s", argv.count ? argv.argv[0] : "", strerror(error));
            reply_text(w, r->seq, error == EAGAIN || error == ENOMEM ? RESULT_BUSY : RESULT_FAILED, text);
        } else {
            w->execs++;
            struct buf body = {0};
            buf_format(&body, "0 No\\ error %d", (int)pid);
            reply(w, r->seq, &body);
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
