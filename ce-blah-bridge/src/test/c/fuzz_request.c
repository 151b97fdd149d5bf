/*
 * Fuzzing of what the helper does with bytes of the JVM side before a worker sees them: lines, words, the form of requests,
 * what stands inside arguments, permissions, and paths below the root.
 *
 * One input is a stream of bytes as it may come in on stdin; its first byte chooses the size of the pieces it comes in. Beside
 * what the sanitizers see, these must hold, or the harness traps:
 * - pieces of any size give the same lines as the whole;
 * - words that are escaped and split again are the same words;
 * - valid base64 is the one way to write its content;
 * - a path that is let through opens nothing outside the root, and the two ways to open it agree;
 * - what root runs has no variable that is not root's;
 * - a request for a file that arrives in parts is answered once, and changes nothing outside its directory;
 * - a request for a piece of a stream, which here is never there, is answered once.
 * Works in a directory `tree` below the current one, which it makes; afterwards it writes to files of one letter in `tree/v/w` alone.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec.h"
#include "line.h"
#include "path.h"
#include "request.h"
#include "stream.h"
#include "upload.h"

/* In requests; the tree's own place differs from machine to machine, and seeds must not. */
#define ROOT "/sandbox"

#define HOLDS(condition)    \
    do {                    \
        if (!(condition)) { \
            __builtin_trap(); \
        }                   \
    } while (0)

static char tree[PATH_MAX];
#define WORK ROOT "/v/w/"

static char *programs[] = {"/usr/bin/true", "/usr/libexec/"};
static char *own_programs[] = {"/usr/bin/true", "/usr/bin/squeue --all --name=*"};
static char *own_environment[] = {"A=b"};
static struct config rules = {.sandbox_root = ROOT,
                              .executables = {programs, 2},
                              .self_executables = {own_programs, 2},
                              .self_environment = {own_environment, 1}};
