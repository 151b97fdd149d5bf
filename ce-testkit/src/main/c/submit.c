/* What the server answers: takes jobs in or refuses them, and serves qstat, qdel, qhold and qrls. */
#define _GNU_SOURCE
#include "standin.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char INFEASIBLE[] = "Job exceeds queue resource limits MSG=cannot locate feasible nodes (nodes file is empty, "
                                 "all systems are busy, or no nodes have the requested feature)";

static const char *of(char **pairs, const char *key)
{
    for (int i = 0; pairs[i]; i += 2) {
        if (!strcmp(pairs[i], key)) {
            return pairs[i + 1];
        }
    }
    return NULL;
}

static void refuse(struct answer *answer, int code, char *words)
{
    answer->exit = code;
    fprintf(answer->err, "qsub: submit error (%s)\n", words);
    free(words);
}

static int queue_of(const char *name)
{
    for (int i = 0; i < settings.queue_count; i++) {
        if (!strcmp(settings.queues[i], name)) {
            return i;
        }
    }
    return -1;
}

static int live_jobs(const char *queue)
{
    int count = 0;
    for (int i = 0; i < job_count; i++) {
        count += state(jobs[i]) != 'C' && !strcmp(jobs[i]->a[A_QUEUE], queue);
    }
    return count;
}

/* sum of "N[:ppn=M][:property]+..."; -1 for nonsense or a property the node has not */
static long slots_of(const char *nodes, long *count)
{
    long slots = 0;
    *count = 0;
    for (const char *at = nodes;; at++) {
        char *end;
        long some = strtol(at, &end, 10), each = 1;
        if (end == at || some < 1) {
            return -1;
        }
        for (at = end; *at == ':'; at += strcspn(at, ":+")) {
            at++;
            if (!strncmp(at, "ppn=", 4)) {
                each = strtol(at + 4, NULL, 10);
                if (each < 1) {
                    return -1;
                }
            } else if (strncmp(at, "gpus=", 5) && strncmp(at, "mics=", 5) && strncmp(at, settings.host, strlen(settings.host))) {
                return -1;
            }
        }
        *count += some;
        slots += some * each;
        if (*at != '+') {
            return *at ? -1 : slots;
        }
    }
}

static bool among(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names)) {
        names++;
    }
    return *names;
}

/* Checks the resources, adds nodect, counts the slots; false after a refusal. */
static bool resources(struct job *job, const char *wanted, struct answer *answer)
{
    static const char *const TIMES[] = {"walltime", "cput", "pcput", NULL};
    static const char *const SIZES[] = {"mem", "vmem", "pmem", "pvmem", "file", NULL};
    static const char *const OTHERS[] = {"nodes", "ncpus", "procs", "nice", "arch", "opsys", "host", "other", "software",
                                         "neednodes", "feature", "qos", "gres", "naccesspolicy", NULL};
    char *list = strdup(""), *copy = strdup(wanted ? wanted : ""), *save_at = NULL;
    long slots = 1, nodes = 1;
    bool good = true;
    for (char *one = strtok_r(copy, "\n", &save_at); one && good; one = strtok_r(NULL, "\n", &save_at)) {
        char *value = strchr(one, '='), *more, *end;
        if (value) {
            *value++ = 0;
        }
        bool time = among(one, TIMES), size = among(one, SIZES);
        good = false;
        if (!time && !size && !among(one, OTHERS)) {
            refuse(answer, RC_UNKNOWN_RESOURCE, format("Unknown resource type  Resource_List.%s", one));
        } else if (!value || !*value || (time && seconds_of(value) < 0)
                   || (size && (strtol(value, &end, 10) < 0 || end == value || strspn(end, "bkmgtwBKMGTW") != strlen(end)))) {
            refuse(answer, RC_BAD_VALUE, format("Illegal attribute or resource value for Resource_List.%s", one));
        } else if (!strcmp(one, "nodes") && ((slots = slots_of(value, &nodes)) < 0 || nodes > 1 || slots > settings.capacity)) {
            refuse(answer, RC_LIMIT, strdup(INFEASIBLE));
        } else if (!strcmp(one, "walltime") && settings.max_walltime && seconds_of(value) > settings.max_walltime) {
            refuse(answer, RC_LIMIT, strdup("Job exceeds queue resource limits MSG=cannot satisfy queue max walltime requirement"));
        } else {
            good = true;
            more = format("%s%s%s=%s", list, *list ? "\n" : "", one, value);
            free(list);
            list = more;
            if (!strcmp(one, "nodes")) {
                more = format("%s\nnodect=%ld", list, nodes);
                free(list);
                list = more;
            }
        }
    }
    free(copy);
    put(job, A_RESOURCES, *list ? strdup(list) : NULL);
    put(job, A_SLOTS, format("%ld", slots));
    free(list);
    return good;
}

