/*
 * The workers; see pool.h.
 */
#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "codec.h"
#include "rlimits.h"
#include "line.h"
#include "orphans.h"
#include "path.h"
#include "worker.h"

#define NO_SLOT ((size_t)-1)
/* A killed process that hangs in the kernel holds the others up for this long. */
#define END_MS 2000
/* A stream outlives its command's time by less: it waits a minute for its reader. */
#define STREAM_REST_MS 120000
/* How often workers with requests are looked at: its account may stop a worker, which then would not answer for ever. */
#define LOOK_MS 1000

/* So old may be what is known of an account when an idle worker gets a request, */
#define IDLE_CHECK_MS 1000
/* and when a busy one gets it. */
#define BUSY_CHECK_MS 20000
/* For what a worker began with groups that its account has no longer. */
#define RETIRED_MS 600000

void pool_init(struct pool *p, const struct config *c, struct buf *results) {
    *p = (struct pool){.config = c, .results = results, .slots = c->max_pending};
    p->slot = calloc(p->slots, sizeof *p->slot);
    if (!p->slot) {
        die("out of memory");
    }
    for (size_t i = 0; i < p->slots; i++) {
        p->slot[i].next_free = i + 1 < p->slots ? i + 1 : NO_SLOT;
    }
}

void pool_result(struct pool *p, const char *id, enum result code, const char *text) {
    buf_format(p->results, "%s %d ", id, (int)code);
    line_arg(p->results, text);
    buf_text(p->results, "\r\n");
    p->result_count++;
}

static struct pending *pending_of(struct pool *p, const struct worker *w, uint64_t seq) {
    size_t i = (size_t)(seq & 0xffffffff);
    if (i >= p->slots || p->slot[i].worker != w || p->slot[i].generation != seq >> 32) {
        return NULL;
    }
    return &p->slot[i];
}

static void settle(struct pool *p, struct pending *q) {
    q->worker->pending--;
    q->worker->last_used = now_ms();
    q->worker = NULL;
    q->next_free = p->free_slot;
    p->free_slot = (size_t)(q - p->slot);
    p->accepted--;
}

static void gone_add(struct pool *p, pid_t pid) {
    pid_t *gone = realloc(p->gone, (p->gone_count + 1) * sizeof *gone);
    if (!gone) {
        die("out of memory");
    }
    p->gone = gone;
    p->gone[p->gone_count++] = pid;
}

static void unlink_worker(struct pool *p, struct worker *w) {
    for (struct worker **at = &p->first; *at; at = &(*at)->next) {
        if (*at == w) {
            *at = w->next;
            break;
        }
    }
    p->workers--;
    /* stopped or frozen by its account it would not see the end */
    kill(w->pid, cgroup_keeps(p->config, &w->account, w->pid) ? SIGCONT : SIGKILL);
    gone_add(p, w->pid);
    close(w->fd);
    p->queued_bytes -= buf_len(&w->out) + buf_len(&w->held);
    buf_free(&w->in);
    buf_free(&w->out);
    buf_free(&w->held);
    free(w);
}

/* In the child: keep nothing that belongs to the privileged side or to another account. */
static void forget(struct pool *p, int keep) {
    for (struct worker *w = p->first; w; w = w->next) {
        buf_free(&w->in);
        buf_free(&w->out);
        buf_free(&w->held);
    }
    for (size_t i = 0; i < sizeof p->wipe / sizeof *p->wipe; i++) {
        buf_free(p->wipe[i]);
    }
    path_forget();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(keep < 0 ? null : keep, 3) < 0 ||
        fcntl(3, F_SETFD, FD_CLOEXEC)) {
        die("cannot set descriptors: %s", strerror(errno));
    }
    if (syscall(SYS_close_range, 4u, ~0u, 0u)) {
        for (int fd = 4; fd < sysconf(_SC_OPEN_MAX); fd++) {
            close(fd);
        }
    }
}

/* Waits for the end of a child without reaping it; how it ended, or 0. */
static int wait_end(pid_t pid) {
    siginfo_t info = {0};
    for (int64_t until = now_ms() + END_MS; now_ms() < until; poll(NULL, 0, 2)) {
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid) {
            return info.si_code;
        }
    }
    return 0;
}

/*
 * Ends a worker and all it started, before anybody is told that their fate is unknown: a command that lived on could reach
 * the batch system after somebody looked whether it had. Done by a process that has become the account and can harm no other.
 * Returns how the worker ended.
 */
