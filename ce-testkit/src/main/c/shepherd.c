/*
 * Runs one job as the account that submitted it: stages in, runs, waits, copies back, and notes the end in a file that
 * appears whole. It needs no server, so an end is kept though no server lives. Killed itself, it leaves a job that runs
 * for ever, as a dead node does. Everything that touches the account's files is done as that account.
 */
#define _GNU_SOURCE
#include "shepherd.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(const struct job *job)
{
    if (geteuid() == 0) {
        gid_t gid = (gid_t)number(job, A_GID);
        if (initgroups(job->a[A_EUSER], gid) || setgid(gid) || setuid((uid_t)number(job, A_UID))) {
            _exit(126);
        }
    }
}

static const char *without_host(const char *path)
{
    const char *colon = strchr(path, ':'), *slash = strchr(path, '/');
    return colon && (!slash || colon < slash) ? colon + 1 : path;
}

static bool copy(const char *from, const char *to)
{
    char block[65536];
    ssize_t size = -1;
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = out >= 0;
    while (good && (size = read(in, block, sizeof block)) > 0) {
        good = write(out, block, (size_t)size) == size;
    }
    close(in);
    return out >= 0 && close(out) == 0 && good && size == 0;
}

/* "local@host:remote,..." relative to the submitter's home; in: remote to local */
static bool stage(const char *list, bool in)
{
    char *copy_of = strdup(list ? list : ""), *at = NULL;
    bool good = true;
    for (char *one = strtok_r(copy_of, ",", &at); one; one = strtok_r(NULL, ",", &at)) {
        char *remote = strchr(one, '@');
        *remote++ = 0;
        remote = (char *)without_host(remote);
        good = (in ? copy(remote, one) : copy(one, remote)) && good;
    }
    free(copy_of);
    return good;
}

static const char *home_of(const struct job *job)
{
    struct passwd *entry = getpwuid((uid_t)number(job, A_UID));
    return entry ? entry->pw_dir : "/";
}

static void set_environment(const struct job *job)
{
    struct passwd *entry = getpwuid((uid_t)number(job, A_UID));
    char *all = strdup(job->a[A_ENV]), *at = NULL, *nodes = inside("nodes/%ld", job->id);
    clearenv();
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
    for (char *one = strtok_r(all, "\x1e", &at); one; one = strtok_r(NULL, "\x1e", &at)) {
        char *value = strchr(one, '=');
        if (value) {
            *value++ = 0;
            setenv(one, value, 1);
        }
    }
    setenv("HOME", home_of(job), 1);
    setenv("USER", job->a[A_EUSER], 1);
    setenv("LOGNAME", job->a[A_EUSER], 1);
    setenv("SHELL", entry ? entry->pw_shell : "/bin/sh", 1);
    setenv("PBS_ENVIRONMENT", "PBS_BATCH", 1);
    setenv("PBS_JOBID", job->a[A_HASHNAME], 1);
    setenv("PBS_JOBNAME", job->a[A_NAME], 1);
    setenv("PBS_QUEUE", job->a[A_QUEUE], 1);
    setenv("PBS_SERVER", settings.host, 1);
    setenv("PBS_NP", job->a[A_SLOTS], 1);
    setenv("PBS_NODEFILE", nodes, 1);
    free(nodes);
    free(all);
}

