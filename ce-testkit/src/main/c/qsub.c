/* qsub's own part: options, directives at the head of the script, and the complaints made before a server is asked. */
#define _GNU_SOURCE
#include "standin.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static const char USAGE[] =
    "usage: qsub [-a date_time] [-A account_string] [-b secs]\n"
    "    [-c [ none | { enabled | periodic | shutdown |\n"
    "    depth=<int> | dir=<path> | interval=<minutes>}... ]\n"
    "    [-C directive_prefix] [-d path] [-D path]\n"
    "    [-e path] [-h] [-I] [-j oe|eo|n] [-k {oe}] [-K <kill delay seconds>] \n"
    "    [-l resource_list] [-m n|{abe}] [-M user_list] [-N jobname] [-o path] \n"
    "    [-p priority] [-P proxy_user [-J <jobid]] [-q queue] [-r y|n] \n"
    "    [-S path] [-t number_to_submit] [-T type]  [-u user_list] [-w] path\n"
    "    [-W additional_attributes] [-v variable_list] [-V ] [-x] [-X] [-z] [script]\n\n";

static const char OPTIONS[] = "a:A:b:c:C:d:D:e:fhIj:k:K:l:m:M:N:o:p:P:q:r:S:t:T:u:v:VwW:xXz";

enum { MOST = 64 };
static char *pairs[2 * MOST + 1];
static int used;
static bool directive; /* an option given in words wins over one in the script */

static char *given(const char *key)
{
    for (int i = 0; i < used; i += 2) {
        if (!strcmp(pairs[i], key)) {
            return pairs[i + 1];
        }
    }
    return NULL;
}

static void set(const char *key, const char *value, bool keep)
{
    for (int i = 0; i < used; i += 2) {
        if (!strcmp(pairs[i], key)) {
            pairs[i + 1] = keep ? pairs[i + 1] : strdup(value);
            return;
        }
    }
    if (used < 2 * MOST) {
        pairs[used++] = strdup(key);
        pairs[used++] = strdup(value);
    }
}

static void append(const char *key, const char *apart, const char *value)
{
    const char *before = given(key);
    char *both = before ? format("%s%s%s", before, apart, value) : strdup(value);
    set(key, both, false);
    free(both);
}

static int illegal(const char *words)
{
    fprintf(stderr, "[%s]\n\n%s", words, USAGE);
    return 2;
}

/* "a=1,b=2": each under its own name, the first one wins */
static void add_resources(const char *list)
{
    char *copy = strdup(list), *at = NULL;
    for (char *one = strtok_r(copy, ",", &at); one; one = strtok_r(NULL, ",", &at)) {
        const char *have = given("resources");
        size_t key = strcspn(one, "=");
        bool known = false;
        for (; have && *have; have += strcspn(have, "\n"), have += *have == '\n') {
            known |= strcspn(have, "=") == key && !strncmp(have, one, key);
        }
        if (!known || !directive) {
            append("resources", "\n", one);
        }
    }
    free(copy);
}

static void add_variables(const char *list)
{
    char *copy = strdup(list), *at = NULL;
    for (char *one = strtok_r(copy, ",", &at); one; one = strtok_r(NULL, ",", &at)) {
        const char *value = getenv(one);
        char *pair = strchr(one, '=') ? strdup(one) : format("%s=%s", one, value ? value : "");
        append("env", "\x1e", pair);
        free(pair);
    }
    free(copy);
}

static bool good_name(const char *name)
{
    if (!isalpha((unsigned char)*name) || strlen(name) > 64) {
        return false;
    }
    for (; *name; name++) {
        if (!isgraph((unsigned char)*name)) {
            return false;
        }
    }
    return true;
}

static bool good_stage(const char *list)
{
    char *copy = strdup(list), *at = NULL;
    bool good = *copy;
    for (char *one = strtok_r(copy, ",", &at); one; one = strtok_r(NULL, ",", &at)) {
        char *host = strchr(one, '@');
        good = good && host && host > one && strchr(host, ':');
    }
    free(copy);
    return good;
}

/* "name=value": staging is kept, the rest of what Torque knows changes nothing here */
static int additional(const char *value)
{
    static const char *const STAGES[] = {"stagein", "stageout"};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(STAGES[i]);
        if (!strncmp(value, STAGES[i], length) && value[length] == '=') {
            char *list = strdup(value + length + 1);
            size_t size = strlen(list);
            /* quotes stay in a directive, which no shell read */
            if (size > 1 && (*list == '\'' || *list == '"') && list[size - 1] == *list) {
                list[size - 1] = 0;
                memmove(list, list + 1, size - 1);
            }
            if (!good_stage(list)) {
                char *words = format("qsub: illegal -W value for %s", STAGES[i]);
                return illegal(words);
            }
            set(STAGES[i], list, directive);
            return 0;
        }
    }
    return strchr(value, '=') ? 0 : illegal("qsub: illegal -W value");
}

/* [[CC]YY]MMDDhhmm[.SS] */
static int start_at(const char *text)
{
    struct tm parts = {.tm_isdst = -1};
    time_t now = time(NULL);
    localtime_r(&now, &parts);
    int century = strlen(text) >= 12 ? 1 : 0, seconds = 0;
    const char *pattern = century ? "%4d%2d%2d%2d%2d.%2d" : "%2d%2d%2d%2d.%2d";
    int year = parts.tm_year + 1900;
    parts.tm_sec = 0;
    int read = century ? sscanf(text, pattern, &year, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &seconds)
                       : sscanf(text, pattern, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &seconds);
    if (read < 4 + century) {
        return illegal("qsub: illegal -a value");
    }
    parts.tm_year = year - 1900;
    parts.tm_mon--;
    parts.tm_sec = seconds;
    parts.tm_isdst = -1;
    char *epoch = format("%ld", (long)mktime(&parts));
    set("at", epoch, directive);
    free(epoch);
    return 0;
}

