/*
 * What this helper may do; see config.h.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "codec.h"
#include "privilege.h"
#include "trusted.h"

#define FILE_MAX (64 * 1024)

static const char USAGE[] =
    "usage: gelato-helper -c FILE | -s SANDBOX_ROOT -m MIN_UID -x EXECUTABLE... [-e NAME=VALUE]... [-i IDLE_SECONDS] "
    "[-j MAX_CHILDREN] [-p MAX_PENDING] [-o MAX_OUTPUT] [-l MAX_LISTING] [-W]";

static void words_add(struct words *w, const char *text) {
    char **item = realloc(w->item, (w->count + 1) * sizeof *item);
    if (!item) {
        die("out of memory");
    }
    w->item = item;
    w->item[w->count++] = must_copy(text, strlen(text));
}

/* Absolute, and without empty, "." or ".." parts, which would make prefixes lie. */
static bool is_plain_path(const char *path) {
    if (path[0] != '/' || !path[1] || strlen(path) >= PATH_MAX) {
        return false;
    }
    for (const char *p = path; *p == '/' && p[1];) {
        size_t n = strcspn(++p, "/");
        if (n == 0 || (n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.')) {
            return false;
        }
        p += n;
    }
    return true;
}

static uint64_t number(const char *key, const char *value, uint64_t least, uint64_t most) {
    uint64_t v;
    if (!number_parse(value, most, &v) || v < least) {
        die("%s: '%s' is not a number from %llu to %llu", key, value, (unsigned long long)least, (unsigned long long)most);
    }
    return v;
}

static void executable(struct words *w, const char *key, const char *value) {
    if (!is_plain_path(value)) {
        die("%s: '%s' is not an absolute path without '.' and '..' parts", key, value);
    }
    words_add(w, value);
}

static void command_line(struct words *w, const char *key, const char *value) {
    char *program = must_copy(value, strcspn(value, " "));
    if (!is_plain_path(program)) {
        die("%s: '%s' does not begin with an absolute path without '.' and '..' parts", key, value);
    }
    free(program);
    words_add(w, value);
}

static void variable(struct words *w, const char *key, const char *value) {
    if (*value == '=' || !strchr(value, '=')) {
        die("%s: '%s' is not NAME=value", key, value);
    }
    words_add(w, value);
}

static void account_service(struct words *w, const char *key, const char *value) {
    char *name = must_copy(value, strcspn(value, " "));
    const char *line = value + strlen(name) + (value[strlen(name)] == ' ');
    char *program = must_copy(line, strcspn(line, " "));
    if (!config_service_name(name) || !is_plain_path(program)) {
        die("%s: '%s' is not a name of small letters and digits with an absolute path after it", key, value);
    }
    if (!strstr(line + strlen(program), SERVICE_SOCKET)) {
        die("%s: '%s' does not name its socket as " SERVICE_SOCKET, key, value);
    }
    free(program);
    free(name);
    words_add(w, value);
}

static void set(struct config *c, const char *key, const char *value) {
    if (!strcmp(key, "sandbox_root")) {
        size_t n = strlen(value);
        while (n > 1 && value[n - 1] == '/') {
            n--;
        }
        free(c->sandbox_root);
        c->sandbox_root = must_copy(value, n);
        if (!is_plain_path(c->sandbox_root)) {
            die("sandbox_root: '%s' is not an absolute path without '.' and '..' parts", value);
        }
    } else if (!strcmp(key, "min_uid")) {
        c->min_uid = (uid_t)number(key, value, 1, UINT32_MAX - 1);
    } else if (!strcmp(key, "allowed_group")) {
        words_add(&c->allowed_groups, value);
    } else if (!strcmp(key, "executable")) {
        executable(&c->executables, key, value);
    } else if (!strcmp(key, "self_executable")) {
        command_line(&c->self_executables, key, value);
    } else if (!strcmp(key, "self_environment")) {
        variable(&c->self_environment, key, value);
    } else if (!strcmp(key, "service")) {
        command_line(&c->services, key, value);
    } else if (!strcmp(key, "account_service")) {
        account_service(&c->account_services, key, value);
    } else if (!strcmp(key, "account_service_environment")) {
        variable(&c->account_service_environment, key, value);
    } else if (!strcmp(key, "service_directory")) {
        if (!is_plain_path(value)) {
            die("service_directory: '%s' is not an absolute path without '.' and '..' parts", value);
        }
        free(c->service_directory);
        c->service_directory = must_copy(value, strlen(value));
    } else if (!strcmp(key, "job_cgroup")) {
        if (!is_plain_path(value)) {
            die("job_cgroup: '%s' is not an absolute path without '.' and '..' parts", value);
        }
        free(c->job_cgroup);
        c->job_cgroup = must_copy(value, strlen(value));
    } else if (!strcmp(key, "account_memory")) {
        c->account_memory = number(key, value, 64, 64 * 1024 * 1024) << 20;
    } else if (!strcmp(key, "account_processes")) {
        c->account_processes = number(key, value, 16, 4 * 1024 * 1024);
    } else if (!strcmp(key, "idle_seconds")) {
        c->idle_ms = (int64_t)number(key, value, 1, 86400) * 1000;
    } else if (!strcmp(key, "max_children")) {
        c->max_children = number(key, value, 1, 256);
    } else if (!strcmp(key, "max_output")) {
        c->max_output = number(key, value, 1024, 16 * 1024 * 1024);
    } else if (!strcmp(key, "max_listing")) {
        c->max_listing = number(key, value, 1, 1024 * 1024) << 20;
    } else if (!strcmp(key, "max_pending")) {
        c->max_pending = number(key, value, 1, 65536);
    } else if (!strcmp(key, "max_workers")) {
        c->max_workers = number(key, value, 1, 900);
    } else if (!strcmp(key, "worker_memory")) {
        c->worker_memory = number(key, value, 64, 1024 * 1024) << 20;
    } else if (!strcmp(key, "command_core")) {
        c->command_core = number(key, value, 0, 1024 * 1024) << 20;
    } else if (!strcmp(key, "command_files")) {
        c->command_files = number(key, value, 16, 1024 * 1024);
    } else if (!strcmp(key, "command_locked")) {
        c->command_locked = number(key, value, 0, 64 * 1024 * 1024) << 20;
    } else if (!strcmp(key, "command_memory")) {
        c->command_memory = number(key, value, 16, 64 * 1024 * 1024) << 20;
    } else if (!strcmp(key, "command_processes")) {
        c->command_processes = number(key, value, 1, 4 * 1024 * 1024);
    } else {
        die("unknown key '%s': accepted are sandbox_root, min_uid, allowed_group, executable, self_executable, "
            "self_environment, service, account_service, "
            "account_service_environment, service_directory, job_cgroup, account_memory, account_processes, idle_seconds, max_children, max_output, max_listing, max_pending, max_workers, "
            "worker_memory, command_core, command_files, command_locked, command_memory, command_processes",
            key);
    }
}

static char *trim(char *text) {
    text += strspn(text, " \t\r");
    size_t n = strlen(text);
    while (n && strchr(" \t\r", text[n - 1])) {
        text[--n] = 0;
    }
    return text;
}

/* A path that this process takes as root, or runs as root, must be root's all the way. */
static void check_path(const struct config *c, const char *key, const char *path) {
    const char *why = c->is_root ? trusted_path(path) : NULL;
    if (why) {
        die("%s %s: %s; as root the helper takes only what belongs to root all the way from / and nobody else can write: "
            "move it, or give what is named here to root",
            key, path, why);
    }
}

/* The word of a line that root must not take, with the reason; NULL when there is none. */
static const char *untrusted_word(const char *line, char word[PATH_MAX]) {
    for (const char *at = line; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (at[0] == '/') {
            snprintf(word, PATH_MAX, "%.*s", (int)n, at);
            const char *why = trusted_file(word);
            if (why) {
                return why;
            }
        }
        at += n;
    }
    return NULL;
}

/*
 * The programs of lines that root runs, and the files that are their arguments. A line that names what others can change is left
 * out: what it is for then fails by name, and everything else goes on.
 */
static void check_lines(const struct config *c, const char *key, struct words *lines) {
    size_t kept = 0;
    for (size_t i = 0; i < lines->count; i++) {
        char word[PATH_MAX];
        const char *why = c->is_root ? untrusted_word(lines->item[i], word) : NULL;
        if (why) {
            note("%s %s: %s; this line is left out, as root runs only what belongs to root all the way from / and nobody else can "
                 "write: move it, or give what is named here to root",
                 key, word, why);
        } else {
            lines->item[kept++] = lines->item[i];
        }
    }
    lines->count = kept;
}

static void read_file(struct config *c, const char *path) {
    char *absolute = realpath(path, NULL);
    check_path(c, "configuration", path[0] == '/' || !absolute ? path : absolute);
    free(absolute);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) {
        die("cannot read configuration %s: %s", path, strerror(errno));
    }
    if (!S_ISREG(st.st_mode) || (st.st_uid != 0 && (c->is_root || st.st_uid != geteuid())) || (st.st_mode & 022)) {
        die("configuration %s must be a regular file of root that nobody else may write", path);
    }
    char *text = must_alloc(FILE_MAX + 1);
    size_t len = 0;
    ssize_t n;
    while (len <= FILE_MAX && (n = read(fd, text + len, FILE_MAX + 1 - len)) != 0) {
        if (n < 0) {
            die("cannot read configuration %s: %s", path, strerror(errno));
        }
        len += (size_t)n;
    }
    if (len > FILE_MAX || memchr(text, 0, len)) {
        die("configuration %s is no text of at most 64 KiB", path);
    }
    text[len] = 0;
    close(fd);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) {
            *next++ = 0;
        }
        line = trim(line);
        if (!*line || *line == '#') {
            continue;
        }
        char *eq = strchr(line, '=');
        if (!eq) {
            die("configuration %s: '%s' is not key=value", path, line);
        }
        *eq = 0;
        set(c, trim(line), trim(eq + 1));
    }
    free(text);
}

