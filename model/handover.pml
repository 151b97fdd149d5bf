/*
 * The life of jobs between clients, CE nodes, their database and a batch system: what docs/developer/reliability.md
 * promises, for every order of steps and faults. docs/developer/model.md says how it is run and what it leaves out.
 *
 * How to read it. Each "atomic" is one effect on something that outlives a process: a transaction, a batch command, a
 * rename. Between two of them anything else may happen, crashes included. STEP(node, job, name) is the place at which the
 * code calls Steps.reached(Step.NAME); a check passes it, a replay (-DREPLAY) waits there until a recorded run was there.
 * Every fault takes one of FAULTS, so that all can be tried; what happens without a fault takes none.
 *
 * -DJOBS=1|2  -DFAULTS=n  -DREMOTE: wrappers do not see the sandbox, and claim over HTTPS  -DRESTORE: a backup is restored
 * -DUNPURGED: nobody purges  -DBREAK_...: an error in the order of steps, which must be found
 */
#ifndef JOBS
#define JOBS 1
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#define COPIES 5

/* States of a job, in the order of a life; NONE and PURGED have no row. */
#define NONE 0
#define REGISTERED 1
#define PENDING 2
#define IDLE 3
#define RUNNING 4
#define DONE 5
#define FAILED 6
#define CANCELLED 7
#define ABORTED 8
#define PURGED 9
#define IN_LRMS(j) (state[j] == IDLE || state[j] == RUNNING)
#define ENDED(j) (state[j] >= DONE && state[j] <= ABORTED)
#define PURGEABLE(j) (state[j] == REGISTERED || ENDED(j))

/* Commands of a job, one of each kind, and their states: NO and FINISHED are not open. */
#define START 0
#define CANCEL 1
#define PURGE 2
#define NO 0
#define BEHIND 1
#define QUEUED 2
#define CLAIMED 3
#define FINISHED 4
#define C(j, k) ((j) * 3 + (k))
#define IS_OPEN(j, k) (command[C(j, k)] >= BEHIND && command[C(j, k)] <= CLAIMED)
#define BUSY(j) (IS_OPEN(j, START) || IS_OPEN(j, CANCEL) || IS_OPEN(j, PURGE))

/* Outcomes: CommandOutcome of the code; ABSENT and LATER are its Later, with and without surelyAbsent. */
#define UNDECIDED 0
#define HANDED_OVER 1
#define REFUSED 2
#define ABSENT 3
#define LATER 4
#define SETTLED 5
#define ROWS_GONE 6
#define UNCLAIMED 7         /* nobody has the claim, and no wrapper gets it any more */
#define APPEARED 8          /* a wrapper has it */

/* A batch job: its number in the arrays is its id. FREE ids are given (again). */
#define FREE 0
#define WAITS 1
#define RUNS 2
#define OVER 3
#define KILLED 4            /* over, as it was cancelled there */
#define LIVES(s, j) ((batch[s] == WAITS || batch[s] == RUNS) && tag[s] == j && !unseen[s])
#define KNOWN(s, j) (batch[s] != FREE && tag[s] == j && !unseen[s])
#define LIVE(j) (LIVES(0, j) || LIVES(1, j) || LIVES(2, j) || LIVES(3, j) || LIVES(4, j))
#define FOUND(j) (KNOWN(0, j) || KNOWN(1, j) || KNOWN(2, j) || KNOWN(3, j) || KNOWN(4, j))
/* What a poll shows of the batch job whose id the row has; another job with this id is not it. */
#define GONE(j) (id[j] == 0 && !LIVE(j) || id[j] != 0 && !LIVES(id[j] - 1, j))

/* Evidence of an end, as EndRule has it: the batch system's word, and the wrapper's. */
#define NOT_KNOWN 0
#define NONE_TO_BE_HAD 1
#define SAYS_CANCELLED 2
#define SAYS_ENDED 3
#define SILENT 0
#define WHOLE 1
#define CUT 2
#define REPORT(j) (killed[j] -> CUT : WHOLE)

/* Bits of the spool. */
#define RUN 1
#define END 2

/* Who has the claim in a sandbox, if not a batch job: a file of the CE's. */
#define OURS (COPIES + 1)
#define CLAIMABLE(j) (fence[j] == 0 || fence[j] == OURS)

/* The database: rows of jobs and commands. */
byte state[JOBS];
byte handOver[JOBS];        /* 1: SUBMITTING, the batch system may have it; 2: it has */
byte id[JOBS];              /* of the batch system, from 1; 0: unknown */
bit tried[JOBS];            /* a hand-over that no look-up has found, beside the one of handOver: attempt of the code */
bit reported[JOBS];         /* its wrapper's end waits for the batch system's word */
bit cancel[JOBS];           /* a cancel was requested */
bit deferred[JOBS];         /* a purge that waits for the end */
byte command[JOBS * 3];
byte claimer[JOBS * 3];     /* the claim's number: a node has one claim at a time here, so its own number is new each time */

