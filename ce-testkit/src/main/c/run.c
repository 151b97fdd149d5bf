/*
 * The part of scheduler and node: starts jobs while slots are free, ends those that are to end, and notices ended ones.
 * A job's shepherd belongs to the server's account and is no child anybody waits for; the job is a session of its own.
 */
#define _GNU_SOURCE
#include "standin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shepherd.h"

enum { MAX_SLOTS = 8192, PATIENCE = 5 };

void set_state(struct job *job, char to)
{
    put(job, A_STATE, format("%c", to));
    put(job, A_MTIME, format("%ld", (long)time(NULL)));
    put(job, A_SUBSTATE, strdup(to == 'Q' ? "10" : to == 'H' ? "20" : to == 'W' ? "30" : to == 'R' ? "42" : "59"));
    save(job);
}

/* "vm/0-3,7" marks; the server's own writing is read */
static void mark(const struct job *job, bool *taken)
{
    const char *at = job->a[A_EXEC_HOST] ? strchr(job->a[A_EXEC_HOST], '/') : NULL;
    while (at && *at) {
        char *end;
        long from = strtol(at + 1, &end, 10), to = *end == '-' ? strtol(end + 1, &end, 10) : from;
        for (; from <= to && from < MAX_SLOTS; from++) {
            taken[from] = true;
        }
        at = end;
    }
}

static char *place(bool *taken, long wanted)
{
    char *text = format("%s/", settings.host);
    const char *apart = "";
    for (long i = 0; wanted > 0 && i < MAX_SLOTS; i++) {
        long from = i;
        for (; wanted > 0 && i < MAX_SLOTS && !taken[i]; i++, wanted--) {
            taken[i] = true;
        }
        if (i > from) {
            char *more = i - 1 > from ? format("%s%s%ld-%ld", text, apart, from, i - 1) : format("%s%s%ld", text, apart, from);
            free(text);
            text = more;
            apart = ",";
        }
    }
    return text;
}

/* what S and E records begin with; ends with a space */
static char *account_head(const struct job *job)
{
    char *head = format("user=%s group=%s jobname=%s queue=%s ctime=%s qtime=%s etime=%s start=%s owner=%s exec_host=%s ",
                        job->a[A_EUSER], job->a[A_EGROUP], job->a[A_NAME], job->a[A_QUEUE], job->a[A_CTIME], job->a[A_QTIME],
                        job->a[A_ETIME], job->a[A_START], job->a[A_OWNER], job->a[A_EXEC_HOST]);
    for (const char *at = job->a[A_RESOURCES]; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char *more = format("%sResource_List.%.*s ", head, (int)strcspn(at, "\n"), at);
        free(head);
        head = more;
    }
    return head;
}

static void start(struct job *job, bool *taken)
{
    char when[64];
    time_t now = time(NULL);
    struct tm parts;
    pid_t shepherd, session;
    put(job, A_EXEC_HOST, place(taken, number(job, A_SLOTS)));
    if (!start_shepherd(job, &shepherd, &session)) {
        put(job, A_EXEC_HOST, NULL); /* no process to be had: at the next tick */
        return;
    }
    put(job, A_SHEPHERD, format("%d", shepherd));
    put(job, A_SESSION, format("%d", session));
    put(job, A_START, format("%ld", (long)now));
    put(job, A_START_COUNT, format("%ld", number(job, A_START_COUNT) + 1));
    put(job, A_EXECUTION_TIME, NULL);
    put(job, A_USED, strdup("cput=00:00:00\nenergy_used=0\nmem=0kb\nvmem=0kb\nwalltime=00:00:00"));
    strftime(when, sizeof when, "Job started on %a %b %d at %H:%M", localtime_r(&now, &parts));
    put(job, A_COMMENT, strdup(when));
    set_state(job, 'R');
    char *head = account_head(job);
    account('S', job, head);
    free(head);
}

void start_killing(struct job *job, const char *reason)
{
    if (!job->a[A_KILLED]) {
        put(job, A_KILLED, strdup(reason));
        put(job, A_KILL_AT, format("%ld", (long)time(NULL) + PATIENCE));
        save(job);
        signal_session((pid_t)number(job, A_SESSION), SIGTERM);
    }
}

void kill_all(void)
{
    for (int i = 0; i < job_count; i++) {
        if (state(jobs[i]) == 'R') {
            signal_session((pid_t)number(jobs[i], A_SESSION), SIGKILL);
        }
    }
}

/* 30 minutes later, for ever, and nobody is told */
static void stage_in_failed(struct job *job)
{
    put(job, A_EXECUTION_TIME, format("%ld", (long)time(NULL) + 1800));
    static const enum attribute GONE[] = {A_USED, A_SESSION, A_ETIME, A_START, A_START_COUNT, A_SHEPHERD};
    for (int i = 0; i < 6; i++) {
        put(job, GONE[i], NULL);
    }
    set_state(job, 'W');
}

