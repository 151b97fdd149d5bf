/* What the server answers to qstat, qdel, qhold and qrls. */
#define _GNU_SOURCE
#include "standin.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A word "what@server" loses the server, when it is this one; says so and ends the command when it is another. */
static bool here(const char *program, char *word, struct answer *answer)
{
    char *at = strchr(word, '@');
    if (at && strcmp(at + 1, settings.host)) {
        fprintf(answer->err, "Can not resolve name for server %s. (rc = -1 - )\nCannot resolve specified server host '%s'.\n"
                "%s: cannot connect to server %s (errno=15010) Access from host not allowed, or unknown host\n",
                at + 1, at + 1, program, at + 1);
        answer->exit = RC_UNKNOWN_HOST;
        return false;
    }
    if (at) {
        *at = 0;
    }
    return true;
}

/* -1: no job's name but a word; -2: of another server; otherwise its number, and the name in full */
static long id_of(const char *word, char *full, size_t size)
{
    char *end;
    long id = strtol(word, &end, 10);
    if (!isdigit((unsigned char)*word) || (*end && *end != '.')) {
        return -1;
    }
    snprintf(full, size, *end ? "%s" : "%s.%s", word, settings.host);
    return *end && strcmp(end + 1, settings.host) ? -2 : id;
}

struct form {
    bool full, xml, one_line, queues, operator_, not_complete;
    int shown;
};

static void show(const struct job *job, struct form *form, struct answer *answer)
{
    if (form->not_complete && state(job) == 'C') {
        return;
    }
    if (form->xml) {
        fputs(form->shown++ ? "" : "<?xml version=\"1.0\"?>\n<Data>", answer->out);
        show_xml(answer->out, job, form->operator_);
    } else if (form->full) {
        show_full(answer->out, job, form->operator_, form->one_line);
    } else {
        if (!form->shown++) {
            show_head(answer->out);
        }
        show_row(answer->out, job);
    }
}

static void show_queue(const char *queue, struct form *form, struct answer *answer)
{
    int counts[128] = {0}, all = 0;
    for (int i = 0; i < job_count; i++) {
        if (!strcmp(jobs[i]->a[A_QUEUE], queue)) {
            counts[(int)state(jobs[i])]++;
            all++;
            if (!form->queues) {
                show(jobs[i], form, answer);
            }
        }
    }
    if (form->queues && form->full) {
        fprintf(answer->out, "Queue: %s\n    queue_type = Execution\n    total_jobs = %d\n"
                "    state_count = Transit:0 Queued:%d Held:%d Waiting:%d Running:%d Exiting:%d Complete:%d \n", queue, all,
                counts['Q'], counts['H'], counts['W'], counts['R'], counts['E'], counts['C']);
        if (settings.max_walltime) {
            fprintf(answer->out, "    resources_max.walltime = %02ld:%02ld:%02ld\n", settings.max_walltime / 3600,
                    settings.max_walltime / 60 % 60, settings.max_walltime % 60);
        }
        fprintf(answer->out, "    enabled = %s\n    started = True\n\n", strcmp(settings.disabled, queue) ? "True" : "False");
    } else if (form->queues) {
        if (!form->shown++) {
            fputs("Queue              Max    Tot   Ena   Str   Que   Run   Hld   Wat   Trn   Ext T   Cpt\n"
                  "----------------   ---   ----    --    --   ---   ---   ---   ---   ---   --- -   ---\n", answer->out);
        }
        fprintf(answer->out, "%-16.16s %5d %6d %5s %5s %5d %5d %5d %5d %5d %5d E %5d\n", queue,
                settings.queue_full < 0 ? 0 : settings.queue_full, all, strcmp(settings.disabled, queue) ? "yes" : "no",
                "yes", counts['Q'], counts['R'], counts['H'], counts['W'], 0, counts['E'], counts['C']);
    }
}

static bool is_queue(const char *word)
{
    for (int i = 0; i < settings.queue_count; i++) {
        if (!strcmp(settings.queues[i], word)) {
            return true;
        }
    }
    return false;
}

static void qstat(char **words, const struct asker *asker, struct answer *answer)
{
    struct form form = {.operator_ = asker->uid == 0};
    char full[512];
    int i = 0;
    for (; words[i] && words[i][0] == '-' && words[i][1]; i++) {
        if (words[i][strspn(words[i], "-fx1Qc")]) {
            answer->exit = 2;
            fprintf(answer->err, "qstat: invalid option -- '%c'\n", words[i][strspn(words[i], "-fx1Qc")]);
            return;
        }
        form.full |= strchr(words[i], 'f') != NULL;
        form.xml |= strchr(words[i], 'x') != NULL;
        form.one_line |= strchr(words[i], '1') != NULL;
        form.queues |= strchr(words[i], 'Q') != NULL;
        form.not_complete |= strchr(words[i], 'c') != NULL;
    }
    bool all = !words[i];
    if (words[i] && words[i][0] == '@' && !words[i + 1]) {
        if (!here("qstat", words[i++], answer)) {
            return;
        }
        all = true;
    }
    for (int q = 0; all && form.queues && q < settings.queue_count; q++) {
        show_queue(settings.queues[q], &form, answer);
    }
    for (int j = 0; all && !form.queues && j < job_count; j++) {
        show(jobs[j], &form, answer);
    }
    for (; words[i]; i++) {
        if (!here("qstat", words[i], answer)) {
            continue;
        }
        long id = id_of(words[i], full, sizeof full);
        struct job *job = id >= 0 ? find(id) : NULL;
        if (job) {
            show(job, &form, answer);
        } else if (id != -1) {
            fprintf(answer->err, "qstat: Unknown Job Id Error %s\n", full);
            answer->exit = RC_UNKNOWN_JOB;
        } else if (is_queue(words[i])) {
            show_queue(words[i], &form, answer);
        } else {
            fprintf(answer->err, "qstat: Unknown queue destination %s\n", words[i]);
            answer->exit = RC_UNKNOWN_QUEUE;
        }
    }
    if (form.xml && form.shown) {
        fputs("</Data>\n", answer->out);
    }
}