/* Files. */
bit sandbox[JOBS];
bit trash[JOBS];
bit record[JOBS];           /* the exit record in the sandbox */
byte spool[JOBS];           /* events that no intake has removed */
byte fence[JOBS];           /* the batch job whose wrapper has the job: a directory in the sandbox, with REMOTE in the row */

/* The batch system, and what is under way to it. */
byte batch[COPIES];
byte tag[COPIES];           /* the job */
bit unseen[COPIES];         /* it runs, and the batch system has forgotten it */
byte late[JOBS];            /* submissions whose sender has given up, or died */

/* Processes. */
bit up[2] = 1;
byte faults = FAULTS;
hidden byte end;            /* of an inline */

/* Whether the wrapper of a hand-over may come that no look-up has found: before the job's end is shown the claim is taken from it. */
#if defined(REMOTE) || defined(BREAK_END_CLAIM)
#define MAY_COME_LATE(j) false
#else
#define MAY_COME_LATE(j) (tried[j] && sandbox[j])
#endif

/* What happened: of the properties, unknown to the code. */
byte runs[JOBS];            /* how often the payload began */
bit killed[JOBS];           /* a cancel reached the running payload */
bit forgotten[JOBS];        /* the batch system, or the worker node, lost it */
bit moved[JOBS];            /* the sandbox was purged */

#ifdef RESTORE
/* The backup. */
byte kept;                  /* 1: made, 2: restored */
byte keptState[JOBS];
byte keptHandOver[JOBS];
byte keptId[JOBS];
bit keptTried[JOBS];
bit keptReported[JOBS];
bit keptCancel[JOBS];
bit asked[JOBS];            /* a cancel was requested before it was restored */
bit keptDeferred[JOBS];
byte keptCommand[JOBS * 3];
byte keptFence[JOBS];
#define WANTS_RESTORE (kept == 1)
#define RESTORED (kept == 2)
#define WAS_ASKED(j) (cancel[j] || asked[j])
#else
#define WANTS_RESTORE DIES
#define RESTORED false
#define WAS_ASKED(j) cancel[j]
#endif

#ifdef REPLAY
#include "replay.h"
#else
#define REPLAYED
#define NEXT(n, step) true
#define STEP(n, j, step) skip
#define ENTER(n) skip
#define AGAIN(times) ((times) == 0)
#define BEGUN RUN
#define DIES false
#define MAY_FAIL true
#define PART(events) true
#endif
/* Named, and not replayed: there is no row yet whose job it could be a step of. */
#define BEFORE_THE_ROW(step) skip

/* What the batch system shows as running. */
#define SEEN_TO_RUN(s, j) (batch[s] == RUNS && tag[s] == j && !unseen[s])
#define RUNNING_THERE(j) (SEEN_TO_RUN(0, j) || SEEN_TO_RUN(1, j) || SEEN_TO_RUN(2, j) || SEEN_TO_RUN(3, j) || SEEN_TO_RUN(4, j))

/* No state goes back, and an end is the end; an end has its reason, and no cancelled job is shown to run. */
inline move(j, to) {
    assert(to > state[j] && !ENDED(j));
    /* A restored row may say REGISTERED of one that runs. */
    assert(to != CANCELLED || state[j] == REGISTERED || !RUNNING_THERE(j));
    state[j] = to;
    assert(to != DONE || runs[j] == 1);
    assert(to != FAILED || forgotten[j]);
    assert(to != CANCELLED || WAS_ASKED(j));
    reported[j] = (to < DONE && reported[j])
}

/* How a job ended by what is known of that: EndRule, row by row; NONE while a witness is still to be asked. */
#define END_BY_RULE(word, wrapper, isCancelled) ( \
    word == NOT_KNOWN && wrapper == SILENT                -> NONE      /* NOT_LOOKED_UP */ : ( \
    word == SAYS_CANCELLED                                -> CANCELLED /* CANCELLED_THERE */ : ( \
    word == SAYS_ENDED && wrapper == WHOLE && isCancelled -> DONE      /* CANCEL_CAME_TOO_LATE */ : ( \
    word == NOT_KNOWN && wrapper == WHOLE && isCancelled  -> NONE      /* CANCEL_IN_DOUBT */ : ( \
    isCancelled                                           -> CANCELLED /* CANCEL_CARRIED_OUT */ : ( \
    wrapper == SILENT                                     -> FAILED    /* VANISHED, NOTHING_LEFT */ : ( \
    wrapper == WHOLE                                      -> DONE      /* CONFIRMED, UNCONFIRMED, SHOWN_AT_ONCE */ : ( \
    word == NOT_KNOWN                                     -> NONE      /* IN_DOUBT */ : \
                                                             FAILED    /* SIGNAL */ ))))))))
inline decide(j, word, wrapper) {
    end = END_BY_RULE(word, wrapper, cancel[j]);
    if
    :: end == NONE -> reported[j] = reported[j] | (wrapper != SILENT)
    :: else -> move(j, end)
    fi
}

