package org.gelato.ce.core.command;

/** The commands of docs/developer/protocol/behaviour.md section 2. Codes are stored: never renumber them. */
public enum CommandKind {
    JOB_REGISTER(0),
    JOB_START(1),
    JOB_CANCEL(2),
    JOB_PURGE(3),
    JOB_SUSPEND(4),
    JOB_RESUME(5),
    JOB_SET_LEASEID(6),
    PROXY_RENEW(7);

    private final int code;

    CommandKind(int code) {
        this.code = code;
    }

    public int code() {
        return code;
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
