/*
 * The numbered request list; see request.h.
 *
 * Letters of a form: p path of a file or directory inside a home, d directory (a home itself is fine), w working directory
 * ("/" is fine), v list with a program first, l list, n list of file names, b base64, m mode, u number,
 * s service of accounts, o HTTP method, h HTTP target,
 * * the three letters "pmb" any number of times.
 */
#include "request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "codec.h"
#include "home.h"
#include "http.h"
#include "path.h"

const struct rule RULES[] = {
    {"GELATO_RUN", VERB_RUN, "wvlbuu*", true},
    {"GELATO_SPAWN", VERB_SPAWN, "wvlpp*", true},
    {"GELATO_SIGNAL", VERB_SIGNAL, "uu", false},
    {"GELATO_MKDIR", VERB_MKDIR, "d", true},
    {"GELATO_PUT", VERB_PUT, "pmb", true},
    {"GELATO_GET", VERB_GET, "puu", false},
    {"GELATO_LIST", VERB_LIST, "du", false},
    {"GELATO_COLLECT", VERB_COLLECT, "duu", false},
    {"GELATO_DISCARD", VERB_DISCARD, "dn", false},
    {"GELATO_RENAME", VERB_RENAME, "pp", true},
    {"GELATO_REMOVE", VERB_REMOVE, "p", false},
    {"GELATO_APPEND", VERB_APPEND, "pub", true},
    {"GELATO_FINISH", VERB_FINISH, "ppu", false},
    {"GELATO_STAT", VERB_STAT, "p", false},
    {"GELATO_STREAM", VERB_STREAM, "wvlbuu*", true},
    {"GELATO_READ", VERB_READ, "u", false},
    {"GELATO_CLOSE", VERB_CLOSE, "u", false},
    {"GELATO_TREE", VERB_TREE, "duu", false},
    {"GELATO_HTTP", VERB_HTTP, "wsohbuu", true},
};
const size_t RULE_COUNT = sizeof RULES / sizeof *RULES;

const struct rule *request_rule(const char *word) {
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (!strcasecmp(RULES[i].word, word)) {
            return &RULES[i];
        }
    }
    return NULL;
}

/* The letter of argument i, with "*" unrolled. */
static char letter(const char *form, int i) {
    int fixed = (int)strcspn(form, "*");
    return i < fixed ? form[i] : "pmb"[(i - fixed) % 3];
}

static bool list_of_names(const char *text) {
    struct list l;
    bool fine = list_decode(text, &l);
    for (size_t i = 0; fine && i < l.count; i++) {
        const char *name = l.argv[i];
        fine = *name && strlen(name) <= 255 && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
    }
    list_free(&l);
    return fine;
}

static bool has_form(char kind, const char *text) {
    uint64_t u;
    unsigned mode;
    struct list l;
    bool fine;
    switch (kind) {
        case 'u':
            return number_parse(text, UINT64_MAX, &u);
        case 'm':
            return mode_parse(text, &mode);
        case 'b':
            return base64_valid(text);
        case 'n':
            return list_of_names(text);
        case 's':
            return config_service_name(text);
        case 'o':
            return http_method_valid(text);
        case 'h':
            return http_target_valid(text);
        case 'l':
        case 'v':
            fine = list_decode(text, &l) && (kind == 'l' || l.count > 0);
            list_free(&l);
            return fine;
        default:
            return text[0] == '/';
    }
}

bool request_form(const struct rule *r, int argc, char **args, char *why, size_t why_size) {
    int fixed = (int)strcspn(r->form, "*") + 2;
    bool more = r->form[fixed - 2] == '*';
    if (argc < fixed || (argc > fixed && (!more || (argc - fixed) % 3))) {
        snprintf(why, why_size, "expected %d parameters, %d found", fixed, argc);
        return false;
    }
    uint64_t id;
    if (!number_parse(args[0], UINT64_MAX, &id) || id == 0) {
        snprintf(why, why_size, "Bad request id");
        return false;
    }
    for (int i = 2; i < argc; i++) {
        if (!has_form(letter(r->form, i - 2), args[i])) {
            snprintf(why, why_size, "Malformed parameter %d of %s", i + 1, r->word);
            return false;
        }
    }
    return true;
}

/* A service is started as its line says and by nothing else: no environment, which could change what the program does. */
static bool is_service(const struct config *c, const struct rule *r, const struct account *a, const struct list *argv,
                       const char *environment) {
    return r->verb == VERB_RUN && !strcmp(a->name, SELF) && !strcmp(environment, "-") && config_is_service(c, argv->argv);
}

/* What root runs, and with which variables, is root's to say: LD_PRELOAD or a configuration's name would choose the program. */
static bool environment_allowed(const struct config *c, const char *environment) {
    struct list l;
    bool fine = list_decode(environment, &l) && (!l.count || config_allows_environment(c, l.argv));
    list_free(&l);
    return fine;
}

static bool program_allowed(const struct config *c, const struct rule *r, const struct account *a, char **args,
                            const char **why) {
    bool self = c->is_root && !strcmp(a->name, SELF);
    struct list l;
    bool listed = list_decode(args[0], &l) && l.count > 0 && config_allows(c, l.argv, self);
    bool fine = listed && (!self || environment_allowed(c, args[1]));
    if (!fine && l.count > 0) {
        fine = is_service(c, r, a, &l, args[1]);
    }
    list_free(&l);
    if (!fine) {
        *why = !self    ? "this program is not on the list of executables"
               : listed ? "a variable is not in the environment of the helper's own account"
                        : "this program may not be run so as the helper's own account";
    }
    return fine;
}

static bool path_allowed(const struct config *c, const struct rule *r, const struct account *a, char kind, const char *path,
                         const char **why) {
    if (kind == 'w' && !strcmp(path, "/")) {
        return true;
    }
    if (c->is_root && !strcmp(a->name, SELF)) {
        *why = "no file work as root";
        return false;
    }
    const char *rel = path_below(c, path);
    if (!rel || (!*rel && kind == 'p')) {
        *why = "the path is not below the sandbox root";
        return false;
    }
    return !c->is_root || home_check(c, a, rel, r->makes, kind == 'p', why);
}

bool request_allowed(const struct config *c, const struct rule *r, const struct account *a, int argc, char **args,
                     const char **why) {
    bool self = c->is_root && !strcmp(a->name, SELF);
    if (self && r->verb != VERB_RUN && r->verb != VERB_STREAM && r->verb != VERB_READ && r->verb != VERB_CLOSE) {
        *why = "as root only listed programs are run";
        return false;
    }
    for (int pass = 0; pass < 2; pass++) { /* programs first: a refused request makes no home */
        for (int i = 2; i < argc; i++) {
            char kind = letter(r->form, i - 2);
            if (pass == 0 && kind == 'v' && !program_allowed(c, r, a, args + i, why)) {
                return false;
            }
            if (pass == 0 && kind == 's' && !config_account_service(c, args[i], 0)) {
                *why = "the configuration has no such service for accounts";
                return false;
            }
            if (pass == 1 && kind == 's' && !home_of_services(c, a, why)) {
                return false;
            }
            if (pass == 1 && strchr("pdw", kind) && !path_allowed(c, r, a, kind, args[i], why)) {
                return false;
            }
        }
    }
    return true;
}
