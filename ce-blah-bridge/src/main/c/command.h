/*
 * A command that a worker has started, shared by those that run it to its end (run.c) and hand its output on in pieces
 * (stream.c).
 *
 * Invariant: pid is 0 once the process is reaped, for its number may then mean another; nothing signals a process through 0.
 */
#ifndef GELATO_COMMAND_H
#define GELATO_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "buf.h"

/* A killed process that does not go (it hangs in the kernel) is not waited for any longer than this. */
#define AFTER_KILL_MS 5000

struct command {
    struct command *next;
    uint64_t seq;    /* the request that waits: the run, or the one for a stream's next piece; 0 for none */
    uint64_t stream; /* what a stream is known by; 0 for a run */
    pid_t pid;
    int fd[3]; /* our ends; -1 when closed */
    char *input;
    size_t input_len, input_off;
    struct buf output[2];
    size_t max_output; /* kept of each output; of a stream's stderr alone */
    uint64_t dropped;  /* of a run's stdout: bytes over max_output */
    uint64_t total, max_total; /* of a stream's stdout */
    int64_t deadline;
    int exit;
    bool timed_out, answered, cut;
    bool over; /* to be taken from the list */
};

void command_close_end(struct command *cmd, int i);

/* Keeps the first bytes and drops the rest; a command that writes more must not stand still. False when nothing is left. */
bool command_take_output(struct command *cmd, int i);

#endif
