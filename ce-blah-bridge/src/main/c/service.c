/*
 * Daemons of the account and the requests to them; see service.h.
 */
#include "service.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec.h"
#include "command.h"
#include "http.h"
#include "launch.h"
#include "reply.h"
#include "sockets.h"

/* Kept open to a daemon; more requests wait here, where one that was not sent is known to have had no effect. */
#define CONNECTIONS SERVICE_CONNECTIONS
/* A daemon must take connections so long after its start. */
#define START_MS 10000
/* How often a daemon that does not take connections yet is tried. */
#define TRY_MS 5
/* One that closes connections without taking a request is tried again after this time. */
#define AGAIN_MS 100
/* One that could not start is not started again for this time, doubled with each failure. */
#define PAUSE_MS 1000
#define PAUSE_MAX_MS 30000
/* How often a busy daemon is checked: its account may stop it, which then would not answer for ever. */
#define LOOK_MS 1000
#define LATE "no response in time"
#define WORDS 400

struct exchange {
    struct exchange *next;
    uint64_t seq;
    int64_t deadline;
    size_t max;
    struct buf out; /* what is left to be written */
    size_t size;    /* of the request, for the bound of what waits */
    bool begun;     /* the daemon may have got some of it */
    bool late;      /* its time is over, and the daemon is being ended */
};

struct connection {
    int fd; /* -1: free */
    struct exchange *exchange;
    bool proven; /* an answer came by it */
    struct buf in;
    int at; /* position among the polled descriptors, or -1 */
};

struct service {
    struct service *next;
    const char *name;
    size_t line; /* of its command lines, the one that starts or is to be tried next */
    pid_t pid; /* 0: not running */
    bool ready, ending;
    char socket[sizeof((struct sockaddr_un *)0)->sun_path];
    int output; /* what the daemon prints; -1 when closed */
    int output_at;
    char words[WORDS + 1]; /* the last of it */
    int64_t started, used, next_look, not_before, pause;
    int64_t next_try; /* to send to one that closes connections */
    struct connection connection[CONNECTIONS];
    struct exchange *queue, **queue_end;
};

static void give_back(struct work *w, struct exchange *x) {
    w->queued -= x->size;
    buf_free(&x->out);
    free(x);
}

/* Nothing was done. */
static void refuse(struct work *w, struct exchange *x, enum result code, const char *text) {
    reply_text(w, x->seq, code, text);
    give_back(w, x);
}

/* Nobody knows whether the daemon did it: status 0, with the reason for a body. */
static void unknown(struct work *w, struct exchange *x, const char *text) {
    struct buf body = {0};
    buf_text(&body, "0 No\\ error 0 ");
    base64_add(&body, text, strlen(text));
    reply(w, x->seq, &body);
    give_back(w, x);
}

static void disconnect(struct connection *c) {
    close(c->fd);
    c->fd = -1;
    c->at = -1;
    buf_free(&c->in);
}

static void queue_first(struct service *s, struct exchange *x) {
    x->next = s->queue;
    s->queue = x;
    if (!x->next) {
        s->queue_end = &x->next;
    }
}

/* Ends a connection whose exchange has no answer. */
static void break_off(struct work *w, struct service *s, struct connection *c, const char *why) {
    struct exchange *x = c->exchange;
    c->exchange = NULL;
    disconnect(c);
    if (x && x->begun) {
        unknown(w, x, x->late ? LATE : why);
    } else if (x) {
        queue_first(s, x);
        s->next_try = c->proven ? 0 : now_ms() + AGAIN_MS; /* one that was kept may be closed at any time */
    }
}

static bool is_busy(const struct service *s) {
    for (int i = 0; i < CONNECTIONS; i++) {
        if (s->connection[i].exchange) {
            return true;
        }
    }
    return s->queue;
}