static struct config by_openat2 = {.sandbox_root = tree};
static struct config by_walking = {.sandbox_root = tree, .walk = true};

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    mkdir("tree", 0700);
    mkdir("tree/v", 0700);
    mkdir("tree/v/h", 0700);
    close(open("tree/v/h/f", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    mkfifo("tree/v/h/p", 0600);
    /* failing when they are there from the run before */
    if (symlink("/etc", "tree/v/h/l") == 0 && symlink("../../..", "tree/v/h/u") == 0 && symlink("f", "tree/v/h/s") == 0) {
        symlink("h", "tree/v/x");
    }
    mkdir("tree/v/w", 0700);
    int outside = open("outside", O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    HOLDS(write(outside, "abc", 3) == 3);
    close(outside);
    HOLDS(realpath("tree", tree));
    HOLDS(path_root(&by_openat2) >= 0); /* the directory that ROOT stands for from now on */
    return 0;
}

static void check_opened(int fd) {
    char link[64], name[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, name, sizeof name - 1);
    HOLDS(n > 0);
    name[n] = 0;
    size_t root = strlen(tree);
    HOLDS(!strncmp(name, tree, root) && (!name[root] || name[root] == '/'));
}

static void check_path(const char *path) {
    const char *rel = path_below(&rules, path);
    if (!rel) {
        return;
    }
    HOLDS(!strstr(path, "/../"));
    int one = path_open(&by_openat2, rel, O_RDONLY | O_NONBLOCK, 0);
    int other = path_open(&by_walking, rel, O_RDONLY | O_NONBLOCK, 0);
    HOLDS((one < 0) == (other < 0));
    if (one >= 0) {
        check_opened(one);
        check_opened(other);
        close(one);
        close(other);
    }
    const char *name = NULL;
    int parent = *rel ? path_parent(&by_openat2, rel, false, &name) : -1;
    if (parent >= 0) {
        HOLDS(*name && !strchr(name, '/'));
        check_opened(parent);
        close(parent);
    }
}

static void check_argument(const char *text) {
    uint64_t number;
    unsigned mode;
    struct list list;
    (void)text_is_clean(text);
    (void)number_parse(text, UINT32_MAX, &number);
    (void)mode_parse(text, &mode);
    if (base64_valid(text)) {
        size_t len;
        char *bytes = base64_decode(text, &len);
        struct buf again = {0};
        base64_add(&again, bytes, len);
        HOLDS(buf_len(&again) == strlen(text) && !memcmp(buf_at(&again), text, buf_len(&again)));
        buf_free(&again);
        wipe_free(bytes, len + 1);
    }
    if (list_decode(text, &list)) {
        size_t len = 0;
        for (size_t i = 0; i < list.count; i++) {
            len += strlen(list.argv[i]) + 1;
        }
        HOLDS(len == list.len && !list.argv[list.count]);
    }
    list_free(&list);
    check_path(text);
}

static bool is_work_file(const char *path) {
    return !strncmp(path, WORK, sizeof WORK - 1) && strlen(path) == sizeof WORK;
}

/* Does it, beside a link that leads out and a pipe, which earlier requests may have replaced. */
static void check_upload(const struct rule *rule, int argc, char **args) {
    if (!is_work_file(args[0]) || (rule->verb == VERB_FINISH && !is_work_file(args[1]))) {
        return;
    }
    int failing = symlink("../../../outside", "tree/v/w/o") | mkfifo("tree/v/w/p", 0600); /* when they are there */
    (void)failing;
    struct work work = {.config = &rules};
    struct request request = {.seq = 7, .verb = rule->verb, .argc = argc, .args = args};
    upload_work(&work, &request);
    struct frame_head head;
    char *body;
    HOLDS(frame_next(&work.out, &head, &body) == 1 && head.seq == 7);
    HOLDS(buf_len(&work.out) == sizeof head + head.len && head.len > 2 && body[1] == ' ');
    buf_free(&work.out);
    struct stat st;
    HOLDS(stat("outside", &st) == 0 && st.st_size == 3);
}

static void check_stream(const struct rule *rule, int argc, char **args) {
    struct work work = {.config = &rules};
    struct request request = {.seq = 7, .verb = rule->verb, .argc = argc, .args = args};
    if (rule->verb == VERB_READ) {
        stream_read(&work, &request);
    } else {
        stream_close(&work, &request);
    }
    struct frame_head head;
    char *body;
    HOLDS(frame_next(&work.out, &head, &body) == 1 && head.seq == 7);
    HOLDS(buf_len(&work.out) == sizeof head + head.len && head.len > 2 && body[1] == ' ');
    buf_free(&work.out);
}

static void check_environment(char **args) {
    struct list environment, argv;
    HOLDS(list_decode(args[2], &environment) && list_decode(args[1], &argv) && argv.count);
    for (size_t i = 0; i < environment.count; i++) {
        HOLDS(!strcmp(environment.argv[i], own_environment[0]));
    }
    HOLDS(!strcmp(argv.argv[0], own_programs[0]) || (argv.count == 3 && !strncmp(argv.argv[2], "--name=", 7)));
    list_free(&environment);
    list_free(&argv);
}

static void check_request(int argc, char **args) {
    const struct rule *rule = request_rule(args[0]);
    char why[160];
    if (!rule || !request_form(rule, argc - 1, args + 1, why, sizeof why)) {
        return;
    }
    const char *reason = NULL;
    struct account account = {.name = SELF, .uid = 1000, .gid = 1000};
    for (int root = 0; root < 2; root++) {
        rules.is_root = root; /* of account "-" alone: another one's homes are the kernel's to check */
        if (!request_allowed(&rules, rule, &account, argc - 1, args + 1, &reason)) {
            HOLDS(reason && *reason);
        } else if (rule->verb == VERB_READ || rule->verb == VERB_CLOSE) {
            check_stream(rule, argc - 3, args + 3);
        } else if (root) {
            HOLDS(rule->verb == VERB_RUN || rule->verb == VERB_STREAM);
            check_environment(args + 3);
        } else if (rule->verb == VERB_APPEND || rule->verb == VERB_FINISH || rule->verb == VERB_STAT) {
            check_upload(rule, argc - 3, args + 3);
        }
    }
    rules.is_root = false;
}

/* Words without control characters come back as they went. */
static void check_escaping(int argc, char **args) {
    struct buf line = {0};
    for (int i = 0; i < argc; i++) {
        for (const char *c = args[i]; *c; c++) {
            if ((unsigned char)*c < 0x20) {
                buf_free(&line);
                return;
            }
        }
        if (i) {
            buf_add(&line, " ", 1);
        }
        line_arg(&line, args[i]);
    }
    size_t len = buf_len(&line);
    buf_add(&line, "", 1);
    char *again[LINE_MAX_ARGS];
    const char *why = NULL;
    HOLDS(line_split(buf_at(&line), len, again, &why) == argc);
    for (int i = 0; i < argc; i++) {
        HOLDS(!strcmp(again[i], args[i]));
    }
    buf_free(&line);
}

static void take_line(char *line, size_t len) {
    char *args[LINE_MAX_ARGS];
    const char *why = NULL;
    int argc = line_split(line, len, args, &why);
    if (argc < 0) {
        HOLDS(why);
        return;
    }
    check_escaping(argc, args);
    check_request(argc, args);
    for (int i = 1; i < argc && i < 16; i++) {
        check_argument(args[i]);
    }
}

/* Reads all lines in pieces; adds them to `seen`, each ended by NUL and LF, which no line can hold together. */
static void read_lines(const uint8_t *data, size_t size, size_t piece, struct buf *seen, bool act) {
    struct line_reader reader = {0};
    for (size_t at = 0; at < size; at += piece) {
        buf_add(&reader.in, data + at, size - at < piece ? size - at : piece);
        char *line;
        size_t len, whole;
        while (line_next(&reader, &line, &len, &whole) == 1) {
            HOLDS(len < whole && whole <= buf_len(&reader.in));
            buf_add(seen, line, len);
            buf_add(seen, "\0\n", 2);
            if (act) {
                take_line(line, len);
            }
            line_done(&reader, whole);
        }
    }
    buf_free(&reader.in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) {
        return 0;
    }
    struct buf whole = {0}, pieces = {0};
    read_lines(data + 1, size - 1, size, &whole, true);
    read_lines(data + 1, size - 1, (size_t)data[0] % 64 + 1, &pieces, false);
    HOLDS(buf_len(&whole) == buf_len(&pieces));
    HOLDS(!buf_len(&whole) || !memcmp(buf_at(&whole), buf_at(&pieces), buf_len(&whole)));
    buf_free(&whole);
    buf_free(&pieces);
    return 0;
}
