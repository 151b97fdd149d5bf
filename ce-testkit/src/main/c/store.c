/* The site's folder: jobs as files replaced whole, the next number, the tests' settings, accounting. Server only. */
#define _GNU_SOURCE
#include "standin.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct settings settings;
struct job **jobs;
int job_count;
const char *home;
static int room;
static struct stat settings_read;

char *inside(const char *pattern, ...)
{
    char *name = NULL;
    va_list values;
    va_start(values, pattern);
    if (vasprintf(&name, pattern, values) < 0) {
        abort();
    }
    va_end(values);
    char *path = format("%s/%s", home, name);
    free(name);
    return path;
}

static void setting(const char *key, const char *value, const char *second)
{
    if (!strcmp(key, "host")) {
        snprintf(settings.host, sizeof settings.host, "%s", value);
    } else if (!strcmp(key, "owner-host")) {
        snprintf(settings.owner_host, sizeof settings.owner_host, "%s", value);
    } else if (!strcmp(key, "queue") && settings.queue_count < 16) {
        snprintf(settings.queues[settings.queue_count++], sizeof settings.queues[0], "%s", value);
    } else if (!strcmp(key, "capacity")) {
        settings.capacity = atoi(value);
    } else if (!strcmp(key, "slots")) {
        settings.slots = atoi(value);
    } else if (!strcmp(key, "keep-completed")) {
        settings.keep_completed = atol(value);
    } else if (!strcmp(key, "over-limit")) {
        settings.over_limit = atoi(value);
    } else if (!strcmp(key, "start-status")) {
        settings.start_status = atoi(value);
    } else if (!strcmp(key, "forgets-finished")) {
        settings.forgets = true;
    } else if (!strcmp(key, "stale-running")) {
        settings.stale = atof(value) / 1000;
    } else if (!strcmp(key, "queue-full")) {
        settings.queue_full = atoi(value);
    } else if (!strcmp(key, "disabled")) {
        snprintf(settings.disabled, sizeof settings.disabled, "%s", value);
    } else if (!strcmp(key, "only-user")) {
        snprintf(settings.acl_queue, sizeof settings.acl_queue, "%s", value);
        snprintf(settings.acl_user, sizeof settings.acl_user, "%s", second);
    } else if (!strcmp(key, "max-walltime")) {
        settings.max_walltime = atol(value);
    }
}

void read_settings(void)
{
    struct stat now;
    char *path = inside("settings"), line[512], key[64], value[64], second[64];
    if (stat(path, &now) == 0 && (now.st_ino != settings_read.st_ino
                                  || now.st_mtim.tv_nsec != settings_read.st_mtim.tv_nsec
                                  || now.st_mtim.tv_sec != settings_read.st_mtim.tv_sec)) {
        FILE *in = fopen(path, "re");
        settings = (struct settings){.capacity = 500, .slots = 500, .keep_completed = 300, .queue_full = -1};
        while (in && fgets(line, sizeof line, in)) {
            second[0] = 0;
            if (sscanf(line, "%63s %63s %63s", key, value, second) >= 2) {
                setting(key, value, second);
            }
        }
        if (in) {
            fclose(in);
        }
        settings_read = now;
    }
    free(path);
}

/* backslash and newline are the only characters that mean something in a job's file */
void save(const struct job *job)
{
    char *path = inside("jobs/%ld", job->id), *part = inside("jobs/%ld.part", job->id);
    FILE *out = fopen(part, "we");
    if (!out) {
        abort();
    }
    for (int i = 0; i < A_COUNT; i++) {
        if (job->a[i]) {
            fprintf(out, "%s ", attribute_names[i].name);
            for (const char *at = job->a[i]; *at; at++) {
                fputs(*at == '\n' ? "\\n" : *at == '\\' ? "\\\\" : (char[]){*at, 0}, out);
            }
            fputc('\n', out);
        }
    }
    if (fclose(out) || rename(part, path)) {
        abort();
    }
    free(path);
    free(part);
}

static struct job *read_job(long id)
{
    char *path = inside("jobs/%ld", id), *line = NULL;
    size_t size = 0;
    FILE *in = fopen(path, "re");
    free(path);
    if (!in) {
        return NULL;
    }
    struct job *job = calloc(1, sizeof *job);
    job->id = id;
    while (getline(&line, &size, in) > 0) {
        char *value = strchr(line, ' '), *to;
        line[strcspn(line, "\n")] = 0;
        *value++ = 0;
        to = value;
        for (char *from = value; *from; from++) {
            *to++ = *from != '\\' ? *from : *++from == 'n' ? '\n' : *from;
        }
        *to = 0;
        for (int i = 0; i < A_COUNT; i++) {
            if (!strcmp(attribute_names[i].name, line)) {
                job->a[i] = strdup(value);
            }
        }
    }
    free(line);
    fclose(in);
    return job;
}

void add(struct job *job)
{
    if (job_count == room) {
        jobs = realloc(jobs, sizeof *jobs * (size_t)(room = room ? 2 * room : 1024));
    }
    jobs[job_count++] = job;
}

static int position(long id)
{
    int low = 0, high = job_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (jobs[middle]->id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct job *find(long id)
{
    int at = position(id);
    return at < job_count && jobs[at]->id == id ? jobs[at] : NULL;
}

void forget(struct job *job)
{
    int at = position(job->id);
    char *paths[] = {inside("jobs/%ld", job->id), inside("scripts/%ld.SC", job->id), inside("nodes/%ld", job->id)};
    for (int i = 0; i < 3; i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
    memmove(jobs + at, jobs + at + 1, sizeof *jobs * (size_t)(--job_count - at));
    for (int i = 0; i < A_COUNT; i++) {
        free(job->a[i]);
    }
    free(job);
}

static int by_id(const void *one, const void *other)
{
    long a = (*(struct job *const *)one)->id, b = (*(struct job *const *)other)->id;
    return (a > b) - (a < b);
}

void load(void)
{
    char *path = inside("jobs");
    DIR *directory = opendir(path);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        char *end;
        long id = strtol(entry->d_name, &end, 10);
        struct job *job = end == entry->d_name || *end ? NULL : read_job(id);
        if (job) {
            add(job);
        }
    }
    if (directory) {
        closedir(directory);
    }
    qsort(jobs, (size_t)job_count, sizeof *jobs, by_id);
    free(path);
}

long next_number(void)
{
    static long next = -1;
    char *path = inside("next"), *part = inside("next.part");
    if (next < 0) {
        FILE *in = fopen(path, "re");
        if (!in || fscanf(in, "%ld", &next) != 1) {
            next = 0;
        }
        if (in) {
            fclose(in);
        }
    }
    FILE *out = fopen(part, "we");
    if (!out || fprintf(out, "%ld\n", next + 1) < 0 || fclose(out) || rename(part, path)) {
        abort();
    }
    free(path);
    free(part);
    return next++;
}

void account(char type, const struct job *job, const char *text)
{
    char day[32], stamp[64];
    time_t now = time(NULL);
    struct tm parts;
    localtime_r(&now, &parts);
    strftime(day, sizeof day, "%Y%m%d", &parts);
    strftime(stamp, sizeof stamp, "%m/%d/%Y %H:%M:%S", &parts);
    char *path = inside("accounting/%s", day);
    FILE *out = fopen(path, "ae");
    if (out) {
        fprintf(out, "%s;%c;%ld.%s;%s\n", stamp, type, job->id, settings.host, text);
        fclose(out);
    }
    free(path);
}