/* A command ends, and lets the next of its job run. */
#define IS_NEXT(j) (command[C(j, START)] == QUEUED || command[C(j, START)] == CLAIMED || command[C(j, CANCEL)] == QUEUED \
    || command[C(j, CANCEL)] == CLAIMED || command[C(j, PURGE)] == QUEUED || command[C(j, PURGE)] == CLAIMED)
inline finish(j, k) {
    command[C(j, k)] = FINISHED;
    if
    :: !IS_NEXT(j) && command[C(j, CANCEL)] == BEHIND -> command[C(j, CANCEL)] = QUEUED
    :: !IS_NEXT(j) && command[C(j, CANCEL)] != BEHIND && command[C(j, PURGE)] == BEHIND -> command[C(j, PURGE)] = QUEUED
    :: else
    fi
}

/* What a wrapper reports; a repeated event changes nothing. */
inline take(j, events) {
    if
    :: (events & RUN) && state[j] >= REGISTERED && state[j] < RUNNING -> move(j, RUNNING); id[j] = fence[j]
    :: else
    fi;
    if
    :: (events & END) && IN_LRMS(j) -> decide(j, NOT_KNOWN, REPORT(j))
    :: (events & END) && (state[j] == REGISTERED || state[j] == PENDING) -> decide(j, NONE_TO_BE_HAD, REPORT(j))
    :: else
    fi
}

/* A submission reaches the batch system, which gives it the first free id. */
inline arrive(j, s) {
    s = 0;
    do
    :: s < COPIES && batch[s] != FREE -> s++
    :: else -> break
    od;
    assert(s < COPIES);
    batch[s] = WAITS;
    tag[s] = j
}

/* The batch system ends a batch job, as requested. */
inline kill(s) {
    if
    :: batch[s] == RUNS ->
        killed[tag[s]] = 1;
        batch[s] = KILLED;
#ifdef REMOTE
        take(tag[s], END)
#else
        record[tag[s]] = sandbox[tag[s]];
        spool[tag[s]] = spool[tag[s]] | END
#endif
    :: batch[s] == WAITS -> batch[s] = KILLED
    :: else
    fi
}

/* The outcome of a command, as CommandCompleter writes it: what is not a fact counts only while the claim stands. */
#ifdef BREAK_LATE_OUTCOME
#define STANDS (IS_OPEN(j, k))
#else
#define STANDS (command[C(j, k)] == CLAIMED && claimer[C(j, k)] == n)
#endif
inline store() {
    if
    :: state[j] == NONE || state[j] == PURGED
    :: else ->
        if
        :: out == HANDED_OVER ->
            handOver[j] = 2;
            id[j] = copy;
            if
            :: state[j] == PENDING -> move(j, IDLE)
            :: else
            fi;
            if
            :: IS_OPEN(j, k) -> finish(j, k)
            :: else
            fi
        :: out == REFUSED && STANDS ->
            if
            :: !ENDED(j) -> move(j, ABORTED)
            :: else
            fi;
            finish(j, k)
        :: out == ABSENT && STANDS && cancel[j] && state[j] == PENDING ->
            if
            :: !look && !tried[j] -> move(j, CANCELLED)
            :: else                                                             /* the cancel behind it takes the claim first */
            fi;
            finish(j, k)
        :: out == ABSENT && STANDS && !(cancel[j] && state[j] == PENDING) ->
            tried[j] = tried[j] | (look && handOver[j] == 1);
            handOver[j] = (handOver[j] == 1 -> 0 : handOver[j]);
            command[C(j, k)] = QUEUED
        :: out == UNCLAIMED && STANDS ->
            if
            :: IN_LRMS(j) -> command[C(j, k)] = QUEUED
            :: state[j] <= PENDING -> move(j, CANCELLED); finish(j, k)
            :: ENDED(j) -> finish(j, k)
            fi
        :: out == APPEARED && STANDS ->
            if
            :: state[j] == PENDING -> move(j, IDLE)
            :: else
            fi;
            command[C(j, k)] = QUEUED
        :: out == LATER && STANDS -> command[C(j, k)] = QUEUED
        :: out == SETTLED && STANDS -> finish(j, k)
        :: out == ROWS_GONE ->
            if
            :: PURGEABLE(j) ->
                state[j] = PURGED;
                command[C(j, START)] = NO;
                command[C(j, CANCEL)] = NO;
                command[C(j, PURGE)] = NO;
                handOver[j] = 0;
                id[j] = 0;
                tried[j] = 0;
                reported[j] = 0;
                deferred[j] = 0
            :: else -> finish(j, k)
            fi
        :: else
        fi
    fi
}

/* The response to a start: it is confirmed, so it must be stored. */
inline responds(j) {
    assert(state[j] >= PENDING)
}

/* What a start may be claimed from, and what the claimer's query finds. A cancel whose id is unknown is put off in the code
   again and again; here it waits for what it waits for. */
