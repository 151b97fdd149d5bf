/*
 * Unix sockets of daemons; see sockets.h.
 */
#include "sockets.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "codec.h"

/* Entries of a directory that are checked. */
#define SCAN_MAX 1000

/* Its directory is the account's alone; whoever got a socket into it nevertheless gets nothing of a request. */
static bool is_own(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

int sockets_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && (connect(fd, (struct sockaddr *)&address, sizeof address) || !is_own(fd))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

void sockets_remove_stale(const char *directory) {
    DIR *all = opendir(directory);
    const struct dirent *e;
    for (int n = 0; all && n < SCAN_MAX && (e = readdir(all)); n++) {
        const char *dot = strrchr(e->d_name, '.');
        uint64_t pid;
        if (dot && dot != e->d_name && number_parse(dot + 1, INT32_MAX, &pid) && pid > 1 && kill((pid_t)pid, 0) &&
            errno == ESRCH) {
            unlinkat(dirfd(all), e->d_name, 0);
        }
    }
    if (all) {
        closedir(all);
    }
}