static int end_worker(struct pool *p, const struct worker *w) {
    kill(w->pid, SIGKILL);
    int how = wait_end(w->pid);
    if (!how) {
        note("worker process %d does not end", (int)w->pid);
    }
    if (!how || !w->ready) {
        return how;
    }
    pid_t pid = fork();
    if (pid == 0) {
        forget(p, -1);
        account_become(p->config, &w->account);
        orphans_kill(w->pid);
        _exit(0);
    }
    if (pid < 0 || !wait_end(pid)) {
        note("commands that worker process %d had started may live on", (int)w->pid);
        if (pid < 0) {
            return how;
        }
        kill(pid, SIGKILL);
    }
    gone_add(p, pid);
    return how;
}

/* Its requests may have been done, half done or not begun: that is what their results say. */
static void lose(struct pool *p, struct worker *w) {
    char text[256];
    w->ready = w->ready || buf_len(&w->in) || fd_read(w->fd, &w->in) > 0; /* its word may have come with its end */
    if (w->ready) {
        snprintf(text, sizeof text, "the worker of %s (process %d) died before it answered", w->account.name, (int)w->pid);
    } else {
        snprintf(text, sizeof text, "the worker of %s (process %d) could not start; nothing was done", w->account.name,
                 (int)w->pid);
    }
    note("%s; %zu requests pending", text, w->pending);
    int how = end_worker(p, w);
    /* one that ended by itself has said why and would again; one that was killed may fare better next time */
    enum result code = w->ready ? RESULT_LOST : how == CLD_EXITED ? RESULT_FAILED : RESULT_BUSY;
    for (size_t i = 0; i < p->slots && w->pending; i++) {
        if (p->slot[i].worker == w) {
            pool_result(p, p->slot[i].id, code, text);
            settle(p, &p->slot[i]);
        }
    }
    p->lost++;
    unlink_worker(p, w);
}

static struct worker *fork_worker(struct pool *p, const struct account *a, const char **why) {
    static char text[128];
    int pair[2];
    pid_t pid = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0) {
        pid = fork();
        if (pid == 0) {
            close(pair[0]);
            forget(p, pair[1]);
            if (setsid() < 0) { /* what it starts is found by its session when it was killed */
                die("setsid: %s", strerror(errno));
            }
            limits_oom();
            cgroup_enter(p->config, a);
            account_become(p->config, a);
            limits_worker(p->config);
            worker_main(p->config, a, 3);
        }
        close(pair[1]);
        if (pid < 0) {
            close(pair[0]);
        }
    }
    if (pid < 0) {
        snprintf(text, sizeof text, "cannot fork a worker: %s", strerror(errno));
        *why = text;
        return NULL;
    }
    struct worker *w = must_alloc(sizeof *w);
    *w = (struct worker){.account = *a, .pid = pid, .fd = pair[0], .next = p->first};
    w->last_used = w->checked = now_ms();
    p->first = w;
    p->workers++;
    p->forks++;
    return w;
}

/* Between two pieces of a stream nothing is pending; its command would end with the worker. */
static bool is_idle(const struct worker *w, int64_t now) {
    return !w->pending && (!w->streams || now >= w->streams_until);
}

static bool evict_idle(struct pool *p) {
    int64_t now = now_ms();
    struct worker *oldest = NULL;
    for (struct worker *w = p->first; w; w = w->next) {
        if (is_idle(w, now) && (!oldest || w->last_used < oldest->last_used)) {
            oldest = w;
        }
    }
    if (oldest) {
        unlink_worker(p, oldest);
    }
    return oldest;
}

struct worker *pool_worker(struct pool *p, const char *account, bool *busy, const char **why) {
    *busy = false;
    account = account_canonical(p->config, account);
    for (struct worker *w = p->first; w; w = w->next) {
        if (!w->retired && !strcmp(w->account.name, account)) {
            return w;
        }
    }
    struct account a;
    if (!account_find(p->config, account, &a, why)) {
        *busy = account_unanswered(*why); /* to be tried again: a refusal would end jobs */
        return NULL;
    }
    *busy = true;
    if (p->workers >= p->config->max_workers && !evict_idle(p)) {
        *why = "all workers are busy with other accounts";
        return NULL;
    }
    return fork_worker(p, &a, why);
}

/* The worker that has the stream of a number, among those of this one's account; itself when none has. */
static struct worker *stream_worker(struct pool *p, struct worker *w, const char *number) {
    uint64_t n = 0;
    number_parse(number, UINT64_MAX, &n);
    for (struct worker *o = p->first; o; o = o->next) {
        if (o->pid == STREAM_PID(n) && !strcmp(o->account.name, w->account.name)) {
            return o;
        }
    }
    return w;
}

static void queue_frame(struct pool *p, struct buf *to, uint32_t what, uint64_t seq, const void *body, size_t len) {
    size_t before = buf_len(to);
    frame_add(to, what, seq, body, len);
    p->queued_bytes += buf_len(to) - before;
}

