/*
 * The channel to the JVM side; see channel.h.
 */
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cgroup.h"
#include "codec.h"
#include "line.h"
#include "pool.h"

#define BANNER "$GahpVersion: 1.0.0 Nov 20 2026 Gelato\\ helper $"

/* Above these, new work is refused (requests) or left with the workers (results) until something is taken away. */
#define REQUEST_BYTES (128u * 1024 * 1024)
#define RESULT_BYTES (64u * 1024 * 1024)
#define REPLY_BYTES (64u * 1024 * 1024)

struct channel {
    const struct config *config;
    struct pool pool;
    struct line_reader lines;
    struct buf replies;
    struct buf results; /* result lines not yet asked for */
    bool async, told;   /* told: an R is out since the last RESULTS */
    bool quit;
};

static void reply(struct channel *ch, char kind, const char *text) {
    buf_format(&ch->replies, "%c ", kind);
    line_arg(&ch->replies, text);
    buf_text(&ch->replies, "\r\n");
}

static const char *const PLAIN[] = {"VERSION",        "COMMANDS",     "QUIT",        "RESULTS",     "ASYNC_MODE_ON",
                                    "ASYNC_MODE_OFF", "GELATO_STATS", "GELATO_PING"};

static void list_commands(struct channel *ch) {
    buf_text(&ch->replies, "S");
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
        buf_format(&ch->replies, " %s", PLAIN[i]);
    }
    for (size_t i = 0; i < RULE_COUNT; i++) {
        buf_format(&ch->replies, " %s", RULES[i].word);
    }
    buf_text(&ch->replies, "\r\n");
}

static void give_results(struct channel *ch) {
    buf_format(&ch->replies, "S %zu\r\n", ch->pool.result_count);
    buf_add(&ch->replies, buf_at(&ch->results), buf_len(&ch->results));
    buf_free(&ch->results);
    ch->pool.result_count = 0;
    ch->told = false;
}

static void stats(struct channel *ch) {
    const struct pool *p = &ch->pool;
    buf_format(&ch->replies, "S forks=%llu execs=%llu lost=%llu workers=%zu pending=%zu results=%zu\r\n",
               (unsigned long long)p->forks, (unsigned long long)p->execs, (unsigned long long)p->lost, p->workers, p->accepted,
               p->result_count);
}

static void ping(struct channel *ch, char **args) {
    uint64_t id;
    if (!number_parse(args[0], UINT64_MAX, &id) || id == 0) {
        reply(ch, 'E', "Bad request id");
        return;
    }
    buf_text(&ch->replies, "S\r\n");
    pool_result(&ch->pool, args[0], RESULT_OK, "No error");
}

/* Commands answered at once; false when the word is none of them. */
static bool plain_command(struct channel *ch, const char *word, int argc, char **args) {
    size_t which = 0;
    while (which < sizeof PLAIN / sizeof *PLAIN && strcasecmp(PLAIN[which], word)) {
        which++;
    }
    if (which == sizeof PLAIN / sizeof *PLAIN) {
        return false;
    }
    int want = which == 7 ? 1 : 0;
    if (argc != want) {
        char text[64];
        snprintf(text, sizeof text, "expected %d parameters, %d found", want, argc);
        reply(ch, 'E', text);
        return true;
    }
    switch (which) {
        case 0:
            buf_text(&ch->replies, "S " BANNER "\r\n");
            break;
        case 1:
            list_commands(ch);
            break;
        case 2:
            reply(ch, 'S', "Server exiting");
            ch->quit = true;
            break;
        case 3:
            give_results(ch);
            break;
        case 4:
            ch->async = true;
            reply(ch, 'S', "Async mode on");
            break;
        case 5:
            ch->async = false;
            reply(ch, 'S', "Async mode off");
            break;
        case 6:
            stats(ch);
            break;
        default:
            ping(ch, args);
            break;
    }
    return true;
}

static void work(struct channel *ch, const struct rule *r, int argc, char **args) {
    char why[160];
    if (!request_form(r, argc, args, why, sizeof why)) {
        reply(ch, 'E', why);
        return;
    }
    struct pool *p = &ch->pool;
    if (p->accepted + p->result_count >= ch->config->max_pending || p->queued_bytes > REQUEST_BYTES) {
        reply(ch, 'F', "Threads limit reached");
        return;
    }
    buf_text(&ch->replies, "S\r\n");
    bool busy;
    const char *reason = NULL;
    struct worker *w = pool_worker(p, args[1], &busy, &reason);
    if (!w || !request_allowed(ch->config, r, &w->account, argc, args, &reason)) {
        char text[512];
        snprintf(text, sizeof text, "%s (account %.64s)", reason, args[1]);
        pool_result(p, args[0], !w && busy ? RESULT_BUSY : RESULT_REFUSED, text);
        return;
    }
    pool_send(p, w, args[0], r, argc - 2, args + 2);
}

