/*
 * The numbered request list: every verb a worker serves, with what must hold before it is passed on.
 *
 * Trust boundary: this is where the JVM side's requests meet the configuration. Invariant: a worker gets only requests whose
 * arguments have their form, whose program is allowed and whose paths lie below the root (as root: in a home of the account).
 */
#ifndef GELATO_REQUEST_H
#define GELATO_REQUEST_H

#include <stdint.h>

#include "account.h"

enum verb {
    VERB_RUN = 1,
    VERB_SPAWN,
    VERB_SIGNAL,
    VERB_MKDIR,
    VERB_PUT,
    VERB_GET,
    VERB_LIST,
    VERB_COLLECT,
    VERB_DISCARD,
    VERB_RENAME,
    VERB_REMOVE,
    VERB_APPEND,
    VERB_FINISH,
    VERB_STAT,
    VERB_STREAM,
    VERB_READ,
    VERB_CLOSE,
    VERB_TREE,
    VERB_HTTP,
};

/* Result codes, first word after the request id. */
enum result {
    RESULT_OK = 0,
    RESULT_FAILED = 1,
    RESULT_NO_SUCH_FILE = 2,
    RESULT_REFUSED = 3,
    RESULT_BUSY = 4,
    RESULT_LOST = 5, /* the worker died: nobody knows what was done */
    RESULT_NO_SPACE = 6,
    RESULT_OTHER_SIZE = 7, /* the field tells the size the file has */
    RESULT_NOT_PLAIN = 8,  /* what is there cannot be read, now or later: no regular file, a link, no permission */
};

#define GET_MAX (1024 * 1024)
#define APPEND_MAX (1024 * 1024)
#define LIST_MAX 10000
#define TIMEOUT_MAX_MS (24ull * 3600 * 1000)

/* Positions of the arguments that follow id and account. */
enum { RUN_CWD, RUN_ARGV, RUN_ENV, RUN_STDIN, RUN_TIMEOUT, RUN_OUTPUT, RUN_FILES };
enum { HTTP_DIRECTORY, HTTP_SERVICE, HTTP_METHOD, HTTP_TARGET, HTTP_BODY, HTTP_TIMEOUT, HTTP_MAX };
enum { SPAWN_CWD, SPAWN_ARGV, SPAWN_ENV, SPAWN_STDOUT, SPAWN_STDERR, SPAWN_FILES };

struct rule {
    const char *word;
    enum verb verb;
    const char *form; /* one letter per argument after id and account; see request.c */
    bool makes;       /* makes the home on demand */
};

extern const struct rule RULES[];
extern const size_t RULE_COUNT;

/* The rule of a command word in any case, or NULL. */
const struct rule *request_rule(const char *word);

/* Checks count and form of the arguments after the word; on false a text for an `E` reply is in `why`. */
bool request_form(const struct rule *r, int argc, char **args, char *why, size_t why_size);

/* Checks program and paths against the configuration; on false *why says what was refused. */
bool request_allowed(const struct config *c, const struct rule *r, const struct account *a, int argc, char **args,
                     const char **why);

#endif
