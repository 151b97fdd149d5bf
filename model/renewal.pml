/*
 * The renewal of a delegation: a proxy that was stored reaches its file, whatever dies. A model of its own, as nothing in it
 * meets the hand-over of jobs. How to read it: as handover.pml.
 */
#ifndef FAULTS
#define FAULTS 3
#endif
#define STEP(step) skip
#define LATEST 2

byte row = 0;           /* the proxy in the database, by its number */
byte file = 0;          /* the one in the file */
bit written = 1;        /* the row is marked as written */
byte request = 0;       /* the proxy that a stored request is for; 0: none */
bit known[LATEST + 1];  /* the client has the response */
byte faults = FAULTS;

#define CRASH atomic { faults > 0 -> faults--; goto crash }

/* Assumed: two do not write one file at once, the one an older proxy, and die before they see it (TWO_WRITERS). */
/* Who stored a proxy, a start or a sweep writes what the row has, and marks it unless the row has another by then. */
proctype Writer() {
    byte proxy;
crash:
    proxy = 0;
end_idle:
    atomic { !written -> proxy = row };
    do
    :: atomic { file = proxy; STEP(PROXY_FILE_WRITTEN) };
        if
        :: CRASH
        :: atomic {
#ifdef BREAK_MARK
            written = 1;
#else
            written = (row == proxy -> 1 : written);
#endif
            STEP(PROXY_MARKED);
            if
            :: row == proxy -> goto crash
            :: row != proxy -> proxy = row
            fi }
        fi
    :: CRASH
    od
}

/* A client renews, and repeats what got no response. */
proctype Client() {
    byte next = 1;
crash:
    do
    :: next <= LATEST ->
        if
        :: CRASH
        :: atomic { request = next; STEP(RENEW_REQUESTED) }
        fi;
        if
        :: CRASH
        :: atomic {
            STEP(PROXY_CHECKED);
            row = next;
            written = 0;
            request = 0;
            STEP(PROXY_STORED) }
        fi;
        if
        :: atomic { known[next] = 1; next++ }
        :: atomic { faults > 0 -> faults--; next++ }
        fi
    :: else -> break
    od
}

active proctype Judge() {
    timeout ->
    assert(written && file == row);
    assert(!known[LATEST] || row == LATEST)
}

init {
    atomic {
        run Writer();
#ifdef TWO_WRITERS
        run Writer();
#endif
        run Client()
    }
}
