/*
 * A worker: does one account's requests, as that account.
 *
 * Trust boundary: it has no more rights than the account; requests come checked from the privileged process, results go back
 * as frames. Invariant: the event loop never waits for a command, a slow reader or a large tree.
 */
#ifndef GELATO_WORKER_H
#define GELATO_WORKER_H

#include <poll.h>

#include "config.h"
#include "frame.h"
#include "request.h"

struct request {
    struct request *next;
    uint64_t seq;
    enum verb verb;
    int argc;
    char **args; /* into bytes */
    char *bytes;
    size_t len;
};

struct command;
struct removal;

struct work {
    const struct config *config;
    int parent;
    int signals; /* signalfd of SIGCHLD */
    struct buf in, out;
    uint32_t execs; /* since the last frame */
    struct request *queue, **queue_end; /* commands waiting for a free place */
    size_t queued;                      /* bytes of them */
    struct command *commands;
    size_t running;
    struct removal *removals, **removals_end;
};

/* Serves until the parent hangs up, then kills what runs and exits. */
void worker_main(const struct config *c, int parent) __attribute__((noreturn));

void request_free(struct request *r);

/* Results. The body of answer() is escaped text after the request id; it is freed. */
void answer(struct work *w, uint64_t seq, struct buf *body);
void answer_ok(struct work *w, uint64_t seq);
void answer_text(struct work *w, uint64_t seq, enum result code, const char *text);
/* "what name: words of errno", with the code errno stands for. */
void answer_errno(struct work *w, uint64_t seq, const char *what, const char *name);
enum result code_of(int error);

/* command.c: takes the request over. */
void command_queue(struct work *w, struct request *r);
void command_start_queued(struct work *w);
size_t command_poll_count(const struct work *w);
size_t command_poll(struct work *w, struct pollfd *fds, struct command **owners);
void command_event(struct work *w, struct command *cmd, const struct pollfd *fd);
void command_reap(struct work *w);
/* Kills what is over its time; milliseconds to the next deadline or -1. */
int64_t command_tick(struct work *w);
void command_kill_all(struct work *w);

/* stream.c: a command whose output is fetched in pieces. */
uint64_t stream_number(void);
void stream_read(struct work *w, const struct request *r);
void stream_close(struct work *w, const struct request *r);

/* launch.c */
void spawn_detached(struct work *w, const struct request *r);
int launch_directory(struct work *w, const char *cwd);
int launch_files(struct work *w, const struct request *r, int first, const char **bad);
struct program {
    char **argv, **env;
    int cwd;
    const int *fds;
    bool detached; /* lives on without us; otherwise the kernel kills it when this process ends in whatever way */
};
int launch(const struct work *w, const struct program *p, pid_t *pid);

/* filework.c: done at once. */
void file_work(struct work *w, const struct request *r);
int file_put(const struct config *c, const char *path, unsigned mode, const char *bytes, size_t len, bool durable);
int write_whole(int fd, const char *bytes, size_t len);

/* upload.c: done at once. */
void upload_work(struct work *w, const struct request *r);

/* remove.c: done a slice at a time. */
void removal_queue(struct work *w, const struct request *r);
void removal_step(struct work *w);

#endif
