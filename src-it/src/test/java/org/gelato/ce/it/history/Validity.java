package org.gelato.ce.it.history;

/** What the credentials of a call were worth while it was under way: those of its client, and the delegation that it names. */
enum Validity {
    /** They had not ended when its answer came. */
    VALID,
    ENDING,
    /** They had ended well before it began. */
    ENDED
}
