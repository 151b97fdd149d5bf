/* pbs_server: one thread that answers one command after the other and keeps the jobs going in between. */
#define _GNU_SOURCE
#include "standin.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_BYTES = 16 * 1024 * 1024, MAX_WORDS = 4096, TICK_MILLIS = 50 };

static volatile sig_atomic_t stopping;

static void stop(int with)
{
    (void)with;
    stopping = 1;
}

static bool whole(int fd, char **bytes, size_t *size)
{
    size_t held = 65536;
    ssize_t got;
    *bytes = malloc(held);
    *size = 0;
    while ((got = read(fd, *bytes + *size, held - *size - 1)) > 0) {
        *size += (size_t)got;
        if (held - *size < 2) {
            if (held > MAX_BYTES) {
                return false;
            }
            *bytes = realloc(*bytes, held *= 2);
        }
    }
    (*bytes)[*size] = 0;
    return got == 0;
}

static bool who(int fd, struct asker *asker)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size)) {
        return false;
    }
    struct passwd *user = getpwuid(peer.uid);
    struct group *group = user ? getgrgid(user->pw_gid) : NULL;
    if (!user) {
        return false;
    }
    asker->uid = peer.uid;
    asker->gid = user->pw_gid;
    snprintf(asker->name, sizeof asker->name, "%s", user->pw_name);
    snprintf(asker->group, sizeof asker->group, "%s", group ? group->gr_name : "nogroup");
    return true;
}

static bool send_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

/* "program\0word\0...\0\0rest": for qsub the words are pairs and the rest is the script */
static void answer_one(int fd)
{
    char *bytes, *words[MAX_WORDS + 1], *out = NULL, *err = NULL;
    size_t size, out_size, err_size, at;
    int count = 0;
    struct asker asker;
    struct timeval patience = {.tv_sec = 5};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (whole(fd, &bytes, &size) && size > 0 && who(fd, &asker)) {
        struct answer answer = {.out = open_memstream(&out, &out_size), .err = open_memstream(&err, &err_size)};
        at = strlen(bytes) + 1;
        while (at < size && bytes[at] && count < MAX_WORDS) {
            words[count++] = bytes + at + 1; /* a mark stands before each word, as a word may be empty */
            at += strlen(bytes + at) + 1;
        }
        bool cut = at < size && bytes[at];
        at++;
        words[count] = NULL;
        if (cut) {
            fprintf(answer.err, "%s: more than %d words\n", bytes, MAX_WORDS);
            answer.exit = 1;
        } else if (strcmp(bytes, "qsub")) {
            answer_words(words, bytes, &asker, &answer);
        } else if (count % 2 == 0 && at <= size) {
            submit(words, bytes + at, size - at, &asker, &answer);
        } else {
            answer.exit = 1;
        }
        fclose(answer.out);
        fclose(answer.err);
        char head[64];
        snprintf(head, sizeof head, "%d %zu %zu\n", answer.exit, out_size, err_size);
        if (send_all(fd, head, strlen(head)) && send_all(fd, out, out_size)) {
            send_all(fd, err, err_size);
        }
        free(out);
        free(err);
    }
    free(bytes);
    close(fd);
}

/* The name appears when connections are taken, never before; a killed server's name is replaced. */
static int listening(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *path = inside("server.sock"), *part = inside("server.sock.part");
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    unlink(part);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", part);
    if (fd < 0 || strlen(part) >= sizeof address.sun_path || bind(fd, (struct sockaddr *)&address, sizeof address)
        || chmod(part, 0777) || listen(fd, 1024) || rename(part, path)) {
        fprintf(stderr, "pbs_server: cannot listen at %s: %s\n", path, strerror(errno));
        exit(1);
    }
    free(path);
    free(part);
    return fd;
}

int serve(void)
{
    char *lock = inside("server.lock"), *path = inside("server.sock");
    int held = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct flock whole_file = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (held < 0 || fcntl(held, F_SETLK, &whole_file)) {
        fprintf(stderr, "pbs_server: another one serves %s\n", home);
        return 1;
    }
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    umask(022);
    read_settings();
    load();
    struct pollfd polled[2] = {{.fd = listening(), .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    /* for whoever started it; jobs must not keep the pipe open */
    puts("ready");
    fflush(stdout);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, 1);
    while (!stopping) {
        char byte;
        poll(polled, 2, TICK_MILLIS);
        /* whoever started the server is gone */
        if ((polled[1].revents & (POLLIN | POLLHUP)) && read(0, &byte, 1) == 0) {
            stopping = 1;
        }
        read_settings();
        int fd;
        while (!stopping && (fd = accept4(polled[0].fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
            answer_one(fd);
        }
        tick();
    }
    kill_all();
    unlink(path);
    free(path);
    free(lock);
    return 0;
}