#ifdef REPLAY
#define DUE(j, k) (command[C(j, k)] == QUEUED && NEXT(n, CLAIM_WRITTEN))
#else
#define DUE(j, k) (command[C(j, k)] == QUEUED && (k != CANCEL || id[j] != 0 || !IN_LRMS(j)))
#endif
/* A request that is claimed at once is one that is claimed before anything else happens: a check has that anyway. */
#ifdef REPLAY
#define CLAIMED_AT_ONCE true
#else
#define CLAIMED_AT_ONCE false
#endif
#define MAY_START(j) (state[j] == REGISTERED && !BUSY(j) && NEXT(n, START_WRITTEN))
#ifdef UNPURGED
#define PURGES false
#else
#define PURGES true
#endif
#define MAY_PURGE(j) (PURGES && PURGEABLE(j) && AGAIN(command[C(j, PURGE)]) && NEXT(n, PURGE_WRITTEN))
#define WANTED(job) \
    :: DUE(job, START) -> j = job; k = START \
    :: DUE(job, CANCEL) -> j = job; k = CANCEL \
    :: DUE(job, PURGE) -> j = job; k = PURGE \
    :: CLAIMED_AT_ONCE && MAY_START(job) -> j = job; k = START; direct = 1 \
    :: CLAIMED_AT_ONCE && MAY_PURGE(job) && !BUSY(job) -> j = job; k = PURGE; direct = 1
/* "true" before an "if" keeps its "else" from being that of the "if" around it. */
#ifdef REPLAY
#define CRASH atomic { DIES -> goto crash }
#else
#define CRASH atomic { faults > 0 -> faults--; goto crash }
#endif

