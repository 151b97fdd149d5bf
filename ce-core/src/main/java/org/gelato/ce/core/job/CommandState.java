package org.gelato.ce.core.job;

/** The states of a command, by the wire's names; the ordinal is the database code. */
public enum CommandState {
    /** Waits for an earlier command of its job, or was put off and waits for its run_after. */
    CREATED,
    /** Waits for a node that claims it. */
    QUEUED,
    /** Claimed by a node. */
    PROCESSING,
    /** Done; the wire spells it so. */
    SUCCESSFULL,
    /** Its job was in a wrong state, or the batch system refused. */
    ERROR,
    ABORTED;

    /** The number that stands for it in the database. */
    public int code() {
        return ordinal();
    }
}
