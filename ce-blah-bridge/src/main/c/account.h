/*
 * Local accounts: which ones are served, and becoming one for good.
 *
 * Trust boundary: the name comes from the JVM side; the rules from the configuration. Invariant: account_become either
 * leaves the process as that account in every uid and gid, without a way back, or ends it.
 */
#ifndef GELATO_ACCOUNT_H
#define GELATO_ACCOUNT_H

#include "config.h"

#define SELF "-"
#define ACCOUNT_NAME_MAX 64

struct account {
    char name[ACCOUNT_NAME_MAX + 1]; /* SELF for our own */
    uid_t uid;
    gid_t gid;
};

/* A served account, or false with a reason in `why`. Asks the account database, which may be remote. */
bool account_find(const struct config *c, const char *name, struct account *out, const char **why);

/* Whether account_find failed as the account database did not answer: nothing is known of the account then. */
bool account_unanswered(const char *why);

/* In a worker: whether the account is served as before, with the same uid, gid and groups as this process has. */
bool account_is_same(const struct config *c, const struct account *a);

/* Our own name where it means the same as "-" (a helper without root); otherwise the name as given. */
const char *account_canonical(const struct config *c, const char *name);

/* Reads the account's groups; to be called in the child before account_become. */
void account_become(const struct config *c, const struct account *a);

#endif
