/*
 * The commands' side: counts the start, does what the file "faults" says about it, asks the server and prints its answer.
 * A fault's line is "program fault arguments", program * for all; the first that fits of each fault counts.
 */
#define _GNU_SOURCE
#include "standin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* what follows the fault's name, without the line's end; NULL where there is no such fault. To be freed. */
static char *fault(const char *program, const char *wanted)
{
    char *path = inside("faults"), *line = NULL, *found = NULL;
    size_t size = 0;
    FILE *in = fopen(path, "re");
    while (!found && in && getline(&line, &size, in) > 0) {
        char *at = NULL, *who = strtok_r(line, " \n", &at), *what = who ? strtok_r(NULL, " \n", &at) : NULL;
        if (what && !strcmp(what, wanted) && (!strcmp(who, "*") || !strcmp(who, program))) {
            found = strdup(at ? at : "");
            found[strcspn(found, "\n")] = 0;
        }
    }
    if (in) {
        fclose(in);
    }
    free(line);
    free(path);
    return found;
}

static void count(const char *program)
{
    char *path = inside("calls/%s", program);
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0 || write(fd, ".", 1) != 1) {
        fprintf(stderr, "%s: cannot count this call in %s: %s\n", program, path, strerror(errno));
        exit(1);
    }
    close(fd);
    free(path);
}

/* notes which job a qsub was for, whatever becomes of it */
static void note_name(char **pairs)
{
    char *path = inside("calls/names"), line[512];
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC), size = 0;
    for (int i = 0; pairs[i] && pairs[i + 1]; i += 2) {
        if (!strcmp(pairs[i], "name")) {
            size = snprintf(line, sizeof line, "%s\n", pairs[i + 1]);
        }
    }
    if (fd < 0 || size < 0 || size >= (int)sizeof line || write(fd, line, (size_t)size) != size) {
        fprintf(stderr, "qsub: cannot note this call in %s: %s\n", path, strerror(errno));
        exit(1);
    }
    close(fd);
    free(path);
}

static void never_return(void)
{
    for (;;) {
        pause();
    }
}

/* "code words": says the words and ends */
static void say_and_end(const char *program, const char *code_and_words)
{
    char *words;
    long code = strtol(code_and_words, &words, 10);
    words += *words == ' ';
    if (*words) {
        fprintf(stderr, "%s: %s\n", program, words);
    }
    exit((int)(code & 0xff));
}

static void down(const char *program)
{
    fprintf(stderr, "%s: cannot connect to server %s (errno=111) Connection refused\n", program, settings.host);
    exit(RC_DOWN);
}

static int connected(const char *program)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *path = inside("server.sock");
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) {
        down(program);
    }
    free(path);
    return fd;
}

static void send_all(const char *program, int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent < 0) {
            down(program);
        }
        bytes += sent;
        size -= (size_t)sent;
    }
}

/* Sends the request, prints what comes back; the server's exit code. */
static int ask(const char *program, char **words, const char *rest, size_t rest_size, const char *lost)
{
    int fd = connected(program), code;
    size_t out_size, err_size, size;
    char *request = NULL, head[64];
    FILE *out = open_memstream(&request, &size);
    fprintf(out, "%s%c", program, 0);
    for (int i = 0; words[i]; i++) {
        fprintf(out, "+%s%c", words[i], 0);
    }
    fputc(0, out);
    fclose(out);
    send_all(program, fd, request, size);
    send_all(program, fd, rest, rest_size);
    free(request);
    shutdown(fd, SHUT_WR);
    FILE *in = fdopen(fd, "r");
    if (!in || !fgets(head, sizeof head, in) || sscanf(head, "%d %zu %zu", &code, &out_size, &err_size) != 3) {
        down(program);
    }
    char *text = malloc(out_size + err_size + 1);
    if (fread(text, 1, out_size + err_size, in) != out_size + err_size) {
        down(program);
    }
    fclose(in);
    if (lost && code == 0) {
        if (!strncmp(lost, "hang", 4)) {
            never_return();
        }
        say_and_end(program, lost);
    }
    fwrite(text, 1, out_size, stdout);
    fwrite(text + out_size, 1, err_size, stderr);
    free(text);
    return fflush(stdout) ? 1 : code;
}

/* first: the first argument, or an empty text */
static void apply_faults(const char *program, const char *first)
{
    char *words;
    if ((words = fault(program, "slow"))) {
        long millis = strtol(words, NULL, 10);
        struct timespec time = {.tv_sec = millis / 1000, .tv_nsec = millis % 1000 * 1000000};
        nanosleep(&time, NULL);
        free(words);
    }
    if (fault(program, "hung")) {
        never_return();
    }
    if ((words = fault(program, "refusing"))) {
        say_and_end(program, words);
    }
    if (fault(program, "down")) {
        down(program);
    }
    if (strcmp(first, "-Q") && (words = fault(program, "refusing-jobs"))) {
        say_and_end(program, words);
    }
}

/* The folder above the program's own. */
static void find_home(void)
{
    static char path[4096];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    for (int i = 0; size > 0 && i < 2; i++) {
        path[size] = 0;
        *strrchr(path, '/') = 0;
    }
    home = path;
}

/* The words with one before them. */
static char **with_option(char **words, char *option)
{
    size_t count = 0;
    while (words[count]) {
        count++;
    }
    char **more = malloc((count + 2) * sizeof *more);
    more[0] = option;
    memcpy(more + 1, words, (count + 1) * sizeof *more);
    return more;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/'), *program = slash ? slash + 1 : argv[0];
    char **words = argv + 1, *script = NULL;
    size_t size = 0;
    find_home();
    read_settings();
    if (!strcmp(program, "pbs_server")) {
        return serve();
    }
    count(program);
    if (!strcmp(program, "qsub")) {
        int code = qsub(argc, argv, &words, &script, &size);
        if (code) {
            return code;
        }
        note_name(words);
    }
    if (!strcmp(program, "qstat") && getenv("PBS_QSTAT_NO_COMPLETE")) {
        words = with_option(words, "-c");
    }
    apply_faults(program, argc > 1 ? argv[1] : "");
    char *lost = fault(program, "answer-lost");
    int code = ask(program, words, script ? script : "", size, lost);
    free(script);
    free(lost);
    return code;
}
