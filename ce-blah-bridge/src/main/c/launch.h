/*
 * Starting programs: their directory, their files, their descriptors.
 *
 * Trust boundary: runs as the account. Invariant: a program gets three descriptors and no other, default signals, and its own
 * process group (or session, when detached).
 */
#ifndef GELATO_LAUNCH_H
#define GELATO_LAUNCH_H

#include "work.h"

/* The directory to start in, made where absent; -1 with errno. */
int launch_directory(struct work *w, const char *cwd);

/* Writes the files that come with a request, from its argument `first` on; -1 with errno and the name of the bad one. */
int launch_files(struct work *w, const struct request *r, int first, const char **bad);

struct program {
    char **argv, **env;
    int cwd;
    const int *fds;
    int group;     /* written to by the child to enter a control group of its own; -1 for none */
    bool detached; /* lives on without us; otherwise the kernel kills it when this process ends in whatever way */
};

/* Returns when the program has begun: 0, or errno of what kept it from that. */
int launch(const struct work *w, const struct program *p, pid_t *pid);

#endif
