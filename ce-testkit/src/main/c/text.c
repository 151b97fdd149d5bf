/* How Torque writes jobs: qstat's table, its long form with folded lines, and XML. Pure but for what is written. */
#define _GNU_SOURCE
#include "standin.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct attribute_name attribute_names[A_COUNT] = {
    [A_NAME] = {"Job_Name", TEXT}, [A_OWNER] = {"Job_Owner", TEXT}, [A_USED] = {"resources_used", LIST},
    [A_STATE] = {"job_state", TEXT}, [A_QUEUE] = {"queue", TEXT}, [A_SERVER] = {"server", TEXT},
    [A_CHECKPOINT] = {"Checkpoint", TEXT}, [A_CTIME] = {"ctime", TIME}, [A_ERROR] = {"Error_Path", TEXT},
    [A_EXEC_HOST] = {"exec_host", TEXT}, [A_EXECUTION_TIME] = {"Execution_Time", TIME}, [A_HOLD] = {"Hold_Types", TEXT},
    [A_JOIN] = {"Join_Path", TEXT}, [A_KEEP] = {"Keep_Files", TEXT}, [A_MAIL] = {"Mail_Points", TEXT},
    [A_MTIME] = {"mtime", TIME}, [A_OUTPUT] = {"Output_Path", TEXT}, [A_PRIORITY] = {"Priority", TEXT},
    [A_QTIME] = {"qtime", TIME}, [A_RERUNABLE] = {"Rerunable", TEXT}, [A_RESOURCES] = {"Resource_List", LIST},
    [A_SESSION] = {"session_id", TEXT}, [A_SUBSTATE] = {"substate", OPERATOR}, [A_SHELL] = {"Shell_Path_List", TEXT},
    [A_STAGEIN] = {"stagein", TEXT}, [A_STAGEOUT] = {"stageout", TEXT}, [A_VARIABLES] = {"Variable_List", TEXT},
    [A_EUSER] = {"euser", TEXT}, [A_EGROUP] = {"egroup", TEXT}, [A_HASHNAME] = {"hashname", OPERATOR},
    [A_RANK] = {"queue_rank", OPERATOR}, [A_QUEUE_TYPE] = {"queue_type", TEXT}, [A_HINT] = {"sched_hint", TEXT},
    [A_COMMENT] = {"comment", TEXT}, [A_ETIME] = {"etime", TIME}, [A_EXIT] = {"exit_status", TEXT},
    [A_ARGS] = {"submit_args", TEXT}, [A_START] = {"start_time", TIME}, [A_START_COUNT] = {"start_count", TEXT},
    [A_FAULT] = {"fault_tolerant", TEXT}, [A_COMP] = {"comp_time", TIME}, [A_RADIX] = {"job_radix", TEXT},
    [A_RUNTIME] = {"total_runtime", TEXT}, [A_SUBMIT_HOST] = {"submit_host", TEXT},
    [A_WORKDIR] = {"init_work_dir", TEXT}, [A_REQUEST] = {"request_version", TEXT}, [A_UID] = {"_uid", OWN},
    [A_GID] = {"_gid", OWN}, [A_ENV] = {"_env", OWN}, [A_SLOTS] = {"_slots", OWN}, [A_DIRECTORY] = {"_directory", OWN},
    [A_KILLED] = {"_killed", OWN}, [A_KILL_AT] = {"_kill_at", OWN}, [A_SHEPHERD] = {"_shepherd", OWN},
};

char *format(const char *pattern, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, pattern);
    if (vasprintf(&text, pattern, values) < 0) {
        abort();
    }
    va_end(values);
    return text;
}

void put(struct job *job, enum attribute which, char *value)
{
    free(job->a[which]);
    job->a[which] = value;
}

long number(const struct job *job, enum attribute which)
{
    return job->a[which] ? strtol(job->a[which], NULL, 10) : 0;
}

char state(const struct job *job)
{
    return job->a[A_STATE][0];
}

const char *in_list(const struct job *job, enum attribute list, const char *name)
{
    static char value[256];
    size_t length = strlen(name);
    for (const char *at = job->a[list]; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        if (!strncmp(at, name, length) && at[length] == '=') {
            snprintf(value, sizeof value, "%.*s", (int)strcspn(at + length + 1, "\n"), at + length + 1);
            return value;
        }
    }
    return NULL;
}

