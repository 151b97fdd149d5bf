/*
 * A stand-in for Torque, for tests only: qsub, qstat, qdel, qhold, qrls and pbs_server in one program, told apart by the
 * name it is started with. What it prints was recorded from Torque 6.1/7.0 on one host.
 *
 * The commands talk to the server by a socket in the site's folder, which is the one above the program's own. The server
 * takes who asks from the kernel (SO_PEERCRED), runs as root or as the one ordinary user of the site, and keeps every job in
 * a file, so that it may be killed at any instant: a job that runs has a shepherd process of its own, which notes its end
 * where the next server finds it. A kill between a qsub's number and the file of its job loses the number only, as the
 * answer goes out afterwards. Whoever may write to the folder "spool" (everybody) can disturb other jobs' output: this is no
 * batch system for anything but tests.
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

/* error numbers of Torque whose low byte is the exit code */
enum {
    RC_UNKNOWN_JOB = 153,
    RC_PERMISSION = 159,
    RC_UNKNOWN_HOST = 162,
    RC_BAD_VALUE = 168,
    RC_BAD_STATE = 170,
    RC_UNKNOWN_QUEUE = 172,
    RC_DISABLED = 175,
    RC_UNKNOWN_RESOURCE = 189,
    RC_LIMIT = 190,
    RC_QUEUE_FULL = 200,
    RC_BAD_HOLD = 53,
    RC_DOWN = 111
};

/* separates variables of a job's environment, whose values may hold every other character */
#define VARIABLES_APART '\x1e'

/* attributes in the order qstat -f shows them; those from A_UID on are the stand-in's own */
enum attribute {
    A_NAME, A_OWNER, A_USED, A_STATE, A_QUEUE, A_SERVER, A_CHECKPOINT, A_CTIME, A_ERROR, A_EXEC_HOST, A_EXECUTION_TIME,
    A_HOLD, A_JOIN, A_KEEP, A_MAIL, A_MTIME, A_OUTPUT, A_PRIORITY, A_QTIME, A_RERUNABLE, A_RESOURCES, A_SESSION,
    A_SUBSTATE, A_SHELL, A_STAGEIN, A_STAGEOUT, A_VARIABLES, A_EUSER, A_EGROUP, A_HASHNAME, A_RANK, A_QUEUE_TYPE, A_HINT,
    A_COMMENT, A_ETIME, A_EXIT, A_ARGS, A_START, A_START_COUNT, A_FAULT, A_COMP, A_RADIX, A_RUNTIME, A_SUBMIT_HOST,
    A_WORKDIR, A_REQUEST, A_UID, A_GID, A_ENV, A_SLOTS, A_DIRECTORY, A_KILLED, A_KILL_AT, A_SHEPHERD, A_COUNT
};

enum kind { TEXT, TIME, LIST, OPERATOR, OWN };

struct attribute_name {
    const char *name;
    enum kind kind;
};
extern const struct attribute_name attribute_names[A_COUNT];

struct job {
    long id;
    char *a[A_COUNT]; /* NULL where the job has no such attribute */
};

/* what tests set, read from the file "settings" whenever it changed */
struct settings {
    char host[64];
    char owner_host[64];
    char queues[16][64];
    int queue_count;
    int capacity; /* of the one node: more is refused */
    int slots;    /* that may be used now: more waits */
    long keep_completed;
    bool forgets;
    int over_limit; /* the exit status of jobs that are over a limit, which all that run are then; 0 for none */
    int start_status; /* the exit status of jobs that start, which do not run their scripts then; 0 for none */
    double stale;
    int queue_full; /* jobs a queue takes; -1 for any number */
    char disabled[64], acl_queue[64], acl_user[64];
    long max_walltime; /* 0 for none */
};

struct answer {
    int exit;
    FILE *out;
    FILE *err;
};

struct asker {
    uid_t uid;
    gid_t gid;
    char name[64];
    char group[64];
};

/* text.c */
char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));
void put(struct job *job, enum attribute which, char *value); /* takes the value over; NULL removes */
long number(const struct job *job, enum attribute which);     /* 0 where it has none */
char state(const struct job *job);
void show_full(FILE *out, const struct job *job, bool operator_, bool one_line);
void show_xml(FILE *out, const struct job *job, bool operator_);
void show_head(FILE *out);
void show_row(FILE *out, const struct job *job);
const char *in_list(const struct job *job, enum attribute list, const char *name); /* static buffer; NULL for none */
long seconds_of(const char *duration);                                            /* -1 for nonsense */

/* store.c */
extern struct settings settings;
extern struct job **jobs; /* by id */
extern int job_count;
extern const char *home; /* the site's folder */
void load(void);
void read_settings(void);
void save(const struct job *job);
void add(struct job *job);
void forget(struct job *job);
struct job *find(long id);
long next_number(void);
void account(char type, const struct job *job, const char *text);
char *inside(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* run.c */
void tick(void);
void set_state(struct job *job, char to);
void start_killing(struct job *job, const char *reason);
void kill_all(void);

/* submit.c */
void submit(char **pairs, const char *script, size_t script_size, const struct asker *asker, struct answer *answer);
void answer_words(char **words, const char *program, const struct asker *asker, struct answer *answer);

/* client.c, server.c */
int qsub(int argc, char **argv, char ***pairs, char **script, size_t *size); /* exit code; 0 to go on */
int serve(void);

#endif