static void check_root(const struct config *c) {
    check_path(c, "sandbox_root", c->sandbox_root);
    if (mkdir(c->sandbox_root, c->is_root ? 0711 : 0700) == 0) {
        if (chmod(c->sandbox_root, c->is_root ? 0711 : 0700)) {
            die("cannot set the mode of %s: %s", c->sandbox_root, strerror(errno));
        }
    } else if (errno != EEXIST) {
        die("cannot make sandbox_root %s: %s", c->sandbox_root, strerror(errno));
    }
    check_path(c, "sandbox_root", c->sandbox_root); /* in a directory like /tmp another account may have been faster */
    struct stat st;
    if (stat(c->sandbox_root, &st) || !S_ISDIR(st.st_mode)) {
        die("sandbox_root %s is not a directory", c->sandbox_root);
    }
    if (c->is_root && (st.st_uid != 0 || (st.st_mode & 022))) {
        die("sandbox_root %s must belong to root and be writable by nobody else", c->sandbox_root);
    }
}

void config_read(struct config *c, int argc, char **argv, bool fixed) {
    *c = (struct config){
        .min_uid = 1000,
        .idle_ms = 600 * 1000,
        .max_children = 32,
        .max_output = 1024 * 1024,
        .max_listing = 1024ull << 20,
        .max_pending = 4096,
        .max_workers = 200,
        .worker_memory = 1024ull << 20,
        .account_memory = LIMIT_NONE,
        .account_processes = LIMIT_NONE,
        .command_core = LIMIT_NONE,
        .command_files = LIMIT_NONE,
        .command_locked = 8ull << 20,
        .command_memory = LIMIT_NONE,
        .command_processes = LIMIT_NONE,
        .is_root = geteuid() == 0,
    };
    if (fixed && (argc != 3 || strcmp(argv[1], "-c") || strcmp(argv[2], GELATO_CONFIG_FILE))) {
        die("with capabilities of its file the only arguments are: -c %s", GELATO_CONFIG_FILE);
    }
    static const struct {
        char option;
        const char *key;
    } options[] = {{'s', "sandbox_root"}, {'m', "min_uid"},     {'x', "executable"}, {'i', "idle_seconds"},
                   {'j', "max_children"}, {'p', "max_pending"}, {'o', "max_output"}, {'e', "self_environment"},
                   {'l', "max_listing"}};
    bool from_file = false, from_options = false;
    int o;
    while ((o = getopt(argc, argv, "c:s:m:x:e:i:j:p:o:l:W")) != -1) {
        if (o == 'c' && !from_file) {
            from_file = true;
            read_file(c, optarg);
        } else if (o == 'W') {
            c->walk = true;
        } else {
            const char *key = NULL;
            for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
                key = options[i].option == o ? options[i].key : key;
            }
            if (!key) {
                die("%s", USAGE);
            }
            from_options = true;
            set(c, key, optarg);
            if (o == 'x') {
                set(c, "self_executable", optarg);
            }
        }
    }
    if (optind != argc || (from_file && from_options)) {
        die("%s", USAGE);
    }
    if (!c->sandbox_root) {
        die("sandbox_root is missing. %s", USAGE);
    }
    check_root(c);
    if (!c->service_directory) {
        char path[64] = "/run/gelato-services";
        if (!c->is_root) {
            snprintf(path, sizeof path, "/tmp/gelato-services-%u", (unsigned)geteuid());
        }
        c->service_directory = must_copy(path, strlen(path));
    }
    check_path(c, "service_directory", c->service_directory);
    const char *why = c->job_cgroup && c->is_root ? trusted_path(c->job_cgroup) : NULL;
    if (why) { /* as in a container with a user namespace, where /sys is nobody's */
        note("job_cgroup %s: %s; this line is left out, and jobs run in the control group of the CE", c->job_cgroup, why);
        free(c->job_cgroup);
        c->job_cgroup = NULL;
    }
    check_lines(c, "self_executable", &c->self_executables);
    check_lines(c, "service", &c->services);
}

