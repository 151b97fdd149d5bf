/*
 * gelato-helper: does work as local accounts for a CE that has no privilege.
 *
 * Purpose: one process beside the JVM, talked to in lines on stdin and stdout; it forks one worker per local account, and
 * workers start commands and do file work. It knows no batch system and no job.
 * Trust boundary: stdin is hostile; the configuration is the administrator's. This process may be root and therefore runs
 * no command and touches no file itself but the directories <root>/<vo>/<home>; workers have become their account for good.
 * Invariants: docs/developer/helper.md lists the requests with their preconditions and limits.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "channel.h"
#include "rlimits.h"
#include "privilege.h"

int main(int argc, char **argv) {
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            _exit(2); /* a file opened later would take the place of a standard stream */
        }
    }
    static struct config config;
    bool fixed = privilege_take();
    limits_helper();
    struct sigaction ignore = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL};
    sigset_t none;
    sigemptyset(&none);
    /* a Ctrl-C on the JVM's terminal is the JVM's to act on: the end of input ends us */
    if (sigaction(SIGPIPE, &ignore, NULL) || sigaction(SIGINT, &ignore, NULL) || sigaction(SIGHUP, &ignore, NULL) ||
        sigaction(SIGQUIT, &ignore, NULL) ||
        /* ignored by the caller, ended workers would not keep their number until we have looked after what they left */
        sigaction(SIGCHLD, &usual, NULL) || sigprocmask(SIG_SETMASK, &none, NULL)) {
        die("cannot set signals");
    }
    umask(077);
    config_read(&config, argc, argv, fixed);
    return channel_serve(&config);
}