static int open_output(const struct job *job, enum attribute which, const char *letters)
{
    bool nowhere = !strcmp(without_host(job->a[which]), "/dev/null");
    char *spool = inside("spool/%ld.%s", job->id, letters);
    int fd = open(nowhere ? "/dev/null" : spool, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    free(spool);
    return fd;
}

/* The job itself; never returns. Says on the pipe when staging in failed. */
static void run(const struct job *job, int failed)
{
    char *script = inside("scripts/%ld.SC", job->id);
    char *shell = strdup(job->a[A_SHELL] ? without_host(job->a[A_SHELL]) : "/bin/sh");
    char *join = job->a[A_JOIN];
    setsid();
    if (settings.start_status == 256 + SIGTERM) {
        raise(SIGTERM);
    } else if (settings.start_status) {
        _exit(1);
    }
    become(job);
    shell[strcspn(shell, ",")] = 0;
    set_environment(job);
    if (chdir(home_of(job)) && chdir("/")) {
        _exit(126);
    }
    if (!stage(job->a[A_STAGEIN], true)) {
        if (write(failed, "x", 1) != 1) {
            _exit(126);
        }
        _exit(1);
    }
    if (job->a[A_DIRECTORY] && chdir(job->a[A_DIRECTORY])) {
        _exit(1);
    }
    int in = open("/dev/null", O_RDONLY), out = open_output(job, *join == 'e' ? A_ERROR : A_OUTPUT, *join == 'e' ? "ER" : "OU");
    int err = *join == 'n' ? open_output(job, A_ERROR, "ER") : out;
    if (in < 0 || out < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) {
        _exit(126);
    }
    closefrom(3);
    execl(shell, shell, script, (char *)NULL);
    _exit(127);
}

static bool copy_back(const struct job *job)
{
    static const char *const LETTERS[] = {"OU", "ER"};
    static const enum attribute WHERE[] = {A_OUTPUT, A_ERROR};
    char *spool[2] = {inside("spool/%ld.OU", job->id), inside("spool/%ld.ER", job->id)};
    bool needed = job->a[A_STAGEOUT] != NULL || access(spool[0], F_OK) == 0 || access(spool[1], F_OK) == 0;
    int status = 0;
    pid_t child = needed ? fork() : -1;
    if (child == 0) {
        become(job);
        bool good = chdir(home_of(job)) == 0 || !job->a[A_STAGEOUT];
        for (int i = 0; i < 2; i++) {
            char *from = inside("spool/%ld.%s", job->id, LETTERS[i]);
            if (access(from, F_OK) == 0) {
                good = copy(from, without_host(job->a[WHERE[i]])) && good;
                unlink(from);
            }
        }
        _exit(stage(job->a[A_STAGEOUT], false) && good ? 0 : 1);
    }
    if (child > 0) {
        waitpid(child, &status, 0);
    }
    return !needed || (child > 0 && status == 0);
}

static void note(const struct job *job, const struct ending *ending)
{
    char *part = inside("ended/%ld.part", job->id), *file = inside("ended/%ld", job->id);
    FILE *out = fopen(part, "we");
    if (!out || fprintf(out, "%d %.6f %ld %ld %d %d\n", ending->status, ending->runtime, ending->cpu, ending->memory,
                        ending->copy_failed, ending->stage_in_failed) < 0
        || fclose(out) || rename(part, file)) {
        _exit(1);
    }
}

static void herd(const struct job *job, int tell)
{
    int failed[2], status;
    char mark;
    struct rusage usage;
    struct timespec from, to;
    struct ending ending = {0};
    setsid();
    signal(SIGCHLD, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    dup2(tell, 3);
    closefrom(4);
    clock_gettime(CLOCK_MONOTONIC, &from);
    pid_t child = pipe2(failed, O_CLOEXEC) ? -1 : fork();
    if (child == 0) {
        run(job, failed[1]);
    }
    if (child < 0 || write(3, &child, sizeof child) != sizeof child) {
        _exit(1);
    }
    close(3);
    close(failed[1]);
    ending.stage_in_failed = read(failed[0], &mark, 1) == 1;
    wait4(child, &status, 0, &usage);
    kill(-child, SIGKILL); /* what it left behind */
    clock_gettime(CLOCK_MONOTONIC, &to);
    ending.status = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
    if (settings.start_status < 0) { /* what pbs_mom reports of a job that it could not start */
        ending.status = settings.start_status;
    }
    ending.runtime = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    ending.cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
    ending.memory = usage.ru_maxrss;
    ending.copy_failed = !ending.stage_in_failed && !copy_back(job);
    note(job, &ending);
    _exit(0);
}

bool start_shepherd(const struct job *job, pid_t *shepherd, pid_t *session)
{
    int tell[2];
    char *nodes = inside("nodes/%ld", job->id);
    FILE *out = fopen(nodes, "we");
    free(nodes);
    for (long i = 0; out && i < number(job, A_SLOTS); i++) {
        fprintf(out, "%s\n", settings.host);
    }
    if (!out || fclose(out) || pipe2(tell, O_CLOEXEC)) {
        return false;
    }
    *shepherd = fork();
    if (*shepherd == 0) {
        herd(job, tell[1]);
    }
    close(tell[1]);
    bool good = *shepherd > 0 && read(tell[0], session, sizeof *session) == sizeof *session;
    close(tell[0]);
    return good;
}

bool read_ending(const char *file, struct ending *ending)
{
    int copy_failed, stage_in_failed;
    FILE *in = fopen(file, "re");
    bool good = in && fscanf(in, "%d %lf %ld %ld %d %d", &ending->status, &ending->runtime, &ending->cpu, &ending->memory,
                             &copy_failed, &stage_in_failed) == 6;
    if (in) {
        fclose(in);
    }
    ending->copy_failed = good && copy_failed;
    ending->stage_in_failed = good && stage_in_failed;
    return good;
}

/* A job may have made process groups of its own; all belong to its session. */
void signal_session(pid_t session, int with)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    while (session > 1 && all && (entry = readdir(all))) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 1 && getsid(pid) == session) {
            kill(pid, with);
        }
    }
    if (all) {
        closedir(all);
    }
}
