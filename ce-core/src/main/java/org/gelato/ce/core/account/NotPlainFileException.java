package org.gelato.ce.core.account;

/** What has the name cannot be read, now or later: no regular file, a link on the way, or not the account's to read. */
public final class NotPlainFileException extends AccountCommandException {
    private static final long serialVersionUID = 1L;

    public NotPlainFileException(String message) {
        super(Code.REFUSED, message);
    }
}