static int option(int letter, const char *value)
{
    static const struct {
        char letter;
        const char *key;
    } PLAIN[] = {{'q', "queue"}, {'o', "o"}, {'e', "e"}, {'j', "join"}, {'m', "mail"}, {'S', "shell"},
                 {'p', "priority"}, {'r', "rerun"}, {'d', "directory"}};
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
        if (PLAIN[i].letter == letter) {
            set(PLAIN[i].key, value, directive);
            return 0;
        }
    }
    switch (letter) {
    case 'N':
        if (!good_name(value)) {
            return illegal("qsub: illegal -N value");
        }
        set("name", value, directive);
        return 0;
    case 'W': return additional(value);
    case 'a': return start_at(value);
    case 'l': add_resources(value); return 0;
    case 'v': add_variables(value); return 0;
    case 'h': set("hold", "u", directive); return 0;
    case 'V':
        for (char **one = environ; *one; one++) {
            append("env", "\x1e", *one);
        }
        return 0;
    default: return 0; /* what changes nothing here */
    }
}

static int options(int argc, char **argv)
{
    int letter;
    /* + : the first word that is no option is the script; what follows are its own words */
    optind = 0;
    opterr = 0;
    char *letters = format("+%s", OPTIONS);
    while ((letter = getopt(argc, argv, letters)) != -1) {
        if (letter == '?') {
            fprintf(stderr, strchr(OPTIONS, optopt) ? "qsub: option requires an argument -- '%c'\n"
                                                    : "qsub: invalid option -- '%c'\n", optopt);
            return illegal("exiting");
        }
        int code = option(letter, optarg);
        if (code) {
            free(letters);
            return code;
        }
    }
    free(letters);
    return 0;
}

/* Splits a directive's line as a shell would at spaces, quotes kept together, and reads it as options. */
static int read_directive(char *line)
{
    char *words[MOST] = {"qsub"}, *at = line;
    int count = 1;
    while (count < MOST - 1) {
        at += strspn(at, " \t");
        if (!*at || *at == '#') {
            break;
        }
        words[count++] = at;
        for (char quote = 0; *at && (quote || !strchr(" \t", *at)); at++) {
            quote = !quote && (*at == '\'' || *at == '"') ? *at : *at == quote ? 0 : quote;
        }
        if (*at) {
            *at++ = 0;
        }
    }
    words[count] = NULL;
    return options(count, words);
}

static int directives(const char *script)
{
    int code = 0;
    directive = true;
    for (const char *at = script; *at && !code; at += strcspn(at, "\n"), at += *at == '\n') {
        if (!strncmp(at, "#PBS", 4) && (at[4] == ' ' || at[4] == '\t')) {
            char *line = strndup(at + 5, strcspn(at + 5, "\n"));
            code = read_directive(line);
            free(line);
        } else if (*at != '#' && *at != ':' && *at != '\n') {
            break; /* Torque reads none after the first command */
        }
    }
    return code;
}

static char *read_script(const char *name, size_t *size)
{
    char *script = NULL, block[65536];
    size_t got;
    FILE *in = name ? fopen(name, "re") : stdin;
    if (!in) {
        fprintf(stderr, "qsub: script file '%s' cannot be loaded - %s\n", name, strerror(errno));
        return NULL;
    }
    FILE *out = open_memstream(&script, size);
    while ((got = fread(block, 1, sizeof block, in)) > 0) {
        fwrite(block, 1, got, out);
    }
    fclose(out);
    if (name) {
        fclose(in);
    }
    return script;
}

int qsub(int argc, char **argv, char ***result, char **script, size_t *size)
{
    char cwd[4096], *args = strdup("");
    if (geteuid() == 0) {
        fputs("qsub can not be run as root\n", stderr);
        return 1;
    }
    int code = options(argc, argv);
    const char *file = !code && optind < argc && strcmp(argv[optind], "-") ? argv[optind] : NULL;
    for (int i = 1; i < argc; i++) {
        char *more = format("%s%s%s", args, i > 1 ? " " : "", argv[i]);
        free(args);
        args = more;
    }
    if (!code && !(*script = read_script(file, size))) {
        code = 1;
    }
    if (!code) {
        code = directives(*script);
    }
    if (!code) {
        struct passwd *user = getpwuid(getuid());
        const char *base = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
        set("name", base ? base : "STDIN", true);
        set("args", args, false);
        set("workdir", getcwd(cwd, sizeof cwd) ? cwd : "/", false);
        set("home", getenv("HOME") ? getenv("HOME") : user ? user->pw_dir : "/", false);
        set("path", getenv("PATH") ? getenv("PATH") : "", false);
        set("login-shell", getenv("SHELL") ? getenv("SHELL") : user ? user->pw_shell : "/bin/sh", false);
        if (getenv("LANG")) {
            set("lang", getenv("LANG"), false);
        }
        pairs[used] = NULL;
        *result = pairs;
    }
    free(args);
    return code;
}