/* Takes what the answer's bytes are now; with `eof` there are no more. */
static void take_answer(struct work *w, struct service *s, struct connection *c, bool eof) {
    struct exchange *x = c->exchange;
    struct answer a;
    int got = http_answer(&c->in, x->max, eof, &a);
    if (got == 0) {
        return;
    }
    if (got < 0) {
        break_off(w, s, c, eof ? "the daemon closed the connection without a whole answer"
                               : "the daemon's answer is malformed or too long");
        return;
    }
    struct buf body = {0};
    buf_format(&body, "0 No\\ error %d ", a.status);
    base64_add(&body, buf_at(&c->in) + a.body, a.len);
    reply(w, x->seq, &body);
    c->exchange = NULL;
    c->proven = true;
    s->used = now_ms();
    if (a.ends || eof || buf_len(&x->out)) {
        disconnect(c);
    } else {
        buf_free(&c->in);
    }
    give_back(w, x);
}

static void receive(struct work *w, struct service *s, struct connection *c) {
    int got = fd_read(c->fd, &c->in);
    if (!c->exchange) {
        if (got) { /* the far end closed, or sends without a request */
            disconnect(c);
        }
    } else if (got) {
        take_answer(w, s, c, got < 0);
    }
}

static void transmit(struct work *w, struct service *s, struct connection *c) {
    struct exchange *x = c->exchange;
    size_t before = buf_len(&x->out);
    int failed = fd_write(c->fd, &x->out);
    x->begun = x->begun || buf_len(&x->out) < before;
    s->ready = s->ready || x->begun;
    s->pause = x->begun ? 0 : s->pause;
    if (!failed) {
        return;
    }
    if (!x->begun) {
        break_off(w, s, c, "");
    } else { /* it may have answered before it closed */
        while (c->fd >= 0 && c->exchange && fd_read(c->fd, &c->in) > 0 && buf_len(&c->in) <= x->max + 65536) {
        }
        take_answer(w, s, c, true);
    }
}

/* A connection without exchange, or NULL when there can be none now. */
static struct connection *idle_connection(struct service *s) {
    struct connection *closed = NULL;
    for (int i = 0; i < CONNECTIONS; i++) {
        struct connection *c = &s->connection[i];
        if (c->fd >= 0 && !c->exchange) {
            return c;
        }
        closed = c->fd < 0 && !closed ? c : closed;
    }
    if (closed) {
        closed->fd = sockets_connect(s->socket);
        closed->proven = false;
        closed->at = -1;
    }
    return closed && closed->fd >= 0 ? closed : NULL;
}

/* Sends what waits as far as there are connections that take it. */
static void send_queued(struct work *w, struct service *s) {
    struct connection *c;
    while (s->pid && !s->ending && s->queue && now_ms() >= s->next_try && (c = idle_connection(s))) {
        struct exchange *x = s->queue;
        s->queue = x->next;
        if (!s->queue) {
            s->queue_end = &s->queue;
        }
        c->exchange = x;
        s->used = now_ms();
        transmit(w, s, c);
    }
}

static void fail_queue(struct work *w, struct service *s, enum result code, const char *text) {
    while (s->queue) {
        struct exchange *x = s->queue;
        s->queue = x->next;
        refuse(w, x, code, text);
    }
    s->queue_end = &s->queue;
}

/* The words of the daemon's command line, the place of its socket put in; false when that path is too long. */
static bool command_of(const struct work *w, struct service *s, struct list *argv) {
    char directory[sizeof s->socket];
    int n = snprintf(directory, sizeof directory, "%s/%s", w->config->service_directory, w->account->name);
    int m = n < (int)sizeof directory
                ? snprintf(s->socket, sizeof s->socket, "%s/%s.%d", directory, s->name, (int)getpid())
                : n;
    if (m >= (int)sizeof s->socket) {
        return false;
    }
    sockets_remove_stale(directory);
    unlink(s->socket);
    const char *line = config_account_service(w->config, s->name, s->line);
    struct buf text = {0};
    for (const char *at; (at = strstr(line, SERVICE_SOCKET)); line = at + sizeof SERVICE_SOCKET - 1) {
        buf_add(&text, line, (size_t)(at - line));
        buf_text(&text, s->socket);
    }
    buf_add(&text, line, strlen(line) + 1);
    argv->bytes = must_copy(buf_at(&text), argv->len = buf_len(&text));
    buf_free(&text);
    argv->argv = must_alloc((argv->len + 1) * sizeof *argv->argv);
    for (char *word = strtok(argv->bytes, " "); word; word = strtok(NULL, " ")) {
        argv->argv[argv->count++] = word;
    }
    argv->argv[argv->count] = NULL;
    return true;
}

