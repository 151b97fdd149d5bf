/*
 * A worker's event loop; see worker.h.
 */
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "codec.h"
#include "filework.h"
#include "remove.h"
#include "reply.h"
#include "run.h"
#include "service.h"
#include "spawn.h"
#include "stream.h"
#include "tree.h"
#include "upload.h"

/* With this many bytes of commands waiting, further requests are left with the parent, whose bound makes it refuse them. */
#define QUEUE_BYTES (64u * 1024 * 1024)

/* With this many bytes not taken by the parent nothing new is begun. */
#define REPLY_BYTES (32u * 1024 * 1024)

static void begin(struct work *w, struct request *r) {
    uint64_t pid, signal;
    switch (r->verb) {
        case VERB_RUN:
        case VERB_STREAM:
            run_queue(w, r);
            return;
        case VERB_READ:
            stream_read(w, r);
            break;
        case VERB_CLOSE:
            stream_close(w, r);
            break;
        case VERB_SPAWN:
            spawn_detached(w, r);
            break;
        case VERB_SIGNAL:
            if (!number_parse(r->args[0], INT32_MAX, &pid) || !number_parse(r->args[1], 64, &signal) || pid < 2 || signal < 1) {
                reply_text(w, r->seq, RESULT_REFUSED, "no process or signal has this number");
            } else if (kill(-(pid_t)pid, (int)signal) && errno != ESRCH) {
                reply_text(w, r->seq, errno == EPERM ? RESULT_REFUSED : RESULT_FAILED,
                           errno == EPERM ? "the process group belongs to another account" : strerror(errno));
            } else {
                reply_ok(w, r->seq);
            }
            break;
        case VERB_REMOVE:
            removal_queue(w, r);
            break;
        case VERB_APPEND:
        case VERB_FINISH:
        case VERB_STAT:
            upload_work(w, r);
            break;
        case VERB_HTTP:
            service_request(w, r);
            break;
        case VERB_TREE:
            tree_list(w, r);
            break;
        default:
            file_work(w, r);
    }
    request_free(r);
}

static bool has_room(const struct work *w) { return buf_len(&w->out) <= REPLY_BYTES && w->queued <= QUEUE_BYTES; }

/* Asked here and not by the parent: a source of accounts that hangs holds up this account alone. */
static void say_account(struct work *w) {
    struct buf body = {0};
    char same = account_is_same(w->config, w->account) ? CHECK_SAME : CHECK_CHANGED;
    buf_add(&body, &same, 1);
    reply(w, 0, &body);
}

static bool take_requests(struct work *w) {
    struct frame_head head;
    char *body;
    int got = 0;
    while (has_room(w) && (got = frame_next(&w->in, &head, &body)) == 1) {
        struct request *r = head.what == FRAME_CHECK ? NULL : request_take(&head, body);
        buf_consume(&w->in, sizeof head + head.len);
        if (r) {
            begin(w, r);
        } else {
            say_account(w);
        }
    }
    return got >= 0;
}

/*
 * A signal to the whole group (Ctrl-C at a terminal) also reaches our parent, whose end is ours. Ending at the signal itself
 * would leave behind what we run, which is in other groups.
 */
static int open_signals(void) {
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGCHLD);
    sigaddset(&taken, SIGINT);
    sigaddset(&taken, SIGTERM);
    sigaddset(&taken, SIGHUP);
    int fd = sigprocmask(SIG_BLOCK, &taken, NULL) ? -1 : signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0) {
        die("signalfd: %s", strerror(errno));
    }
    return fd;
}

static bool serve_once(struct work *w, struct pollfd **fds, struct command ***owners, size_t *room) {
    size_t most = run_poll_count(w) + service_poll_count(w) + 2;
    if (most > *room) {
        free(*fds);
        free(*owners);
        *room = most * 2;
        *fds = must_alloc(*room * sizeof **fds);
        *owners = must_alloc(*room * sizeof **owners);
    }
    bool space = has_room(w);
    (*fds)[0] = (struct pollfd){.fd = w->parent,
                                .events = (short)((space ? POLLIN : 0) | (buf_len(&w->out) ? POLLOUT : 0))};
    (*fds)[1] = (struct pollfd){.fd = w->signals, .events = POLLIN};
    int64_t wait = run_tick(w), service_wait = service_tick(w);
    wait = service_wait >= 0 && (wait < 0 || service_wait < wait) ? service_wait : wait;
    (*fds)[0].events |= (short)(buf_len(&w->out) ? POLLOUT : 0);
    size_t n = run_poll(w, *fds + 2, *owners);
    size_t m = service_poll(w, *fds + 2 + n);
    if (w->removals || w->waiting) {
        wait = 0;
    }
    if (poll(*fds, n + m + 2, wait > 60000 ? 60000 : (int)wait) < 0) {
        return errno == EINTR;
    }
    for (size_t i = 0; i < n; i++) {
        if ((*fds)[i + 2].revents) {
            run_event(w, (*owners)[i], &(*fds)[i + 2]);
        }
    }
    service_events(w, *fds + 2 + n, m);
    if ((*fds)[1].revents) {
        run_reap(w);
    }
    bool alive = true;
    if ((*fds)[0].revents & (POLLIN | POLLHUP | POLLERR)) {
        alive = fd_read(w->parent, &w->in) >= 0;
    }
    removal_step(w);
    alive = alive && take_requests(w);
    run_start_queued(w);
    return fd_write(w->parent, &w->out) == 0 && alive;
}

void worker_main(const struct config *c, const struct account *a, int parent) {
    struct work w = {.config = c, .account = a, .parent = parent};
    w.queue_end = &w.queue;
    w.removals_end = &w.removals;
    w.waiting_end = &w.waiting;
    w.signals = open_signals();
    frame_add(&w.out, 0, 0, NULL, 0);
    if (fd_write(parent, &w.out) || buf_len(&w.out)) { /* told before anything is done: until then a loss means nothing was */
        die("cannot tell that this worker is ready: %s", strerror(errno));
    }
    struct pollfd *fds = NULL;
    struct command **owners = NULL;
    size_t room = 0;
    while (serve_once(&w, &fds, &owners, &room)) {
    }
    /* A command that outlived us could still reach the batch system after somebody looked whether it had. */
    run_kill_all(&w);
    service_kill_all(&w);
    _exit(0);
}
