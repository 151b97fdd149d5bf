/*
 * Local accounts; see account.h.
 */
#include "account.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"

static const char NO_ANSWER[] = "the account database does not answer";
static const char NO_ACCOUNT[] = "no such account";
/* An account that is not found for less may be one whose source is being restarted: some sources do not say which. */
#define MISSING_MS 30000

static bool is_name(const char *name) {
    size_t n = strlen(name);
    if (n == 0 || n > ACCOUNT_NAME_MAX || name[0] == '-' || name[0] == '.') {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_.-@$", c))) {
            return false;
        }
    }
    return true;
}

static gid_t *groups_of(const char *name, gid_t gid, int *count) {
    *count = 64;
    for (;;) {
        gid_t *g = must_alloc((size_t)*count * sizeof *g);
        if (getgrouplist(name, gid, g, count) >= 0) {
            return g;
        }
        free(g); /* *count says now how many there are */
        if (*count > 65536) {
            die("account %s is in too many groups", name);
        }
    }
}

static bool in_allowed_group(const struct config *c, const char *name, gid_t gid) {
    int count;
    gid_t *groups = groups_of(name, gid, &count);
    bool found = false;
    for (size_t i = 0; i < c->allowed_groups.count && !found; i++) {
        const struct group *g = getgrnam(c->allowed_groups.item[i]);
        for (int k = 0; g && k < count && !found; k++) {
            found = groups[k] == g->gr_gid;
        }
    }
    free(groups);
    return found;
}

const char *account_canonical(const struct config *c, const char *name) {
    if (c->is_root || !strcmp(name, SELF)) {
        return name;
    }
    static char own[ACCOUNT_NAME_MAX + 1];
    if (!own[0]) {
        const struct passwd *pw = getpwuid(geteuid());
        snprintf(own, sizeof own, "%s", pw && strlen(pw->pw_name) <= ACCOUNT_NAME_MAX ? pw->pw_name : "?");
    }
    return strcmp(name, own) ? name : SELF;
}

bool account_unanswered(const char *why) {
    return why == NO_ANSWER;
}

bool account_find(const struct config *c, const char *name, struct account *out, const char **why) {
    memset(out, 0, sizeof *out);
    if (!strcmp(name, SELF)) {
        snprintf(out->name, sizeof out->name, "%s", SELF);
        out->uid = geteuid();
        out->gid = getegid();
        return true;
    }
    if (!is_name(name)) {
        *why = "no account name";
        return false;
    }
    if (!c->is_root) {
        *why = "this helper has no root rights and serves only its own account";
        return false;
    }
    errno = 0;
    const struct passwd *pw = getpwnam(name);
    if (!pw) {
        *why = errno && errno != ENOENT ? NO_ANSWER : NO_ACCOUNT;
        return false;
    }
    if (pw->pw_uid == 0 || pw->pw_gid == 0 || pw->pw_uid < c->min_uid) {
        *why = "the account's uid is below min_uid";
        return false;
    }
    snprintf(out->name, sizeof out->name, "%s", name);
    out->uid = pw->pw_uid;
    out->gid = pw->pw_gid;
    if (c->allowed_groups.count && !in_allowed_group(c, name, out->gid)) {
        *why = "the account is in no allowed group";
        return false;
    }
    return true;
}

static int by_number(const void *a, const void *b) {
    gid_t x = *(const gid_t *)a, y = *(const gid_t *)b;
    return x < y ? -1 : x > y;
}

/* Sorts, and leaves each group once. Returns how many there are. */
static size_t as_set(gid_t *groups, size_t count) {
    size_t kept = 0;
    qsort(groups, count, sizeof *groups, by_number);
    for (size_t i = 0; i < count; i++) {
        if (!kept || groups[i] != groups[kept - 1]) {
            groups[kept++] = groups[i];
        }
    }
    return kept;
}

bool account_is_same(const struct config *c, const struct account *a) {
    struct account now;
    const char *why;
    if (!c->is_root || !strcmp(a->name, SELF)) {
        return true;
    }
    static int64_t missing; /* since when it is not found */
    if (!account_find(c, a->name, &now, &why)) {
        missing = why != NO_ACCOUNT ? 0 : missing ? missing : now_ms();
        return why == NO_ANSWER || (missing && now_ms() - missing < MISSING_MS); /* a source that is away takes no account away */
    }
    missing = 0;
    if (now.uid != a->uid || now.gid != a->gid) {
        return false;
    }
    int count, room = getgroups(0, NULL);
    gid_t *listed = groups_of(a->name, a->gid, &count);
    gid_t *held = must_alloc(((size_t)(room > 0 ? room : 0) + 1) * sizeof *held);
    int had = getgroups(room, held);
    size_t n = as_set(listed, (size_t)count), m = as_set(held, had > 0 ? (size_t)had : 0);
    bool same = n == m && !memcmp(listed, held, n * sizeof *held);
    free(listed);
    free(held);
    return same;
}

void account_become(const struct config *c, const struct account *a) {
    umask(077);
    if (c->is_root && strcmp(a->name, SELF)) {
        int count;
        gid_t *groups = groups_of(a->name, a->gid, &count);
        for (int i = 0; i < count; i++) {
            if (groups[i] == 0) {
                die("account %s is in the group of root", a->name);
            }
        }
        if (setgroups((size_t)count, groups) || setresgid(a->gid, a->gid, a->gid) || setresuid(a->uid, a->uid, a->uid)) {
            die("cannot become %s: %s", a->name, strerror(errno));
        }
        free(groups);
        uid_t ru, eu, su;
        gid_t rg, eg, sg;
        if (getresuid(&ru, &eu, &su) || getresgid(&rg, &eg, &sg) || ru != a->uid || eu != a->uid || su != a->uid ||
            rg != a->gid || eg != a->gid || sg != a->gid || setuid(0) == 0 || setgid(0) == 0) {
            die("did not become %s", a->name);
        }
    }
    /* what this process inherited in memory is not for other processes of the account */
    if (prctl(PR_SET_DUMPABLE, 0)) {
        die("cannot hide memory: %s", strerror(errno));
    }
}
