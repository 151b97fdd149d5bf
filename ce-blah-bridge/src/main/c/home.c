/*
 * Homes; see home.h.
 */
#include "home.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "path.h"

#define TEMPORARY_TRIES 100

/* Copies one part of the path if it is a name this process may use. */
static bool take_part(const char **rel, char part[NAME_MAX + 1]) {
    size_t n = strcspn(*rel, "/");
    if (n == 0 || n > NAME_MAX || (*rel)[0] == '.') {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        char c = (*rel)[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("._-", c))) {
            return false;
        }
    }
    memcpy(part, *rel, n);
    part[n] = 0;
    *rel += n + ((*rel)[n] == '/');
    return true;
}

static const char *system_words(const char *what) {
    static char text[256];
    snprintf(text, sizeof text, "%s: %s", what, strerror(errno));
    return text;
}

/* Opens the VO's directory, made on demand; -1 with errno. */
static int open_vo(int root, const char *vo, bool make) {
    if (make && mkdirat(root, vo, 0700) && errno != EEXIST) {
        return -1;
    }
    return openat(root, vo, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/*
 * Makes an empty directory of ours with a name for the time being. What a process that was killed left under such a name may
 * be another account's, with what that put there: it is never used. An empty one is removed; one that is not keeps its name.
 */
static bool make_temporary(int vo, char *name, size_t size) {
    for (int n = 0; n < TEMPORARY_TRIES; n++) {
        snprintf(name, size, ".new.%d.%d", (int)getpid(), n);
        unlinkat(vo, name, AT_REMOVEDIR);
        if (mkdirat(vo, name, 0700) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            return false;
        }
    }
    return false;
}

/*
 * Made under another name and renamed when it belongs to the account: a crash leaves no home that is half made, and a home
 * somebody else made meanwhile is not touched.
 */
static bool make_home(int vo, const char *home, const struct account *a) {
    char temporary[64];
    if (!make_temporary(vo, temporary, sizeof temporary)) {
        return false;
    }
    if (fchownat(vo, temporary, a->uid, a->gid, AT_SYMLINK_NOFOLLOW)) {
        return false;
    }
    if (renameat2(vo, temporary, vo, home, RENAME_NOREPLACE)) {
        int saved = errno;
        unlinkat(vo, temporary, AT_REMOVEDIR);
        errno = saved;
        return saved == EEXIST;
    }
    return true;
}

bool home_check(const struct config *c, const struct account *a, const char *rel, bool make, bool deeper, const char **why) {
    char vo_name[NAME_MAX + 1], home[NAME_MAX + 1];
    if (!take_part(&rel, vo_name) || !take_part(&rel, home) || (deeper && !*rel)) {
        *why = "the path is not in a home <sandbox root>/<vo>/<home>";
        return false;
    }
    int root = path_root(c);
    if (root < 0) {
        *why = system_words("cannot open the sandbox root");
        return false;
    }
    int vo = open_vo(root, vo_name, make);
    if (vo < 0) {
        bool absent = errno == ENOENT;
        *why = system_words("cannot open the VO's directory");
        return absent && !make;
    }
    bool fine = false;
    struct stat st;
    if (fstat(vo, &st) || st.st_uid != 0 || (st.st_mode & 022)) {
        *why = "the VO's directory does not belong to root alone";
    } else if ((st.st_mode & 0777) == 0700 && fchmod(vo, 0711)) { /* just made, or a crash came between */
        *why = system_words("cannot open the VO's directory to accounts");
    } else {
        int found = fstatat(vo, home, &st, AT_SYMLINK_NOFOLLOW);
        if (found && errno == ENOENT && make) {
            found = make_home(vo, home, a) ? fstatat(vo, home, &st, AT_SYMLINK_NOFOLLOW) : -1;
        }
        if (found) {
            fine = errno == ENOENT && !make;
            *why = system_words("cannot use the home");
        } else if (!S_ISDIR(st.st_mode) || st.st_uid != a->uid) {
            *why = "the home belongs to another account";
        } else {
            fine = true;
        }
    }
    close(vo);
    return fine;
}

/* The directory above, which belongs to this process alone; -1 with *why. */
static int open_services(const struct config *c, const char **why) {
    mode_t mode = c->is_root ? 0711 : 0700;
    if (mkdir(c->service_directory, 0700) && errno != EEXIST) {
        *why = system_words("cannot make service_directory");
        return -1;
    }
    int fd = open(c->service_directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) {
        *why = system_words("cannot open service_directory");
    } else if (st.st_uid != geteuid() || (st.st_mode & 022)) {
        *why = "service_directory does not belong to the helper's account alone";
    } else if ((st.st_mode & 0777) == 0700 && mode != 0700 && fchmod(fd, mode)) {
        *why = system_words("cannot open service_directory to accounts");
    } else {
        return fd;
    }
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

bool home_of_services(const struct config *c, const struct account *a, const char **why) {
    int all = open_services(c, why);
    if (all < 0) {
        return false;
    }
    struct stat st;
    bool found = fstatat(all, a->name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (!found && errno == ENOENT) {
        found = make_home(all, a->name, a) && fstatat(all, a->name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    }
    bool fine = found && S_ISDIR(st.st_mode) && st.st_uid == a->uid;
    if (!fine) {
        *why = found ? "the directory for sockets belongs to another account"
                     : system_words("cannot make the directory for sockets");
    }
    close(all);
    return fine;
}