/* Asks a worker about its account when that is due; requests are held then. */
static void check_account(struct pool *p, struct worker *w) {
    if (!p->config->is_root || !strcmp(w->account.name, SELF) || w->checking || w->stale ||
        now_ms() - w->checked < (w->pending ? BUSY_CHECK_MS : IDLE_CHECK_MS)) {
        return;
    }
    w->checking = true;
    queue_frame(p, &w->out, FRAME_CHECK, 0, NULL, 0);
}

void pool_send(struct pool *p, struct worker *w, const char *id, const struct rule *r, int argc, char **args) {
    bool of_stream = r->verb == VERB_READ || r->verb == VERB_CLOSE;
    if (of_stream) {
        w = stream_worker(p, w, args[0]);
    } else {
        check_account(p, w);
    }
    size_t i = p->free_slot;
    struct pending *q = &p->slot[i];
    p->free_slot = q->next_free;
    snprintf(q->id, sizeof q->id, "%s", id);
    q->worker = w;
    if (r->verb == VERB_STREAM) {
        uint64_t timeout = 0;
        number_parse(args[RUN_TIMEOUT], UINT64_MAX, &timeout);
        int64_t until = now_ms() + (int64_t)(timeout < TIMEOUT_MAX_MS ? timeout : TIMEOUT_MAX_MS) + STREAM_REST_MS;
        w->streams_until = w->streams_until > until ? w->streams_until : until;
    }
    q->generation++; /* so that a late or invented answer meets no other request */
    w->pending++;
    p->accepted++;
    size_t len = 0;
    for (int k = 0; k < argc; k++) {
        len += strlen(args[k]) + 1;
    }
    struct buf body = {0};
    buf_room(&body, len);
    for (int k = 0; k < argc; k++) {
        buf_add(&body, args[k], strlen(args[k]) + 1);
    }
    bool hold = (w->checking || w->stale) && !of_stream;
    queue_frame(p, hold ? &w->held : &w->out, (uint32_t)r->verb, (uint64_t)q->generation << 32 | i, buf_at(&body),
                buf_len(&body));
    buf_free(&body);
}

/* A result as a worker says it: plain text, the code first. */
static bool is_result(const char *body, size_t len) {
    /* that a worker is lost is not a worker's to say */
    if (len < 3 || body[0] < '0' || body[0] > '0' + RESULT_NOT_PLAIN || body[0] == '0' + RESULT_LOST || body[1] != ' ') {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)body[i] < 0x20 || body[i] == 0x7f) {
            return false;
        }
    }
    return true;
}

/* What a worker says of its account, or that it is ready; false when it was not asked. */
static bool take_word(struct worker *w, const char *body, size_t len) {
    if (len == 0) {
        return w->ready = true;
    }
    if (!w->checking || len != 1) {
        return false;
    }
    w->checking = false;
    w->checked = now_ms();
    w->stale = *body != CHECK_SAME;
    if (!w->stale) {
        buf_add(&w->out, buf_at(&w->held), buf_len(&w->held));
        buf_free(&w->held);
    }
    return true;
}

/*
 * Another worker takes the place of one whose account has changed, with the requests that were held; what was begun ends where it
 * is. Without another, for an account that is served no longer, they are refused.
 */
static void replace(struct pool *p, struct worker *w) {
    struct frame_head head;
    char *body, text[512];
    const char *why = NULL;
    bool busy;
    note("the account %s has changed: worker process %d is replaced", w->account.name, (int)w->pid);
    w->stale = false;
    w->retired = true;
    w->end_by = now_ms() + RETIRED_MS;
    w->pending++; /* not idle, whatever it has answered: it must not make room for the other */
    struct worker *next = pool_worker(p, w->account.name, &busy, &why);
    w->pending--;
    if (next && next->streams_until < w->streams_until) {
        next->streams_until = w->streams_until; /* a stream may be among what it gets */
    }
    snprintf(text, sizeof text, "%s (account %s)", why ? why : "", w->account.name);
    while (frame_next(&w->held, &head, &body) == 1) {
        struct pending *q = pending_of(p, w, head.seq);
        if (!q) {
            /* answered by a worker that never got it: that answer counts */
        } else if (next) {
            queue_frame(p, &next->out, head.what, head.seq, body, head.len);
            q->worker = next;
            next->pending++;
            w->pending--;
        } else {
            pool_result(p, q->id, busy ? RESULT_BUSY : RESULT_REFUSED, text);
            settle(p, q);
        }
        p->queued_bytes -= sizeof head + head.len;
        buf_consume(&w->held, sizeof head + head.len);
    }
    buf_free(&w->held);
}

