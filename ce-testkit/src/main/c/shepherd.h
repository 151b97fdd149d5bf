/* A job's own process beside the server's, and how its end is noted. */
#ifndef SHEPHERD_H
#define SHEPHERD_H

#include "standin.h"

struct ending {
    int status; /* exit code, or 256 + signal */
    double runtime;
    long cpu;
    long memory;
    bool copy_failed;
    bool stage_in_failed;
};

bool start_shepherd(const struct job *job, pid_t *shepherd, pid_t *session);
bool read_ending(const char *file, struct ending *ending); /* false for a file that is none */
void signal_session(pid_t session, int signal);

#endif
