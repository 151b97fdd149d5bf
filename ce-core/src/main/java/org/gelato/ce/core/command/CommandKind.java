package org.gelato.ce.core.command;

/** The commands of docs/developer/protocol/behaviour.md section 2. The ordinals are the codes in the database: never reorder them. */
public enum CommandKind {
    JOB_REGISTER,
    JOB_START,
    JOB_CANCEL,
    JOB_PURGE,
    JOB_SUSPEND,
    JOB_RESUME,
    JOB_SET_LEASEID,
    PROXY_RENEW;

    public int code() {
        return ordinal();
    }

    /** @throws ArrayIndexOutOfBoundsException for a code the database should not hold */
    public static CommandKind ofCode(int code) {
        return values()[code];
    }
}
