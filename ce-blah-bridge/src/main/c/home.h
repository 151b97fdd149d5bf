/*
 * Homes: <root>/<vo>/<home>, made by the privileged process and by nobody else.
 *
 * Trust boundary: runs as root on paths of the JVM side. Invariant: every directory it works in belongs to root and is
 * writable by root alone, so nothing can be swapped under it; an account gets only a home that is its own.
 */
#ifndef GELATO_HOME_H
#define GELATO_HOME_H

#include "account.h"

/*
 * Checks that a path below the root lies in a home of the account (deeper than the home itself when `deeper`), making the
 * home when it is absent and `make` is set. Returns false with *why when the request must be refused. An absent home that
 * is not to be made is fine: the worker will find nothing there.
 */
bool home_check(const struct config *c, const struct account *a, const char *rel, bool make, bool deeper, const char **why);

/* Makes the account's directory for sockets of its daemons, 0700, when it is absent; false with *why when there is none. */
bool home_of_services(const struct config *c, const struct account *a, const char **why);

#endif