/* A node's dispatcher: claims a command, executes it, stores the outcome. Its variables are its memory. */
proctype Node(byte n) {
    byte j, k, out, copy, fate;
    bit direct, look, sent;
    REPLAYED
again:
    atomic { j = 0; k = 0; out = 0; copy = 0; fate = 0; direct = 0; look = 0; sent = 0 };
end_idle:
    atomic {
        if
        WANTED(0)
#if JOBS > 1
        WANTED(1)
#endif
        :: WANTS_RESTORE -> goto crash
        fi;
        ENTER(n);
        /* The transaction: committed, or in doubt, and then committed or not. */
        if
        :: fate = 1
        :: faults > 0 -> faults--; fate = 2
        :: faults > 0 -> faults--; fate = 3
#ifdef REPLAY
        :: fate = 4
#endif
        fi;
        if
        :: direct && k == START -> STEP(n, j, START_WRITTEN)
        :: direct && k == PURGE -> STEP(n, j, PURGE_WRITTEN)
        :: else
        fi;
        STEP(n, j, CLAIM_WRITTEN);
        if
        :: fate == 4 -> goto again
        :: else
        fi;
        if
        :: direct && k == START && fate != 3 -> move(j, PENDING)
        :: else
        fi;
        /* What is to be done, by the row as it was claimed. */
        look = (handOver[j] == 1);
        copy = id[j];
        if
        :: fate != 1 -> out = (k == START && !look -> ABSENT : LATER)
        :: fate == 1 && k == START && state[j] != PENDING -> out = (id[j] == 0 -> SETTLED : HANDED_OVER)
        /* The claim reads the job without a lock: an event may come in between, and the job is looked up nevertheless. */
        :: fate == 1 && k == START && state[j] != PENDING && look
        :: fate == 1 && k == START && state[j] == PENDING && cancel[j] && !look -> out = ABSENT
        :: fate == 1 && k == CANCEL && ENDED(j) -> out = SETTLED
        :: fate == 1 && k == CANCEL && IN_LRMS(j) && id[j] == 0 -> out = LATER
        :: fate == 1 && k == PURGE && !PURGEABLE(j) -> out = SETTLED
        :: else
        fi;
        if
        :: fate != 3 ->
            command[C(j, k)] = CLAIMED;
            claimer[C(j, k)] = n;
#ifndef BREAK_MARK
            handOver[j] = (k == START && state[j] == PENDING && handOver[j] == 0 -> 1 : handOver[j])
#endif
        :: else
        fi;
        copy = (out == HANDED_OVER || k == CANCEL && out == UNDECIDED -> copy : 0);
        if
#ifdef BREAK_DOUBT
        :: fate != 1 -> goto again
#else
        :: fate != 1 -> fate = 0; direct = 0; goto outcome
#endif
        :: else -> fate = 0
        fi
    };
    /* Claimed, and nothing done. */
    if
    :: CRASH
    :: atomic {
        true;
        if
        :: direct && k == START -> STEP(n, j, START_STORED); responds(j)
        :: direct && k == PURGE -> STEP(n, j, PURGE_STORED)
        :: else
        fi;
        direct = 0;
        if
        :: k == START -> STEP(n, j, HAND_OVER_CLAIMED)
        :: else
        fi;
        if
        :: out != UNDECIDED
        :: out == UNDECIDED && k == START && look ->
            if
            :: faults > 0 -> faults--; out = LATER
            :: FOUND(j) ->
                copy = 0;
                do
                :: KNOWN(copy, j) -> break
                :: else -> copy++
                od;
                copy++;
                out = HANDED_OVER
            :: !FOUND(j) -> out = ABSENT
            fi;
            STEP(n, j, LOOK_UP_ANSWERED)
        :: out == UNDECIDED && k == START && !look ->
#ifndef SLEEPER
            /* Assumed: nobody sleeps from the claim of a start until the job was purged, and then sends it. */
            if
            :: moved[j] -> goto again
            :: else
            fi;
#endif
            /* A second submission needs a look-up that did not find the first. */
            assert(!FOUND(j) || tried[j] || command[C(j, k)] != CLAIMED || claimer[C(j, k)] != n);
            sandbox[j] = 1;
            sent = 1;
            if
            :: arrive(j, copy); copy++; out = HANDED_OVER
            :: faults > 0 -> faults--; arrive(j, copy); copy = 0; out = LATER   /* the response is lost */
            :: faults > 0 -> faults--; late[j]++; out = LATER                   /* or the request is late */
            :: faults > 0 -> faults--; out = LATER                              /* or it is lost */
            :: faults > 0 -> faults--; out = ABSENT                             /* the batch system is down */
            :: !MAY_COME_LATE(j) -> out = REFUSED
            :: MAY_COME_LATE(j) && CLAIMABLE(j) ->
                fence[j] = OURS;
                forgotten[j] = 1;                                               /* what a sleeper sends now fails */
                out = REFUSED
            :: MAY_COME_LATE(j) && !CLAIMABLE(j) -> out = LATER
            :: DIES -> goto crash
            :: faults > 0 -> faults--; late[j]++; STEP(n, j, HAND_OVER_SENT); goto crash
            fi;
            STEP(n, j, HAND_OVER_SENT)
        /* Not in the batch system, as far as is known. */
        :: out == UNDECIDED && k == CANCEL && copy == 0 ->
#ifdef BREAK_CANCEL_CLAIM
            out = UNCLAIMED
#else
            if
            :: CLAIMABLE(j) ->
#ifndef REMOTE
                fence[j] = (sandbox[j] -> OURS : 0);
#endif
                out = UNCLAIMED
            :: !CLAIMABLE(j) -> out = APPEARED
            fi
#endif
        :: out == UNDECIDED && k == CANCEL && copy != 0 ->
            STEP(n, j, CONTROL_CLAIMED);
            sent = 1;
            if
#ifdef BREAK_TAG
            :: true -> kill(copy - 1)
#else
            :: LIVES(copy - 1, j) -> kill(copy - 1)
            :: !LIVES(copy - 1, j)
#endif
            :: faults > 0 -> faults--                                           /* the batch system forgets the cancel */
            :: DIES -> goto crash
            fi;
            copy = 0;
#ifdef BREAK_CANCEL_ANSWER
            if
            :: IN_LRMS(j) -> move(j, CANCELLED)
            :: else
            fi;
#endif
            out = SETTLED;
            STEP(n, j, CONTROL_SENT)
        :: out == UNDECIDED && k == PURGE ->
#ifndef BREAK_ROWS_FIRST
            STEP(n, j, PURGE_CLAIMED);
            trash[j] = trash[j] | sandbox[j];
            sandbox[j] = 0;
            record[j] = 0;
            moved[j] = 1;
#ifdef RESTORE
            /* A job may run whose restored row says REGISTERED: who purges it ends it. */
            forgotten[j] = forgotten[j] | RESTORED;
#endif
#ifndef REMOTE
            fence[j] = 0;
#endif
            STEP(n, j, SANDBOX_RENAMED);
#endif
            out = ROWS_GONE
        fi;
        look = (look && out == ABSENT) }
    fi;

    /* Done, and nothing stored. */
outcome:
    if
    :: CRASH
    :: atomic {
        true;
        if
        :: sent && k == START -> STEP(n, j, HAND_OVER_ANSWERED)
        :: sent && k == CANCEL -> STEP(n, j, CONTROL_ANSWERED)
        :: sent && k == CANCEL && faults > 0 -> faults--; STEP(n, j, CONTROL_ANSWERED); out = LATER
        :: else
        fi;
        sent = 0;
        STEP(n, j, OUTCOME_WRITTEN);
        if
        :: true -> store()
        :: faults > 0 -> faults--; store(); goto outcome                        /* in doubt: written once more */
#ifdef REPLAY
        :: goto outcome
#endif
        fi;
        STEP(n, j, OUTCOME_STORED);
        if
        :: out != ROWS_GONE -> goto again
        :: else
        fi }
    fi;

    /* Rows are gone. */
    if
    :: CRASH
    :: atomic {
        STEP(n, j, ROWS_DELETED);
        trash[j] = 0;
#ifdef BREAK_ROWS_FIRST
        sandbox[j] = 0;
#endif
        goto again }
    fi;

dead:
crash:
    atomic { up[n] = 0; j = 0; k = 0; out = 0; copy = 0; fate = 0; direct = 0; look = 0; sent = 0 };
    /* The start: claims of this host's dead process return, the trash is emptied. */
    atomic {
#ifdef REPLAY
        epoch[n]++;
#endif
        up[n] = 1;
        do
        :: k < JOBS * 3 ->
            command[k] = (command[k] == CLAIMED && claimer[k] == n -> QUEUED : command[k]);
            k++
        :: else -> break
        od;
        k = 0;
        do
        :: k < JOBS -> trash[k] = 0; k++
        :: else -> break
        od;
        k = 0;
        goto again
    }
}

