package org.gelato.ce.core.account;

/** The helper refused the work or it failed; nothing was done, or the message says what was done. */
public class AccountCommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What kind of failure it was. */
    public enum Code {
        NO_SUCH_FILE,
        /** The account, program or path is not allowed by the helper's configuration. */
        REFUSED,
        /** The work was tried and failed; the message contains the system's error. */
        FAILED,
        /** Too much was requested at once; try again later. */
        BUSY
    }

    private final Code code;

    public AccountCommandException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    /** Whether the helper took no work, of any account; other failures may be one account's. */
    public static boolean isBusy(Throwable failure) {
        return failure instanceof AccountCommandException known && known.code() == Code.BUSY;
    }
}