/* Starts the daemon with nothing but its configured environment; 0 or errno. */
static int launch_daemon(struct work *w, struct service *s) {
    struct list argv = {0};
    int pipes[2] = {-1, -1}, error = 0;
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC), root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const struct words *variables = &w->config->account_service_environment;
    char **env = must_alloc((variables->count + 1) * sizeof *env);
    for (size_t i = 0; i < variables->count; i++) {
        env[i] = variables->item[i];
    }
    env[variables->count] = NULL;
    if (null < 0 || root < 0 || pipe2(pipes, O_CLOEXEC)) {
        error = errno;
    } else if (!command_of(w, s, &argv)) {
        error = ENAMETOOLONG;
    } else {
        fcntl(pipes[0], F_SETFL, O_NONBLOCK);
        const int fds[3] = {null, pipes[1], pipes[1]};
        error = launch(w, &(struct program){argv.argv, env, root, fds, -1, false}, &s->pid);
    }
    for (int i = 0; i < 3; i++) {
        int fd = i == 0 ? null : i == 1 ? root : pipes[1];
        if (fd >= 0) {
            close(fd);
        }
    }
    if (error && pipes[0] >= 0) {
        close(pipes[0]);
    }
    s->output = error ? -1 : pipes[0];
    free(env);
    list_free(&argv);
    return error;
}

static void start(struct work *w, struct service *s, int64_t now) {
    s->words[0] = 0;
    int error = launch_daemon(w, s);
    if (error) {
        s->pid = 0;
        snprintf(s->words, sizeof s->words, "%s", strerror(error));
    } else {
        w->execs++;
        s->ready = s->ending = false;
        s->started = s->used = now;
        s->next_try = 0;
    }
}

/* It did not come up: its next command line may. After the last, whoever waits is refused, and so is everybody for a while. */
static void start_failed(struct work *w, struct service *s, int64_t now) {
    s->line++;
    if (config_account_service(w->config, s->name, s->line)) {
        return;
    }
    s->line = 0;
    char text[WORDS + 128];
    snprintf(text, sizeof text, "cannot start %s: %s", s->name, s->words[0] ? s->words : "it ended without a message");
    fail_queue(w, s, RESULT_FAILED, text);
    s->pause = s->pause ? 2 * s->pause : PAUSE_MS;
    s->pause = s->pause < PAUSE_MAX_MS ? s->pause : PAUSE_MAX_MS;
    s->not_before = now + s->pause;
}

static void kill_daemon(struct service *s) {
    if (s->pid > 0) {
        kill(-s->pid, SIGKILL);
        s->ending = true;
    }
}

static struct service *find(struct work *w, const char *name) {
    for (struct service *s = w->services; s; s = s->next) {
        if (!strcmp(s->name, name)) {
            return s;
        }
    }
    struct service *s = must_alloc(sizeof *s);
    *s = (struct service){.next = w->services, .output = -1};
    s->name = must_copy(name, strlen(name));
    s->queue_end = &s->queue;
    for (int i = 0; i < CONNECTIONS; i++) {
        s->connection[i] = (struct connection){.fd = -1, .at = -1};
    }
    w->services = s;
    return s;
}