/* Whether a cancel ends a start: it waits, and the batch system surely has not got the job by it. */
#ifdef BREAK_CANCEL
#define TAKEN_BACK(j) (state[j] == PENDING && IS_OPEN(j, START))
#else
#define TAKEN_BACK(j) (state[j] == PENDING && handOver[j] == 0 && (command[C(j, START)] == QUEUED || command[C(j, START)] == BEHIND))
#endif

/* Requests of clients that are not claimed at once, and sweeps. A response that is lost makes the client repeat its request. */
proctype Requests(byte j) {
    byte n;
    REPLAYED
dead:
again:
    atomic { n = 0 };
end_idle:
    if
    :: atomic {
        /* By its Idempotency-Key a repeated registration is the same job. */
        state[j] == NONE && NEXT(n, REGISTER_WRITTEN) ->
        ENTER(n);
        BEFORE_THE_ROW(REGISTER_CHECKED);
        STEP(n, j, REGISTER_WRITTEN);
        MAY_FAIL;
        state[j] = REGISTERED;
        MAY_FAIL;
        STEP(n, j, REGISTER_STORED);
        sandbox[j] = 1;
        STEP(n, j, REGISTER_READY) }
    :: atomic {
        MAY_START(j) ->
        ENTER(n);
        STEP(n, j, START_WRITTEN);
        MAY_FAIL;
        move(j, PENDING);
        command[C(j, START)] = QUEUED;
        MAY_FAIL;
        STEP(n, j, START_STORED);
        responds(j) }
    :: atomic {
        /* Also the end of a lease, or of a delegation. */
        state[j] >= REGISTERED && state[j] <= RUNNING && AGAIN(cancel[j]) && NEXT(n, CANCEL_WRITTEN) ->
        ENTER(n);
        STEP(n, j, CANCEL_WRITTEN);
        MAY_FAIL;
        cancel[j] = 1;
        if
        :: state[j] == REGISTERED && handOver[j] == 0 -> move(j, CANCELLED)
        :: TAKEN_BACK(j) && !tried[j] ->
            move(j, CANCELLED);
            finish(j, START)
        :: TAKEN_BACK(j) && tried[j] ->
            finish(j, START);
            command[C(j, CANCEL)] = QUEUED
        :: else -> command[C(j, CANCEL)] = (BUSY(j) -> (IS_OPEN(j, CANCEL) -> command[C(j, CANCEL)] : BEHIND) : QUEUED)
        fi;
        MAY_FAIL;
        STEP(n, j, CANCEL_STORED) }
    :: atomic {
        MAY_PURGE(j) ->
        ENTER(n);
        STEP(n, j, PURGE_WRITTEN);
        MAY_FAIL;
        /* A second one goes with the rows that the first removes. */
        command[C(j, PURGE)] = (IS_OPEN(j, PURGE) -> command[C(j, PURGE)] : (BUSY(j) -> BEHIND : QUEUED));
        MAY_FAIL;
        STEP(n, j, PURGE_STORED) }
    :: atomic {
        state[j] >= PENDING && state[j] <= RUNNING && cancel[j] && !deferred[j] && PURGES && NEXT(n, DEFERRED_PURGE_WRITTEN) ->
        ENTER(n);
        STEP(n, j, DEFERRED_PURGE_WRITTEN);
        MAY_FAIL;
        deferred[j] = 1;
        MAY_FAIL;
        STEP(n, j, DEFERRED_PURGE_STORED) }
    :: atomic {
        deferred[j] && ENDED(j) && !BUSY(j) && NEXT(n, SWEPT_PURGES_STORED) ->
        ENTER(n);
        command[C(j, PURGE)] = QUEUED;
        STEP(n, j, SWEPT_PURGES_STORED) }
    fi;
    goto again
}

/* Brings events from the spool into the database. */
proctype Intake(byte j) {
    byte n, got;
    REPLAYED
dead:
again:
    atomic { got = 0; n = 0 };
end_idle:
    atomic {
        spool[j] != 0 && NEXT(n, EVENTS_COLLECTED) ->
        ENTER(n);
        got = spool[j];
        PART(got);
        STEP(n, j, EVENTS_COLLECTED);
        MAY_FAIL;                                                           /* no connection: they are collected again */
        STEP(n, j, EVENTS_WRITTEN);
        MAY_FAIL;
        take(j, got);
        STEP(n, j, EVENTS_STORED);
        if
        :: spool[j] = spool[j] & ~got
        :: faults > 0 -> faults--                                           /* it died before it removed them: they come again */
        fi;
        goto again
    }
}

