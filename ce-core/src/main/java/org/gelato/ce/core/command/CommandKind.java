package org.gelato.ce.core.command;

/** The commands of contract/behaviour.md section 2. Codes are stored: never renumber them. */
public enum CommandKind {
    JOB_REGISTER(0, Priority.NORMAL),
    JOB_START(1, Priority.NORMAL),
    JOB_CANCEL(2, Priority.SOON),
    JOB_PURGE(3, Priority.LATE),
    JOB_SUSPEND(4, Priority.SOON),
    JOB_RESUME(5, Priority.SOON),
    JOB_SET_LEASEID(6, Priority.NORMAL),
    PROXY_RENEW(7, Priority.NORMAL);

    /** Smaller runs sooner; the numbers are stored. */
    enum Priority {
        SOON,
        NORMAL,
        LATE
    }

    private final int code;
    private final Priority priority;

    CommandKind(int code, Priority priority) {
        this.code = code;
        this.priority = priority;
    }

    public int code() {
        return code;
    }

    /** The number the queue is ordered by. */
    public int priority() {
        return priority.ordinal();
    }

    /**
     * The kind of a stored code.
     *
     * @throws IllegalArgumentException for a code the database should not hold
     */
    public static CommandKind ofCode(int code) {
        for (CommandKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no command has code " + code);
    }
}