static void ended(struct job *job, const struct ending *ending)
{
    bool deleted = job->a[A_KILLED] && !strcmp(job->a[A_KILLED], "deleted");
    bool late = job->a[A_KILLED] && !deleted;
    long lived = (long)ending->runtime;
    char wall[32], cpu[32];
    if (ending->stage_in_failed && !deleted) {
        stage_in_failed(job);
        return;
    }
    snprintf(wall, sizeof wall, "%02ld:%02ld:%02ld", lived / 3600, lived / 60 % 60, lived % 60);
    snprintf(cpu, sizeof cpu, "%02ld:%02ld:%02ld", ending->cpu / 3600, ending->cpu / 60 % 60, ending->cpu % 60);
    put(job, A_EXIT, format("%d", late ? (int)strtol(job->a[A_KILLED], NULL, 10) : ending->status));
    put(job, A_COMP, format("%ld", (long)time(NULL)));
    put(job, A_RUNTIME, format("%.6f", ending->runtime));
    /* an end that Torque's poll came before keeps the poll's order */
    put(job, A_USED, deleted ? format("cput=%s\nenergy_used=0\nmem=%ldkb\nvmem=0kb\nwalltime=%s", cpu, ending->memory, wall)
                             : format("cput=%s\nvmem=0kb\nwalltime=%s\nmem=%ldkb\nenergy_used=0", cpu, wall, ending->memory));
    if (ending->copy_failed) {
        put(job, A_HINT, strdup("Unable to copy files back - please see the mother superior's log for exact details."));
    }
    set_state(job, 'C');
    char *head = account_head(job), *text;
    const char *order = deleted ? "%ssession=%s total_execution_slots=%s unique_node_count=1 end=%s Exit_status=%s "
                                  "resources_used.cput=%ld resources_used.energy_used=0 resources_used.mem=%ldkb "
                                  "resources_used.vmem=0kb resources_used.walltime=%s"
                                : "%ssession=%s total_execution_slots=%s unique_node_count=1 end=%s Exit_status=%s "
                                  "resources_used.cput=%ld resources_used.vmem=0kb resources_used.walltime=%s "
                                  "resources_used.mem=%ldkb resources_used.energy_used=0";
    int made = deleted ? asprintf(&text, order, head, job->a[A_SESSION], job->a[A_SLOTS], job->a[A_COMP], job->a[A_EXIT],
                                  ending->cpu, ending->memory, wall)
                       : asprintf(&text, order, head, job->a[A_SESSION], job->a[A_SLOTS], job->a[A_COMP], job->a[A_EXIT],
                                  ending->cpu, wall, ending->memory);
    if (made < 0) {
        abort();
    }
    account('E', job, text);
    free(text);
    free(head);
}

/* Takes up the ends the shepherds noted, those that are stale long enough. */
static void take_ends(void)
{
    char *path = inside("ended");
    DIR *directory = opendir(path);
    struct dirent *entry;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    while (directory && (entry = readdir(directory))) {
        char *end, *file = format("%s/%s", path, entry->d_name);
        long id = strtol(entry->d_name, &end, 10);
        struct stat noted;
        struct ending ending;
        if (end != entry->d_name && !*end && stat(file, &noted) == 0
            && (double)(now.tv_sec - noted.st_mtim.tv_sec) + (double)(now.tv_nsec - noted.st_mtim.tv_nsec) / 1e9 >= settings.stale
            && read_ending(file, &ending)) {
            struct job *job = find(id);
            if (job && state(job) == 'R') {
                ended(job, &ending);
            }
            unlink(file);
        }
        free(file);
    }
    if (directory) {
        closedir(directory);
    }
    free(path);
}

static void watch(struct job *job, time_t now)
{
    long limit = in_list(job, A_RESOURCES, "walltime") ? seconds_of(in_list(job, A_RESOURCES, "walltime")) : -1;
    long lived = (long)now - number(job, A_START);
    if (limit >= 0 && lived > limit) {
        start_killing(job, "-11");
    }
    if (settings.over_limit) { /* as pbs_mom ends a job for its memory or its CPU time: like one for its walltime */
        char *status = format("%d", settings.over_limit);
        start_killing(job, status);
        free(status);
    }
    if (job->a[A_KILL_AT] && number(job, A_KILL_AT) <= (long)now) {
        put(job, A_KILL_AT, format("%ld", (long)now + PATIENCE));
        signal_session((pid_t)number(job, A_SESSION), SIGKILL);
    }
    put(job, A_USED, format("cput=00:00:00\nenergy_used=0\nmem=0kb\nvmem=0kb\nwalltime=%02ld:%02ld:%02ld", lived / 3600,
                            lived / 60 % 60, lived % 60));
}

void tick(void)
{
    static bool taken[MAX_SLOTS];
    time_t now = time(NULL);
    long used = 0;
    take_ends();
    memset(taken, 0, sizeof taken);
    for (int i = 0; i < job_count; i++) {
        struct job *job = jobs[i];
        if (state(job) == 'R') {
            watch(job, now);
            used += number(job, A_SLOTS);
            mark(job, taken);
        } else if (state(job) == 'C' && (settings.forgets || number(job, A_MTIME) + settings.keep_completed <= (long)now)) {
            forget(job);
            i--;
        } else if (state(job) == 'W' && number(job, A_EXECUTION_TIME) <= (long)now) {
            put(job, A_ETIME, format("%ld", (long)now));
            set_state(job, 'Q');
        }
    }
    for (int i = 0; i < job_count && used < settings.slots; i++) {
        if (state(jobs[i]) == 'Q' && used + number(jobs[i], A_SLOTS) <= settings.slots) {
            start(jobs[i], taken);
            if (state(jobs[i]) != 'R') {
                break;
            }
            used += number(jobs[i], A_SLOTS);
        }
    }
}