/* False when the worker must be given up. */
static bool take_frames(struct pool *p, struct worker *w) {
    struct frame_head head;
    char *body;
    int got;
    while ((got = frame_next(&w->in, &head, &body)) == 1) {
        p->execs += FRAME_EXECS(head.what);
        w->streams = FRAME_STREAMS(head.what);
        if (head.seq == 0) {
            if (!take_word(w, body, head.len)) {
                note("the worker of %s sent a wrong answer", w->account.name);
                return false;
            }
        } else {
            struct pending *q = pending_of(p, w, head.seq);
            if (!q || !is_result(body, head.len)) {
                note("the worker of %s sent a wrong answer", w->account.name);
                return false;
            }
            buf_format(p->results, "%s ", q->id);
            buf_add(p->results, body, head.len);
            buf_text(p->results, "\r\n");
            p->result_count++;
            settle(p, q);
        }
        buf_consume(&w->in, sizeof head + head.len);
    }
    return got == 0;
}

void pool_event(struct pool *p, struct worker *w, short revents) {
    bool alive = true;
    if (revents & POLLOUT) {
        size_t before = buf_len(&w->out);
        alive = fd_write(w->fd, &w->out) == 0;
        p->queued_bytes -= before - buf_len(&w->out);
    }
    if (revents & (POLLIN | POLLHUP | POLLERR)) {
        int got = fd_read(w->fd, &w->in);
        alive = take_frames(p, w) && got >= 0 && alive;
    }
    if (!alive) {
        lose(p, w);
    }
}

size_t pool_poll(struct pool *p, struct pollfd *fds, struct worker **owners, bool reading) {
    size_t n = 0;
    for (struct worker *w = p->first; w; w = w->next) {
        fds[n] = (struct pollfd){.fd = w->fd, .events = (short)((reading ? POLLIN : 0) | (buf_len(&w->out) ? POLLOUT : 0))};
        if (!fds[n].events) {
            fds[n].fd = -1; /* a hang-up would be told again and again while nobody reads */
        }
        owners[n++] = w;
    }
    return n;
}

static void reap(struct pool *p) {
    size_t left = 0;
    for (size_t i = 0; i < p->gone_count; i++) {
        if (waitpid(p->gone[i], NULL, WNOHANG) == 0) {
            p->gone[left++] = p->gone[i];
        }
    }
    p->gone_count = left;
}

static bool is_stopped(const struct worker *w) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)w->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid;
}

int pool_tick(struct pool *p) {
    reap(p);
    for (struct worker *w = p->first; w; w = w ? w->next : p->first) {
        if (w->stale) {
            replace(p, w); /* may have ended another one: from the first again */
            w = NULL;
        }
    }
    int64_t now = now_ms(), wait = -1;
    bool look = now >= p->next_look;
    p->next_look = look ? now + LOOK_MS : p->next_look;
    for (struct worker *w = p->first, *next; w; w = next) {
        next = w->next;
        bool stopped = w->pending && look && is_stopped(w);
        if (stopped || (w->pending && look && !cgroup_keeps(p->config, &w->account, w->pid))) {
            note("the worker of %s was %s and is killed", w->account.name, stopped ? "stopped" : "moved to another control group");
            lose(p, w);
            wait = 0;
            continue;
        }
        if (w->retired && !is_idle(w, now) && now >= w->end_by) {
            note("the worker of %s did not end what it began before its account changed", w->account.name);
            lose(p, w);
            wait = 0;
            continue;
        }
        if (w->pending) {
            wait = wait < 0 || wait > LOOK_MS ? LOOK_MS : wait;
            continue;
        }
        int64_t left = w->retired ? 0 : w->last_used + p->config->idle_ms - now;
        if (left <= 0 && !is_idle(w, now)) {
            wait = wait < 0 || wait > LOOK_MS ? LOOK_MS : wait;
        } else if (left <= 0) {
            unlink_worker(p, w); /* it ends at the hang-up */
        } else if (wait < 0 || left < wait) {
            wait = left;
        }
    }
    return p->gone_count || wait >= 0 ? (int)(wait < 0 || wait > 1000 ? 1000 : wait) : -1;
}

void pool_end(struct pool *p) {
    while (p->first) {
        unlink_worker(p, p->first);
    }
    for (int64_t until = now_ms() + 2000; reap(p), p->gone_count && now_ms() < until;) {
        poll(NULL, 0, 5);
    }
    for (size_t i = 0; i < p->gone_count; i++) {
        note("worker process %d did not end in time and is killed", (int)p->gone[i]);
        kill(p->gone[i], SIGKILL);
    }
    free(p->gone);
    free(p->slot);
}
