/*
 * What this helper may do: read once at start, never changed.
 *
 * Trust boundary: the configuration file is the administrator's word. As root it must belong to root and be writable by
 * nobody else, and the sandbox root likewise; otherwise the helper does not start.
 */
#ifndef GELATO_CONFIG_H
#define GELATO_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define LIMIT_NONE UINT64_MAX

/* Stands in the command line of a service of accounts for the path of its socket. */
#define SERVICE_SOCKET "{socket}"
/* At once to one such daemon: twice its threads, so that the last request it took is answered after two times of the first. */
#define SERVICE_CONNECTIONS 8

struct words {
    char **item;
    size_t count;
};

struct config {
    char *sandbox_root; /* absolute, without trailing slash */
    uid_t min_uid;
    struct words allowed_groups;   /* empty: any */
    struct words executables;      /* absolute; a trailing slash allows what lies in a directory */
    struct words self_executables; /* what "-" may run when the helper is root: programs, or whole command lines */
    struct words self_environment; /* NAME=value: the only variables "-" may run them with */
    struct words services;         /* whole command lines "-" may run without an end */
    struct words account_services; /* NAME PROGRAM ARGUMENT...: daemons that every account may have */
    struct words account_service_environment; /* NAME=value: their whole environment */
    char *service_directory;       /* absolute; where the accounts' directories for sockets lie */
    char *job_cgroup;              /* absolute; below it accounts and their jobs have control groups; NULL for none */
    uint64_t account_memory;       /* bytes that all of an account may have there, */
    uint64_t account_processes;    /* and its processes and threads; LIMIT_NONE for no limit of its own */
    int64_t idle_ms;               /* a worker without work retires after it */
    size_t max_children;           /* commands at once per account */
    size_t max_output;             /* bytes kept of stdout and of stderr */
    uint64_t max_listing;          /* bytes a command may say whose output is fetched in pieces */
    size_t max_pending;            /* requests accepted and not yet fetched */
    size_t max_workers;
    uint64_t worker_memory;     /* bytes of address space of a worker itself */
    uint64_t command_core;      /* of what workers start: bytes of a core file, */
    uint64_t command_files;     /* descriptors, */
    uint64_t command_locked;    /* bytes of memory locked, */
    uint64_t command_memory;    /* bytes of address space */
    uint64_t command_processes; /* and processes of the account; LIMIT_NONE for what the helper has */
    bool walk;    /* never use openat2 */
    bool is_root; /* we may change accounts */
};

/*
 * Reads options and file; dies with a message that names the key and what is accepted. With `fixed` the caller is not trusted
 * with options: the one configuration file of privilege.h is read.
 */
void config_read(struct config *c, int argc, char **argv, bool fixed);

/* Whether this command line may be run; `self` for account "-" of a helper that is root. */
bool config_allows(const struct config *c, char *const argv[], bool self);

/* Whether account "-" of a helper that is root may run something with these variables, each NAME=value. */
bool config_allows_environment(const struct config *c, char *const environment[]);

/* Whether these are, word by word, the arguments of a service; one with a blank in a word never is. */
bool config_is_service(const struct config *c, char *const argv[]);

/* Whether this can be the name of a service of accounts. */
bool config_service_name(const char *name);

/* The nth command line of a service of accounts, from 0; the next is for where one does not start. NULL at the end. */
const char *config_account_service(const struct config *c, const char *name, size_t nth);

#endif