void service_request(struct work *w, const struct request *r) {
    int cwd = launch_directory(w, r->args[HTTP_DIRECTORY]);
    if (cwd < 0) {
        reply_errno(w, r->seq, "not sent:", r->args[HTTP_DIRECTORY]);
        return;
    }
    close(cwd);
    uint64_t timeout = 0, max = 0;
    number_parse(r->args[HTTP_TIMEOUT], UINT64_MAX, &timeout);
    number_parse(r->args[HTTP_MAX], UINT64_MAX, &max);
    struct exchange *x = must_alloc(sizeof *x);
    *x = (struct exchange){.seq = r->seq, .max = max < w->config->max_output ? (size_t)max : w->config->max_output};
    x->deadline = now_ms() + (int64_t)(timeout < TIMEOUT_MAX_MS ? timeout : TIMEOUT_MAX_MS);
    size_t len;
    char *body = base64_decode(r->args[HTTP_BODY], &len);
    http_request(&x->out, r->args[HTTP_METHOD], r->args[HTTP_TARGET], body, len);
    wipe_free(body, len + 1);
    x->size = buf_len(&x->out);
    w->queued += x->size;
    struct service *s = find(w, r->args[HTTP_SERVICE]);
    *s->queue_end = x;
    s->queue_end = &x->next;
    send_queued(w, s);
}

/* Ends what is over its time; milliseconds to the next deadline or -1. */
static int64_t deadlines(struct work *w, struct service *s, int64_t now) {
    int64_t wait = -1;
    for (struct exchange **at = &s->queue; *at;) {
        struct exchange *x = *at;
        if (now < x->deadline) {
            wait = wait < 0 || x->deadline - now < wait ? x->deadline - now : wait;
            at = &x->next;
            continue;
        }
        *at = x->next;
        refuse(w, x, RESULT_BUSY, "the daemon took no request in time; nothing was sent");
    }
    s->queue_end = &s->queue;
    while (*s->queue_end) {
        s->queue_end = &(*s->queue_end)->next;
    }
    for (int i = 0; i < CONNECTIONS; i++) {
        struct connection *c = &s->connection[i];
        if (!c->exchange) {
            continue;
        }
        int64_t left = c->exchange->deadline - now;
        if (left > 0) {
            wait = wait < 0 || left < wait ? left : wait;
            continue;
        }
        struct exchange *x = c->exchange;
        if (x->begun && !x->late) { /* it could still do it, after somebody looked whether it had: it ends first */
            x->late = true;
            x->deadline = now + AFTER_KILL_MS;
            kill_daemon(s);
            continue;
        }
        break_off(w, s, c, LATE);
    }
    return wait;
}

/* Ends a daemon that was stopped; milliseconds to the next look, or -1. */
static int64_t look(struct service *s, int64_t now) {
    if (!s->pid || s->ending || !is_busy(s)) {
        return -1;
    }
    if (now >= s->next_look) {
        s->next_look = now + LOOK_MS;
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)s->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid) {
            note("%s (process %d) was stopped and is killed", s->name, (int)s->pid);
            kill_daemon(s);
            return -1;
        }
    }
    return s->next_look - now;
}

static int64_t tick(struct work *w, struct service *s, int64_t now) {
    int64_t wait = deadlines(w, s, now), next = look(s, now);
    wait = next >= 0 && (wait < 0 || next < wait) ? next : wait;
    if (s->queue && !s->pid) {
        if (now < s->not_before) {
            char text[WORDS + 128];
            snprintf(text, sizeof text, "%s did not start and is tried again later: %s", s->name, s->words);
            fail_queue(w, s, RESULT_FAILED, text);
            return wait;
        }
        start(w, s, now);
        if (!s->pid) {
            start_failed(w, s, now);
            return 0;
        }
    }
    send_queued(w, s);
    if (s->pid && !s->ready && !s->ending && now - s->started > START_MS) {
        snprintf(s->words, sizeof s->words, "it took no request within %d s", START_MS / 1000);
        kill_daemon(s);
    }
    if (s->pid && s->queue && !s->ending) {
        bool all = true;
        for (int i = 0; i < CONNECTIONS; i++) {
            all = all && s->connection[i].fd >= 0;
        }
        return all ? wait : now < s->next_try ? AGAIN_MS : TRY_MS;
    }
    if (s->pid && !s->ending && !is_busy(s)) {
        int64_t left = s->used + w->config->idle_ms - now;
        if (left <= 0) {
            kill_daemon(s);
        } else {
            wait = left;
        }
    }
    return wait;
}

int64_t service_tick(struct work *w) {
    int64_t now = now_ms(), wait = -1;
    for (struct service *s = w->services; s; s = s->next) {
        int64_t one = tick(w, s, now);
        wait = one >= 0 && (wait < 0 || one < wait) ? one : wait;
    }
    return wait;
}