long seconds_of(const char *duration)
{
    long sum = 0;
    int parts = 0;
    const char *at = duration;
    for (;; at++) {
        char *end;
        if (!isdigit((unsigned char)*at) || ++parts > 4) {
            return -1;
        }
        sum = sum * 60 + strtol(at, &end, 10);
        at = end;
        if (*at != ':') {
            break;
        }
    }
    return *at ? -1 : sum;
}

/*
 * One attribute of the long form. Values are taken apart at commas; what does not fit below column 78 goes to the next
 * line, and what is longer than a line is cut where the line ends, without a mark.
 */
static void fold(FILE *out, const char *name, const char *value, bool one_line)
{
    int column = 8 + (int)strlen(name); /* one more than is printed, as Torque counts */
    bool first = true;
    fprintf(out, "    %s = ", name);
    if (one_line) {
        fputs(value, out);
        fputc('\n', out);
        return;
    }
    for (const char *at = value;;) {
        int length = (int)strcspn(at, ",");
        if (length + column < 78) {
            fprintf(out, "%.*s", length, at);
            column += length;
        } else {
            if (!first) {
                fputs("\n\t", out);
                column = 9;
            }
            for (int i = 0; i < length; i++) {
                fputc(at[i], out);
                if (++column > 78) {
                    fputs("\n\t", out);
                    column = 9;
                }
            }
        }
        at += length;
        if (!*at) {
            break;
        }
        fputc(',', out);
        column++;
        at++;
        first = false;
    }
    fputc('\n', out);
}

static bool shown(const struct job *job, int which, bool operator_)
{
    enum kind kind = attribute_names[which].kind;
    return job->a[which] && kind != OWN && (kind != OPERATOR || operator_);
}

void show_full(FILE *out, const struct job *job, bool operator_, bool one_line)
{
    fprintf(out, "Job Id: %ld.%s\n", job->id, settings.host);
    for (int i = 0; i < A_COUNT; i++) {
        const char *name = attribute_names[i].name;
        if (!shown(job, i, operator_)) {
            continue;
        }
        if (attribute_names[i].kind == TIME) {
            char text[64];
            time_t time = number(job, i);
            struct tm parts;
            strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", localtime_r(&time, &parts));
            fold(out, name, text, one_line);
        } else if (attribute_names[i].kind == LIST) {
            for (const char *at = job->a[i]; *at; at += strcspn(at, "\n"), at += *at == '\n') {
                int key = (int)strcspn(at, "="), whole = (int)strcspn(at, "\n");
                char *full = format("%s.%.*s", name, key, at), *value = format("%.*s", whole - key - 1, at + key + 1);
                fold(out, full, value, one_line);
                free(full);
                free(value);
            }
        } else {
            fold(out, name, job->a[i], one_line);
        }
    }
    fputc('\n', out);
}

static void escaped(FILE *out, const char *text, int length)
{
    for (int i = 0; i < length; i++) {
        switch (text[i]) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&apos;", out); break;
        default: fputc(text[i], out);
        }
    }
}

void show_xml(FILE *out, const struct job *job, bool operator_)
{
    fprintf(out, "<Job><Job_Id>%ld.%s</Job_Id>", job->id, settings.host);
    for (int i = 0; i < A_COUNT; i++) {
        const char *name = attribute_names[i].name;
        if (!shown(job, i, operator_)) {
            continue;
        }
        fprintf(out, "<%s>", name);
        if (attribute_names[i].kind == LIST) {
            for (const char *at = job->a[i]; *at; at += strcspn(at, "\n"), at += *at == '\n') {
                int key = (int)strcspn(at, "="), whole = (int)strcspn(at, "\n");
                fprintf(out, "<%.*s>", key, at);
                escaped(out, at + key + 1, whole - key - 1);
                fprintf(out, "</%.*s>", key, at);
            }
        } else {
            escaped(out, job->a[i], (int)strlen(job->a[i]));
        }
        fprintf(out, "</%s>", name);
    }
    fputs("</Job>", out);
}

void show_head(FILE *out)
{
    fputs("Job ID                    Name             User            Time Use S Queue\n"
          "------------------------- ---------------- --------------- -------- - -----\n",
          out);
}

void show_row(FILE *out, const struct job *job)
{
    char id[128];
    const char *used = in_list(job, A_USED, "cput");
    snprintf(id, sizeof id, "%ld.%s", job->id, settings.host);
    fprintf(out, "%-26.26s %-16.16s %-15.15s %8.8s %c %-15.15s\n", id, job->a[A_NAME], job->a[A_EUSER],
            used ? used : "0", state(job), job->a[A_QUEUE]);
}
