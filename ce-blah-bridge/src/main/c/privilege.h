/*
 * How this program may have become privileged.
 *
 * Trust boundary: with file capabilities the caller, who is not root, chooses arguments, environment and limits; with a sudo
 * rule root has chosen the arguments. Invariant: after privilege_take this process has one identity, root's or the caller's.
 */
#ifndef GELATO_PRIVILEGE_H
#define GELATO_PRIVILEGE_H

#include <stdbool.h>

/* The only configuration that counts when the privilege is the file's. */
#ifndef GELATO_CONFIG_FILE
#define GELATO_CONFIG_FILE "/etc/gelato/helper.conf"
#endif

/*
 * Becomes root if this program's file has capabilities, and says whether it did. Dies when it is setuid or setgid, when the
 * file is another's or anybody's to run, or when a capability is missing.
 */
bool privilege_take(void);

#endif