size_t service_poll_count(const struct work *w) {
    size_t n = 0;
    for (const struct service *s = w->services; s; s = s->next) {
        n += CONNECTIONS + 1;
    }
    return n;
}

size_t service_poll(struct work *w, struct pollfd *fds) {
    size_t n = 0;
    for (struct service *s = w->services; s; s = s->next) {
        s->output_at = s->output < 0 ? -1 : (int)n;
        if (s->output >= 0) {
            fds[n++] = (struct pollfd){.fd = s->output, .events = POLLIN};
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            struct connection *c = &s->connection[i];
            /* of one that is being ended the rest is taken when it has ended */
            c->at = c->fd < 0 || s->ending ? -1 : (int)n;
            if (c->at >= 0) {
                bool more = c->exchange && buf_len(&c->exchange->out);
                fds[n++] = (struct pollfd){.fd = c->fd, .events = (short)(POLLIN | (more ? POLLOUT : 0))};
            }
        }
    }
    return n;
}

/* Keeps the last the daemon printed, as plain text on one line. */
static void take_words(struct service *s) {
    char bytes[8192];
    ssize_t n = read(s->output, bytes, sizeof bytes);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(s->output);
            s->output = -1;
        }
        return;
    }
    for (ssize_t i = 0; i < n; i++) {
        bytes[i] = bytes[i] == '\n' ? ';' : bytes[i] < ' ' || bytes[i] > '~' ? '?' : bytes[i];
    }
    size_t had = strlen(s->words), fresh = (size_t)n < WORDS ? (size_t)n : WORDS;
    size_t keep = had + fresh > WORDS ? WORDS - fresh : had;
    memmove(s->words, s->words + had - keep, keep);
    memcpy(s->words + keep, bytes + n - fresh, fresh);
    s->words[keep + fresh] = 0;
}

void service_events(struct work *w, const struct pollfd *fds, size_t n) {
    for (struct service *s = w->services; s; s = s->next) {
        if (s->output_at >= 0 && (size_t)s->output_at < n && fds[s->output_at].revents) {
            take_words(s);
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            struct connection *c = &s->connection[i];
            short happened = c->at >= 0 && (size_t)c->at < n ? fds[c->at].revents : 0;
            if (happened & POLLOUT && c->exchange) {
                transmit(w, s, c);
            }
            if (happened & ~POLLOUT && c->fd >= 0) {
                receive(w, s, c);
            }
        }
        send_queued(w, s);
    }
}

static struct service *of_process(const struct work *w, pid_t pid) {
    for (struct service *s = w->services; s; s = s->next) {
        if (s->pid == pid) {
            return s;
        }
    }
    return NULL;
}

bool service_is(const struct work *w, pid_t pid) { return of_process(w, pid); }

void service_ended(struct work *w, pid_t pid, int status) {
    struct service *s = of_process(w, pid);
    bool ready = s->ready, ending = s->ending;
    s->pid = 0;
    for (int i = 0; i < CONNECTIONS; i++) { /* what it answered before its end counts */
        struct connection *c = &s->connection[i];
        while (c->fd >= 0 && c->exchange && fd_read(c->fd, &c->in) > 0) {
            take_answer(w, s, c, false);
        }
        if (c->fd >= 0 && c->exchange) {
            take_answer(w, s, c, true);
        }
        if (c->fd >= 0) {
            disconnect(c);
        }
    }
    if (s->output >= 0) {
        take_words(s);
        if (s->output >= 0) {
            close(s->output);
            s->output = -1;
        }
    }
    unlink(s->socket);
    if (!ready) {
        start_failed(w, s, now_ms());
    } else if (!ending) {
        note("%s (process %d) ended with status %d: %.200s", s->name, (int)pid,
             WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), s->words);
    }
}

void service_kill_all(struct work *w) {
    for (struct service *s = w->services; s; s = s->next) {
        if (s->pid > 0) {
            kill(-s->pid, SIGKILL);
            unlink(s->socket);
        }
    }
}