static void handle(struct channel *ch, char *line, size_t len) {
    char *args[LINE_MAX_ARGS];
    const char *why = NULL;
    int argc = line_split(line, len, args, &why);
    if (argc < 0) {
        reply(ch, 'E', why);
        return;
    }
    if (plain_command(ch, args[0], argc - 1, args + 1)) {
        return;
    }
    const struct rule *r = request_rule(args[0]);
    if (!r) {
        reply(ch, 'E', "Unknown command");
        return;
    }
    work(ch, r, argc - 1, args + 1);
}

static void take_lines(struct channel *ch) {
    char *line;
    size_t len, whole;
    while (!ch->quit && buf_len(&ch->replies) <= REPLY_BYTES) {
        int got = line_next(&ch->lines, &line, &len, &whole);
        if (got < 0) {
            die("a request line is longer than %u bytes", LINE_MAX_BYTES);
        }
        if (got == 0) {
            return;
        }
        handle(ch, line, len);
        line_done(&ch->lines, whole);
    }
}

static void tell(struct channel *ch) {
    if (ch->async && !ch->told && ch->pool.result_count) {
        buf_text(&ch->replies, "R\r\n");
        ch->told = true;
    }
}

static void non_blocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) || fcntl(fd, F_SETFD, FD_CLOEXEC)) {
        die("cannot use descriptor %d: %s", fd, strerror(errno));
    }
}

/* The last replies must reach the reader, but a reader that is gone or stuck holds nobody up. */
static void drain(struct channel *ch) {
    for (int64_t until = now_ms() + 2000; buf_len(&ch->replies) && now_ms() < until;) {
        struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
        poll(&p, 1, 100);
        if (fd_write(STDOUT_FILENO, &ch->replies)) {
            return;
        }
    }
}

int channel_serve(const struct config *c) {
    struct channel ch = {.config = c};
    size_t most = c->max_workers + 2;
    struct pollfd *fds = must_alloc(most * sizeof *fds);
    struct worker **owners = must_alloc(most * sizeof *owners);
    cgroup_prepare(c);
    pool_init(&ch.pool, c, &ch.results);
    ch.pool.wipe[0] = &ch.lines.in;
    ch.pool.wipe[1] = &ch.replies;
    ch.pool.wipe[2] = &ch.results;
    non_blocking(STDIN_FILENO);
    non_blocking(STDOUT_FILENO);
    buf_text(&ch.replies, BANNER "\r\n");
    bool end = false;
    while (!end && !ch.quit) {
        int wait = pool_tick(&ch.pool);
        bool room = buf_len(&ch.replies) <= REPLY_BYTES;
        fds[0] = (struct pollfd){.fd = room ? STDIN_FILENO : -1, .events = POLLIN};
        fds[1] = (struct pollfd){.fd = buf_len(&ch.replies) ? STDOUT_FILENO : -1, .events = POLLOUT};
        size_t n = pool_poll(&ch.pool, fds + 2, owners, buf_len(&ch.results) <= RESULT_BYTES);
        if (poll(fds, n + 2, wait) < 0) {
            if (errno != EINTR) {
                die("poll: %s", strerror(errno));
            }
            continue;
        }
        for (size_t i = 0; i < n; i++) { /* before new lines: they may fork workers and so change the list */
            if (fds[i + 2].revents) {
                pool_event(&ch.pool, owners[i], fds[i + 2].revents);
            }
        }
        if (fds[0].revents && fd_read(STDIN_FILENO, &ch.lines.in) < 0) {
            end = true;
        }
        take_lines(&ch);
        tell(&ch);
        if (buf_len(&ch.replies) && fd_write(STDOUT_FILENO, &ch.replies)) {
            end = true;
        }
    }
    drain(&ch);
    pool_end(&ch.pool);
    buf_free(&ch.lines.in);
    buf_free(&ch.replies);
    buf_free(&ch.results);
    free(fds);
    free(owners);
    return ch.quit ? 0 : 1;
}