static char *path_of(const char *given, const char *workdir, const char *name, char letter, long id)
{
    if (!given) {
        return format("%s:%s/%s.%c%ld", settings.host, workdir, name, letter, id);
    }
    const char *colon = strchr(given, ':'), *slash = strchr(given, '/');
    if (colon && (!slash || colon < slash)) {
        return strdup(given);
    }
    return *given == '/' ? format("%s:%s", settings.host, given) : format("%s:%s/%s", settings.host, workdir, given);
}

static void describe(struct job *job, char **pairs, const struct asker *asker, const char *queue)
{
    const char *workdir = of(pairs, "workdir"), *at = of(pairs, "at"), *env = of(pairs, "env"), *lang = of(pairs, "lang");
    const char *mail = of(pairs, "mail"), *join = of(pairs, "join"), *rerun = of(pairs, "rerun"), *hold = of(pairs, "hold");
    const char *priority = of(pairs, "priority"), *name = of(pairs, "name");
    long now = (long)time(NULL);
    put(job, A_NAME, strdup(name));
    put(job, A_OWNER, format("%s@%s", asker->name, settings.owner_host));
    put(job, A_STATE, strdup(hold ? "H" : at && atol(at) > now ? "W" : "Q"));
    put(job, A_QUEUE, strdup(queue));
    put(job, A_SERVER, strdup(settings.host));
    put(job, A_CHECKPOINT, strdup("u"));
    put(job, A_CTIME, format("%ld", now));
    put(job, A_ERROR, path_of(of(pairs, "e"), workdir, name, 'e', job->id));
    put(job, A_OUTPUT, path_of(of(pairs, "o"), workdir, name, 'o', job->id));
    put(job, A_EXECUTION_TIME, at ? strdup(at) : NULL);
    put(job, A_HOLD, strdup(hold ? "u" : "n"));
    put(job, A_JOIN, strdup(join ? join : "n"));
    put(job, A_KEEP, strdup("n"));
    put(job, A_MAIL, strdup(mail ? mail : "a"));
    put(job, A_MTIME, format("%ld", now));
    put(job, A_PRIORITY, strdup(priority ? priority : "0"));
    put(job, A_QTIME, format("%ld", now));
    put(job, A_RERUNABLE, strdup(rerun && *rerun == 'n' ? "False" : "True"));
    put(job, A_SUBSTATE, strdup(state(job) == 'Q' ? "10" : state(job) == 'H' ? "20" : "30"));
    static const char *const SAME[] = {"shell", "stagein", "stageout", "args", "workdir", "env", "directory"};
    static const enum attribute AS[] = {A_SHELL, A_STAGEIN, A_STAGEOUT, A_ARGS, A_WORKDIR, A_ENV, A_DIRECTORY};
    for (int i = 0; i < 7; i++) {
        const char *value = of(pairs, SAME[i]);
        put(job, AS[i], value ? strdup(value) : NULL);
    }
    char *all = format("PBS_O_QUEUE=%s%cPBS_O_HOME=%s%cPBS_O_LOGNAME=%s%cPBS_O_PATH=%s%cPBS_O_SHELL=%s%s%s%s%s%cPBS_O_WORKDIR=%s%c"
                       "PBS_O_HOST=%s%cPBS_O_SERVER=%s",
                       queue, VARIABLES_APART, of(pairs, "home"), VARIABLES_APART, asker->name, VARIABLES_APART,
                       of(pairs, "path"), VARIABLES_APART, of(pairs, "login-shell"), lang ? "\x1ePBS_O_LANG=" : "",
                       lang ? lang : "", env ? "\x1e" : "", env ? env : "", VARIABLES_APART, workdir, VARIABLES_APART,
                       settings.host, VARIABLES_APART, settings.host);
    put(job, A_ENV, strdup(all));
    for (char *c = all; *c; c++) {
        *c = *c == VARIABLES_APART ? ',' : *c;
    }
    put(job, A_VARIABLES, all);
    put(job, A_EUSER, strdup(asker->name));
    put(job, A_EGROUP, strdup(asker->group));
    put(job, A_HASHNAME, format("%ld.%s", job->id, settings.host));
    put(job, A_RANK, format("%ld", job->id));
    put(job, A_QUEUE_TYPE, strdup("E"));
    put(job, A_ETIME, state(job) == 'Q' ? format("%ld", now) : NULL);
    put(job, A_FAULT, strdup("False"));
    put(job, A_RADIX, strdup("0"));
    put(job, A_SUBMIT_HOST, strdup(settings.host));
    put(job, A_REQUEST, strdup("1"));
    put(job, A_UID, format("%u", asker->uid));
    put(job, A_GID, format("%u", asker->gid));
}