static void delete_job(struct job *job, const struct asker *asker)
{
    char *text = format("requestor=%s@%s", asker->name, settings.owner_host);
    account('D', job, text);
    free(text);
    if (state(job) == 'R') {
        start_killing(job, "deleted");
        return;
    }
    /* Torque shows an end only for a job it had once tried to run, and then counts the run from the epoch */
    if (job->a[A_EXEC_HOST]) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        put(job, A_COMP, format("%ld", (long)now.tv_sec));
        put(job, A_RUNTIME, format("%ld.%06ld", (long)now.tv_sec, now.tv_nsec / 1000));
    }
    put(job, A_HOLD, strdup("n"));
    set_state(job, 'C');
}

static void hold(struct job *job)
{
    put(job, A_HOLD, strdup("u"));
    if (state(job) == 'R') {
        save(job); /* and it goes on running */
    } else {
        set_state(job, 'H');
    }
}

static void release(struct job *job, struct answer *answer, const char *full)
{
    if (strcmp(job->a[A_HOLD], "u")) {
        answer->exit = RC_BAD_HOLD;
        fprintf(answer->err, "qrls: The requested state or substate can't be set from the job's current state. %s\n", full);
        return;
    }
    put(job, A_HOLD, strdup("n"));
    if (state(job) == 'R') {
        save(job);
        return;
    }
    bool waits = number(job, A_EXECUTION_TIME) > (long)time(NULL);
    if (!waits) {
        put(job, A_ETIME, format("%ld", (long)time(NULL)));
    }
    set_state(job, waits ? 'W' : 'Q');
}

static void on_job(const char *program, const char *word, const struct asker *asker, struct answer *answer)
{
    char full[512];
    long id = id_of(word, full, sizeof full);
    struct job *job = id >= 0 ? find(id) : NULL;
    if (id == -1) {
        fprintf(answer->err, "%s: illegally formed job identifier: %s\n", program, word);
        answer->exit = 1;
    } else if (!job) {
        if (!strcmp(program, "qdel")) {
            fprintf(answer->err, "qdel: nonexistent job id: %s\n", word);
        }
        answer->exit = RC_UNKNOWN_JOB;
    } else if (asker->uid != 0 && (long)asker->uid != number(job, A_UID)) {
        fprintf(answer->err, "%s: Unauthorized Request  MSG=operation not permitted %s\n", program, full);
        answer->exit = RC_PERMISSION;
    } else if (state(job) == 'C') {
        fprintf(answer->err, "%s: Request invalid for state of job MSG=invalid state for job - COMPLETE %s\n", program, full);
        answer->exit = RC_BAD_STATE;
    } else if (!strcmp(program, "qdel")) {
        delete_job(job, asker);
    } else if (!strcmp(program, "qhold")) {
        hold(job);
    } else {
        release(job, answer, full);
    }
}

/* one node, as pbsnodes -a shows it */
static void pbsnodes(struct answer *answer)
{
    int taken = 0;
    fprintf(answer->out, "%s\n     state = free\n     power_state = Running\n     np = %d\n     ntype = cluster\n",
            settings.host, settings.slots);
    for (int i = 0; i < job_count; i++) {
        if (state(jobs[i]) == 'R') {
            fprintf(answer->out, taken ? ",%d/%ld.%s" : "     jobs = %d/%ld.%s", taken, jobs[i]->id, settings.host);
            taken++;
        }
    }
    fprintf(answer->out, "%s     status = opsys=linux,ncpus=2,state=free,varattr= ,cpuclock=Fixed,version=6.1.3,rectime=0\n\n",
            taken ? "\n" : "");
}

void answer_words(char **words, const char *program, const struct asker *asker, struct answer *answer)
{
    if (!strcmp(program, "qstat")) {
        qstat(words, asker, answer);
        return;
    }
    if (!strcmp(program, "pbsnodes")) {
        pbsnodes(answer);
        return;
    }
    if (!words[0]) {
        fprintf(answer->err, "usage: %s job_identifier...\n", program);
        answer->exit = 2;
    }
    for (int i = 0; words[i]; i++) {
        if (here(program, words[i], answer)) {
            on_job(program, words[i], asker, answer);
        }
    }
}
