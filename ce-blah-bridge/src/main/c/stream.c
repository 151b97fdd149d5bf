/*
 * Commands whose output is fetched in pieces while they run: what is not fetched is not read from them, so that a long listing
 * takes the memory of one piece here and makes the command wait.
 *
 * Trust boundary: as run.c. Invariants: a stream is known by a number nobody can guess or keep over our end; it ends with
 * its last piece, with its closing, at its deadline, or when nobody fetches the rest; its command never outlives it.
 */
#include "stream.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "codec.h"
#include "reply.h"

#define PIECE_BYTES (256u * 1024)
/* What ended by itself is kept so long for a reader that is slow; what was killed for its time had its time. */
#define UNREAD_MS 60000

uint64_t stream_number(void) {
    uint64_t number = 0;
    while (!number) {
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
            die("no random numbers");
        }
        number = STREAM_NUMBER(number, getpid());
    }
    return number;
}

static struct command *find(struct work *w, const struct request *r) {
    uint64_t number = 0;
    number_parse(r->args[0], UINT64_MAX, &number);
    for (struct command *cmd = w->commands; cmd; cmd = cmd->next) {
        if (number && cmd->stream == number && !cmd->answered && !cmd->over) {
            return cmd;
        }
    }
    return NULL;
}

static void kill_group(struct command *cmd) {
    if (cmd->pid > 0) {
        kill(-cmd->pid, SIGKILL);
    }
}

bool stream_has_room(const struct command *cmd) { return buf_len(&cmd->output[0]) < PIECE_BYTES; }

/* False when nothing more is there now. */
static bool take(struct command *cmd) {
    char bytes[65536];
    size_t room = PIECE_BYTES - buf_len(&cmd->output[0]);
    ssize_t n = read(cmd->fd[1], bytes, room < sizeof bytes ? room : sizeof bytes);
    if (n > 0) {
        uint64_t left = cmd->max_total - cmd->total;
        size_t kept = (uint64_t)n < left ? (size_t)n : (size_t)left;
        buf_add(&cmd->output[0], bytes, kept);
        cmd->total += kept;
        if ((uint64_t)n > left) {
            cmd->cut = true;
            kill_group(cmd);
            command_close_end(cmd, 1);
        }
        return cmd->fd[1] >= 0;
    }
    /* what others than the command still write is not waited for */
    if (n == 0 || (errno != EAGAIN && errno != EINTR) || !cmd->pid) {
        command_close_end(cmd, 1);
    }
    return false;
}

static void say_piece(struct work *w, struct command *cmd, bool last) {
    struct buf body = {0};
    buf_format(&body, "0 No\\ error %d ", last);
    base64_add(&body, buf_at(&cmd->output[0]), buf_len(&cmd->output[0]));
    if (last) {
        buf_format(&body, " %d %d %d %llu ", cmd->exit, cmd->timed_out, cmd->cut, (unsigned long long)cmd->total);
        base64_add(&body, buf_at(&cmd->output[1]), buf_len(&cmd->output[1]));
    }
    reply(w, cmd->seq, &body);
    cmd->seq = 0;
    buf_free(&cmd->output[0]);
}

/* Gives whoever waits a whole piece, or the last one. */
static void serve(struct work *w, struct command *cmd) {
    while (!cmd->pid && cmd->fd[1] >= 0 && stream_has_room(cmd) && take(cmd)) {
    }
    bool last = !cmd->pid && cmd->fd[1] < 0;
    if (cmd->seq && (last || !stream_has_room(cmd))) {
        cmd->over = last; /* the frame of the last piece says that it is open no longer */
        say_piece(w, cmd, last);
    }
}

void stream_event(struct work *w, struct command *cmd) {
    if (cmd->fd[1] >= 0 && stream_has_room(cmd)) {
        take(cmd);
    }
    serve(w, cmd);
}

void stream_ended(struct work *w, struct command *cmd) {
    for (int tries = 0; tries < 64 && cmd->fd[2] >= 0 && command_take_output(cmd, 2); tries++) {
    }
    command_close_end(cmd, 0);
    command_close_end(cmd, 2);
    cmd->deadline = now_ms() + (cmd->timed_out ? AFTER_KILL_MS : UNREAD_MS);
    cmd->over = cmd->answered;
    if (!cmd->over) {
        serve(w, cmd);
    }
}

/* Nobody gets more of it; it is taken from the list when its process is reaped. */
static void abandon(struct work *w, struct command *cmd, const char *why) {
    if (cmd->seq) {
        reply_text(w, cmd->seq, RESULT_FAILED, why);
        cmd->seq = 0;
    }
    kill_group(cmd);
    for (int i = 0; i < 3; i++) {
        command_close_end(cmd, i);
    }
    buf_free(&cmd->output[0]);
    buf_free(&cmd->output[1]);
    cmd->answered = true;
    cmd->over = !cmd->pid;
}

void stream_late(struct work *w, struct command *cmd, int64_t now) {
    if (cmd->pid && !cmd->timed_out) {
        kill_group(cmd);
        cmd->timed_out = true;
        cmd->deadline = now + AFTER_KILL_MS;
        return;
    }
    abandon(w, cmd, cmd->pid ? "the command was killed for its time and does not end" : "its output was not read in time");
}

void stream_read(struct work *w, const struct request *r) {
    struct command *cmd = find(w, r);
    if (!cmd) {
        reply_text(w, r->seq, RESULT_FAILED, "no such stream: it has ended, was closed, or was not read for too long");
    } else if (cmd->seq) {
        reply_text(w, r->seq, RESULT_REFUSED, "another request waits for this stream");
    } else {
        cmd->seq = r->seq;
        serve(w, cmd);
    }
}

void stream_close(struct work *w, const struct request *r) {
    struct command *cmd = find(w, r);
    if (cmd) {
        abandon(w, cmd, "the stream was closed");
    }
    reply_ok(w, r->seq);
}