static bool keep_script(const struct job *job, const char *script, size_t size, const struct asker *asker)
{
    char *path = inside("scripts/%ld.SC", job->id);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    bool good = fd >= 0 && write(fd, script, size) == (ssize_t)size
                && (geteuid() != 0 || fchown(fd, asker->uid, asker->gid) == 0);
    good = fd >= 0 && close(fd) == 0 && good;
    free(path);
    return good;
}

void submit(char **pairs, const char *script, size_t script_size, const struct asker *asker, struct answer *answer)
{
    const char *asked = of(pairs, "queue"), *at = asked ? strchr(asked, '@') : NULL;
    if (at && strcmp(at + 1, settings.host)) {
        answer->exit = RC_UNKNOWN_HOST;
        fprintf(answer->err, "Can not resolve name for server %s. (rc = -1 - )\nCannot resolve specified server host '%s'.\n"
                "qsub: cannot connect to server %s (errno=15010) Access from host not allowed, or unknown host\n",
                at + 1, at + 1, at + 1);
        return;
    }
    struct job *job = calloc(1, sizeof *job);
    job->id = next_number(); /* refused ones consume numbers too */
    char *queue = asked ? strndup(asked, at ? (size_t)(at - asked) : strlen(asked)) : strdup(settings.queues[0]);
    bool taken = false;
    if (geteuid() != 0 && geteuid() != asker->uid) {
        refuse(answer, RC_PERMISSION, strdup("Unauthorized Request  MSG=this server runs jobs of its own account only"));
    } else if (queue_of(queue) < 0) {
        refuse(answer, RC_UNKNOWN_QUEUE, strdup("Unknown queue MSG=requested queue not found"));
    } else if (!resources(job, of(pairs, "resources"), answer)) {
        taken = false; /* refused there */
    } else if (!strcmp(settings.acl_queue, queue) && strcmp(settings.acl_user, asker->name)) {
        refuse(answer, RC_PERMISSION, format("Unauthorized Request  MSG=user ACL rejected the submitting user: user %s@%s, queue %s",
                                             asker->name, settings.owner_host, queue));
    } else if (!strcmp(settings.disabled, queue)) {
        refuse(answer, RC_DISABLED, format("Queue is not enabled MSG=queue is disabled: user %s@%s, queue %s", asker->name,
                                           settings.owner_host, queue));
    } else if (settings.queue_full >= 0 && live_jobs(queue) >= settings.queue_full) {
        refuse(answer, RC_QUEUE_FULL, format("Maximum number of jobs already in queue MSG=total number of jobs in queue exceeds "
                                             "the queue limit: user %s@%s, queue %s", asker->name, settings.owner_host, queue));
    } else if (!keep_script(job, script, script_size, asker)) {
        refuse(answer, 15012 & 0xff, format("System error MSG=cannot keep the script: %s", strerror(errno)));
    } else {
        taken = true;
        describe(job, pairs, asker, queue);
        save(job);
        add(job);
        char *text = format("queue=%s", queue);
        account('Q', job, text);
        free(text);
        fprintf(answer->out, "%ld.%s\n", job->id, settings.host);
    }
    free(queue);
    if (!taken) {
        for (int i = 0; i < A_COUNT; i++) {
            free(job->a[i]);
        }
        free(job);
    }
}
