/*
 * Commands that are run and waited for: many at once, each with its deadline and its bounded outputs.
 *
 * Trust boundary: runs as the account; outputs are the command's and only carried. Invariant: every command taken is answered
 * once, at the latest five seconds after its deadline; when it is over, nothing of its process group is left.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec.h"
#include "launch.h"
#include "reply.h"
#include "service.h"
#include "stream.h"

#define REPLY_HOLD (32u * 1024 * 1024)
#define STREAM_ERRORS (64u * 1024)

void run_queue(struct work *w, struct request *r) {
    r->next = NULL;
    w->queued += r->len;
    *w->queue_end = r;
    w->queue_end = &r->next;
}

static void say_result(struct work *w, struct command *cmd, int exit) {
    if (!cmd->answered) {
        struct buf body = {0};
        buf_format(&body, "0 No\\ error %d %d ", exit, cmd->timed_out);
        base64_add(&body, buf_at(&cmd->output[0]), buf_len(&cmd->output[0]));
        buf_text(&body, " ");
        base64_add(&body, buf_at(&cmd->output[1]), buf_len(&cmd->output[1]));
        buf_format(&body, " %llu", (unsigned long long)cmd->dropped);
        reply(w, cmd->seq, &body);
        cmd->answered = true;
    }
    for (int i = 0; i < 3; i++) {
        command_close_end(cmd, i);
    }
    buf_free(&cmd->output[0]);
    buf_free(&cmd->output[1]);
    wipe_free(cmd->input, cmd->input_len + 1);
    cmd->input = NULL;
    cmd->input_len = cmd->input_off = 0;
}

/* Pipes whose far ends go to the child; an empty input is /dev/null. */
static bool open_ends(struct command *cmd, int child[3]) {
    int pair[2];
    for (int i = 0; i < 3; i++) {
        if (i == 0 && !cmd->input_len) {
            child[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
            if (child[0] < 0) {
                return false;
            }
            continue;
        }
        if (pipe2(pair, O_CLOEXEC)) {
            return false;
        }
        cmd->fd[i] = pair[i == 0];
        child[i] = pair[i != 0];
        if (fcntl(cmd->fd[i], F_SETFL, O_NONBLOCK)) {
            return false;
        }
    }
    return true;
}

static void start(struct work *w, struct request *r) {
    uint64_t timeout = 0, max_output = 0;
    number_parse(r->args[RUN_TIMEOUT], UINT64_MAX, &timeout);
    number_parse(r->args[RUN_OUTPUT], UINT64_MAX, &max_output);
    const char *bad = r->args[RUN_CWD];
    int cwd = launch_directory(w, r->args[RUN_CWD]);
    if (cwd < 0 || launch_files(w, r, RUN_FILES, &bad)) {
        reply_errno(w, r->seq, "not started:", bad);
        if (cwd >= 0) {
            close(cwd);
        }
        return;
    }
    struct command *cmd = must_alloc(sizeof *cmd);
    *cmd = (struct command){.seq = r->seq, .fd = {-1, -1, -1}};
    bool stream = r->verb == VERB_STREAM;
    cmd->max_total = max_output < w->config->max_listing ? max_output : w->config->max_listing;
    cmd->max_output = stream                               ? STREAM_ERRORS
                      : max_output < w->config->max_output ? (size_t)max_output
                                                           : w->config->max_output;
    cmd->deadline = now_ms() + (int64_t)(timeout < TIMEOUT_MAX_MS ? timeout : TIMEOUT_MAX_MS);
    cmd->input = base64_decode(r->args[RUN_STDIN], &cmd->input_len);
    int child[3] = {-1, -1, -1};
    struct list argv = {0}, env = {0};
    int error = 0;
    if (!list_decode(r->args[RUN_ARGV], &argv) || !list_decode(r->args[RUN_ENV], &env) || !argv.count) {
        error = EINVAL;
    } else if (!open_ends(cmd, child)) {
        error = errno;
    } else {
        if (!stream && !env.count && config_is_service(w->config, argv.argv)) {
            cmd->deadline = INT64_MAX;
        }
        error = launch(w, &(struct program){argv.argv, env.argv, cwd, child, -1, false}, &cmd->pid);
    }
    for (int i = 0; i < 3; i++) {
        if (child[i] >= 0) {
            close(child[i]);
        }
    }
    close(cwd);
    if (error) {
        char text[512];
        snprintf(text, sizeof text, "cannot start %.300s: %s", argv.count ? argv.argv[0] : "", strerror(error));
        reply_text(w, r->seq, error == ENOENT ? RESULT_FAILED : reply_code(error), text);
        cmd->answered = true;
        say_result(w, cmd, 0);
        free(cmd);
    } else {
        w->execs++;
        w->running++;
        cmd->next = w->commands;
        w->commands = cmd;
        if (stream) {
            cmd->stream = stream_number();
            cmd->seq = 0;
            struct buf body = {0};
            buf_format(&body, "0 No\\ error %llu", (unsigned long long)cmd->stream);
            reply(w, r->seq, &body);
        }
    }
    list_free(&argv);
    list_free(&env);
}

static void sweep(struct work *w) {
    for (struct command **at = &w->commands; *at;) {
        struct command *cmd = *at;
        if (!cmd->over) {
            at = &cmd->next;
            continue;
        }
        *at = cmd->next;
        w->running--;
        cmd->answered = true;
        say_result(w, cmd, 0); /* gives back what it holds */
        free(cmd);
    }
}

void run_start_queued(struct work *w) {
    sweep(w);
    while (w->queue && w->running < w->config->max_children && buf_len(&w->out) <= REPLY_HOLD) {
        struct request *r = w->queue;
        w->queue = r->next;
        w->queued -= r->len;
        if (!w->queue) {
            w->queue_end = &w->queue;
        }
        start(w, r);
        request_free(r);
    }
}

size_t run_poll_count(const struct work *w) { return 3 * w->running; }

size_t run_poll(struct work *w, struct pollfd *fds, struct command **owners) {
    size_t n = 0;
    for (struct command *cmd = w->commands; cmd; cmd = cmd->next) {
        for (int i = 0; i < 3; i++) {
            if (cmd->fd[i] >= 0 && (i != 1 || !cmd->stream || stream_has_room(cmd))) {
                fds[n] = (struct pollfd){.fd = cmd->fd[i], .events = i ? POLLIN : POLLOUT};
                owners[n++] = cmd;
            }
        }
    }
    return n;
}

static void feed(struct command *cmd) {
    ssize_t n = write(cmd->fd[0], cmd->input + cmd->input_off, cmd->input_len - cmd->input_off);
    if (n > 0) {
        cmd->input_off += (size_t)n;
    }
    if (cmd->input_off == cmd->input_len || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        command_close_end(cmd, 0);
    }
}

void run_event(struct work *w, struct command *cmd, const struct pollfd *fd) {
    if (fd->fd == cmd->fd[0]) {
        feed(cmd);
    } else if (fd->fd == cmd->fd[1] && cmd->stream) {
        stream_event(w, cmd);
    } else if (fd->fd == cmd->fd[1]) {
        command_take_output(cmd, 1);
    } else if (fd->fd == cmd->fd[2]) {
        command_take_output(cmd, 2);
    }
}

/* All the command itself wrote is in the pipes now; what others still write into them is not waited for. */
static void finish(struct work *w, struct command *cmd) {
    for (int i = 1; i <= 2; i++) {
        for (int tries = 0; tries < 64 && cmd->fd[i] >= 0 && command_take_output(cmd, i); tries++) {
        }
    }
    say_result(w, cmd, cmd->exit);
}

static struct command *find_command(struct work *w, pid_t pid) {
    struct command *cmd = w->commands;
    while (cmd && cmd->pid != pid) {
        cmd = cmd->next;
    }
    return cmd;
}

void run_reap(struct work *w) {
    struct signalfd_siginfo drop[16];
    while (read(w->signals, drop, sizeof drop) > 0) {
    }
    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) || !info.si_pid) {
            return;
        }
        struct command *cmd = find_command(w, info.si_pid);
        bool service = !cmd && service_is(w, info.si_pid);
        if (cmd || service) {
            kill(-info.si_pid, SIGKILL); /* before the leader is reaped, while its number cannot mean another group */
        }
        int status = 0;
        waitpid(info.si_pid, &status, 0);
        if (service) {
            service_ended(w, info.si_pid, status);
        }
        if (cmd) {
            cmd->pid = 0;
            cmd->exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            if (cmd->stream) {
                stream_ended(w, cmd);
            } else {
                finish(w, cmd);
                cmd->over = true;
            }
        }
    }
}

int64_t run_tick(struct work *w) {
    int64_t now = now_ms(), wait = -1;
    for (struct command *cmd = w->commands; cmd; cmd = cmd->next) {
        if (cmd->answered) {
            continue;
        }
        if (now >= cmd->deadline && cmd->stream) {
            stream_late(w, cmd, now);
            wait = 0; /* what is over makes room for what waits */
            continue;
        }
        if (now >= cmd->deadline && cmd->timed_out) {
            say_result(w, cmd, 128 + SIGKILL); /* stays in the list until it is reaped */
            continue;
        }
        if (now >= cmd->deadline) {
            kill(-cmd->pid, SIGKILL);
            cmd->timed_out = true;
            cmd->deadline = now + AFTER_KILL_MS;
        }
        int64_t left = cmd->deadline - now;
        wait = wait < 0 || left < wait ? left : wait;
    }
    return wait;
}

void run_kill_all(struct work *w) {
    for (struct command *cmd = w->commands; cmd; cmd = cmd->next) {
        if (cmd->pid > 0) {
            kill(-cmd->pid, SIGKILL);
        }
    }
}