/* The batch system's word about a job that it does not show as living, by its list or its history. */
inline look_up(j, s, word) {
    s = (id[j] == 0 -> 0 : id[j] - 1);
    do
    :: id[j] == 0 && s < COPIES && !KNOWN(s, j) -> s++
    :: else -> break
    od;
    word = NONE_TO_BE_HAD;
    if
    :: s < COPIES && KNOWN(s, j) -> word = (batch[s] == KILLED -> SAYS_CANCELLED : SAYS_ENDED)
    :: else
    fi
}

/* What a poll concludes from what the batch system shows, or no longer shows. */
#define SILENTLY_GONE(j) (IN_LRMS(j) && GONE(j) && !reported[j] && !record[j])
proctype Poller(byte j) {
    byte n, s, word;
    REPLAYED
dead:
again:
    atomic { s = 0; n = 0; word = 0 };
end_idle:
    atomic {
        if
        :: IN_LRMS(j) && id[j] == 0 && LIVE(j) ->
            do
            :: LIVES(s, j) -> break
            :: else -> s++
            od;
            id[j] = s + 1
        :: IN_LRMS(j) && GONE(j) && reported[j] -> look_up(j, s, word); decide(j, word, REPORT(j))
        :: IN_LRMS(j) && GONE(j) && !reported[j] && record[j] && NEXT(n, EVENTS_WRITTEN) -> ENTER(n); STEP(n, j, EVENTS_WRITTEN); take(j, END)
        /* Another hand-over of the job was quicker: that is followed. */
        :: SILENTLY_GONE(j) && !CLAIMABLE(j) && fence[j] != id[j] -> id[j] = fence[j]
        :: SILENTLY_GONE(j) && !LIVE(j) && fence[j] == 0 && MAY_COME_LATE(j) -> fence[j] = OURS
        :: SILENTLY_GONE(j) && !LIVE(j) && !(fence[j] == 0 && MAY_COME_LATE(j)) && (CLAIMABLE(j) || fence[j] == id[j]) ->
            look_up(j, s, word);
            decide(j, word, SILENT)
        /* A cancel that was taken and not done is repeated. */
        :: IN_LRMS(j) && !GONE(j) && id[j] != 0 && cancel[j] && !BUSY(j) -> command[C(j, CANCEL)] = QUEUED
        fi;
        goto again
    }
}