/* Whether a program is this one, or lies directly in the directory this names. */
static bool is_program(const char *allowed, const char *program) {
    size_t n = strlen(allowed);
    return allowed[n - 1] == '/' ? !strncmp(program, allowed, n) && program[n] && !strchr(program + n, '/')
                                 : !strcmp(program, allowed);
}

/* Compares word by word; with `stars`, a word of the line that ends with one stands for all that begin so. */
static bool is_line(const char *line, char *const argv[], bool stars) {
    for (size_t i = 0; argv[i]; i++) {
        size_t n = strcspn(line, " ");
        if (!n) {
            return false;
        }
        bool same = stars && line[n - 1] == '*' ? !strncmp(line, argv[i], n - 1)
                                                : strlen(argv[i]) == n && !strncmp(line, argv[i], n);
        line += n;
        if (!same || !*line) {
            return same && !argv[i + 1];
        }
        line++;
    }
    return false;
}

bool config_allows(const struct config *c, char *const argv[], bool self) {
    const struct words *w = self ? &c->self_executables : &c->executables;
    if (!is_plain_path(argv[0])) {
        return false;
    }
    for (size_t i = 0; i < w->count; i++) {
        const char *allowed = w->item[i];
        if (self && strchr(allowed, ' ') ? is_line(allowed, argv, true) : is_program(allowed, argv[0])) {
            return true;
        }
    }
    return false;
}

bool config_allows_environment(const struct config *c, char *const environment[]) {
    for (size_t i = 0; environment[i]; i++) {
        bool found = false;
        for (size_t k = 0; k < c->self_environment.count && !found; k++) {
            found = !strcmp(environment[i], c->self_environment.item[k]);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

bool config_is_service(const struct config *c, char *const argv[]) {
    for (size_t i = 0; i < c->services.count; i++) {
        if (is_line(c->services.item[i], argv, false)) {
            return true;
        }
    }
    return false;
}

bool config_service_name(const char *name) {
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return n > 0 && n <= 32 && !name[n];
}

const char *config_account_service(const struct config *c, const char *name, size_t nth) {
    size_t n = strlen(name);
    for (size_t i = 0; i < c->account_services.count; i++) {
        const char *line = c->account_services.item[i];
        if (!strncmp(line, name, n) && line[n] == ' ' && !nth--) {
            return line + n + 1;
        }
    }
    return NULL;
}