/* A batch job and its wrapper, and what the batch system does to it. */
#define MAY_RUN(j) (fence[j] == 0 && MAY_CLAIM(j))
#ifdef REMOTE
#define MAY_CLAIM(j) (state[j] >= PENDING && state[j] <= RUNNING && !cancel[j])
#else
#define MAY_CLAIM(j) (sandbox[j])
#endif
proctype BatchJob(byte s) {
end_idle:
    do
    /* The wrapper claims, then begins the payload. */
#ifdef BREAK_FENCE
    :: atomic {
        batch[s] == WAITS ->
#else
    :: atomic {
        batch[s] == WAITS && !MAY_RUN(tag[s]) ->
#ifdef RESTORE
        /* A wrapper whose job's restored row says REGISTERED is sent away. */
        forgotten[tag[s]] = forgotten[tag[s]] | (state[tag[s]] == REGISTERED);
#endif
        batch[s] = OVER }
    :: atomic {
        batch[s] == WAITS && MAY_RUN(tag[s]) ->
#endif
        batch[s] = RUNS;
        fence[tag[s]] = s + 1;
        runs[tag[s]]++;
        assert(runs[tag[s]] <= 1);
        assert(!ENDED(tag[s]));
#ifdef REMOTE
        take(tag[s], RUN)
#else
        spool[tag[s]] = spool[tag[s]] | BEGUN
#endif
        }
    /* The payload ends. */
    :: atomic {
        batch[s] == RUNS ->
        batch[s] = OVER;
#ifdef REMOTE
        take(tag[s], END)
#else
        record[tag[s]] = sandbox[tag[s]];
        if
        :: spool[tag[s]] = spool[tag[s]] | END
        :: faults > 0 -> faults--
        fi
#endif
        }
    /* The worker node dies. */
    :: atomic { batch[s] == RUNS && faults > 0 -> faults--; forgotten[tag[s]] = 1; batch[s] = OVER }
    /* The batch system forgets: what waited never runs and its id is given again, what runs is not shown any more. */
    :: atomic { batch[s] == WAITS && faults > 0 -> faults--; forgotten[tag[s]] = 1; batch[s] = FREE }
    :: atomic { batch[s] == RUNS && !unseen[s] && faults > 0 -> faults--; forgotten[tag[s]] = 1; unseen[s] = 1 }
    od
}

/* Late submissions arrive, or never. Assumed: none arrives twice. */
proctype Network(byte j) {
    byte s;
end_idle:
    do
    :: atomic { late[j] > 0 -> late[j]--; arrive(j, s); s = 0 }
#ifdef TWICE
    :: atomic { late[j] > 0 && faults > 0 -> faults--; arrive(j, s); s = 0 }
#endif
    :: atomic { late[j] > 0 -> late[j]-- }
    od
}

/* Claims that are not renewed: of dead nodes, and of one that is cut off and lives. */
#define EXPIRES(k) \
    :: atomic { command[C(j, k)] == CLAIMED && !up[claimer[C(j, k)]] -> command[C(j, k)] = QUEUED } \
    :: atomic { \
        command[C(j, k)] == CLAIMED && up[claimer[C(j, k)]] && faults > 0 -> \
        faults--; \
        command[C(j, k)] = QUEUED }
proctype Expiry(byte j) {
end_idle:
    do
    EXPIRES(START)
    EXPIRES(CANCEL)
    EXPIRES(PURGE)
    od
}

#ifdef RESTORE
/* ce server restored: the database is as it was, everything else as it is. What was registered since is unknown. */
proctype Administrator() {
    byte j;
end_idle:
    atomic {
        kept == 0 ->
        do
        :: j < JOBS ->
            keptState[j] = state[j];
            keptHandOver[j] = handOver[j];
            keptId[j] = id[j];
            keptTried[j] = tried[j];
            keptReported[j] = reported[j];
            keptCancel[j] = cancel[j];
            keptFence[j] = fence[j];
            keptDeferred[j] = deferred[j];
            keptCommand[C(j, START)] = command[C(j, START)];
            keptCommand[C(j, CANCEL)] = command[C(j, CANCEL)];
            keptCommand[C(j, PURGE)] = command[C(j, PURGE)];
            j++
        :: else -> break
        od;
        j = 0;
        kept = 1
    };
end_made:
    atomic {
        kept == 1 && !up[0] && !up[1] ->
        do
        :: j < JOBS ->
            /* What is gone, or was to be cancelled, since: its end may be called a failure. So may one of which only the row knew. */
            forgotten[j] = forgotten[j] | (state[j] == PURGED) | (cancel[j] && !keptCancel[j]);
#ifdef REMOTE
            forgotten[j] = forgotten[j] | ENDED(j);
#endif
            state[j] = (keptState[j] == NONE && state[j] != NONE -> PURGED : keptState[j]);
            handOver[j] = keptHandOver[j];
            id[j] = keptId[j];
            tried[j] = keptTried[j];
            reported[j] = keptReported[j];
            asked[j] = cancel[j];
            cancel[j] = keptCancel[j];
            deferred[j] = keptDeferred[j];
            moved[j] = 0;
#ifdef REMOTE
            fence[j] = keptFence[j];
#endif
            command[C(j, START)] = (keptCommand[C(j, START)] == CLAIMED -> QUEUED : keptCommand[C(j, START)]);
            command[C(j, CANCEL)] = (keptCommand[C(j, CANCEL)] == CLAIMED -> QUEUED : keptCommand[C(j, CANCEL)]);
            command[C(j, PURGE)] = (keptCommand[C(j, PURGE)] == CLAIMED -> QUEUED : keptCommand[C(j, PURGE)]);
#ifndef BREAK_RESTORE
            if
            :: handOver[j] == 0 && (state[j] == REGISTERED || state[j] == PENDING) -> handOver[j] = 1; tried[j] = 0
            :: else
            fi;
#endif
            j++
        :: else -> break
        od;
        j = 0;
        kept = 2
    }
}
#endif

/* When nothing is left to be done: no command for ever, no job without an end, nothing left behind. */
proctype Judge() {
    byte j;
    timeout ->
    atomic {
        do
        :: j < JOBS ->
            assert(!BUSY(j));
            assert(state[j] <= REGISTERED || ENDED(j) || state[j] == PURGED);
            assert(!LIVE(j));
            assert(spool[j] == 0 && !trash[j] && !reported[j]);
#ifdef RESTORE
            assert(state[j] != PURGED || !sandbox[j] || keptState[j] == NONE);
#else
            assert(state[j] != PURGED || !sandbox[j]);
#endif
            assert(!deferred[j]);
            j++
        :: else -> break
        od
    }
}

init {
    byte i;
    atomic {
        run Node(0);
#ifdef REPLAY
        /* Of one node, whose calls are served at the same time. */
        run Requests(0);
        run Intake(0);
#else
        run Node(1);
        run Judge();
#endif
        do
        :: i < JOBS -> run Requests(i); run Intake(i); run Poller(i); run Network(i); run Expiry(i); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < COPIES -> run BatchJob(i); i++
        :: else -> break
        od;
#ifdef RESTORE
        run Administrator();
#endif
        i = 0
    }
}
