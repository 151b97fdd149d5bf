package org.gelato.ce.core.account;

/** The file system or the account's quota on it is full; what was to be written is not there. */
public final class DiskFullException extends AccountCommandException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message) {
        super(Code.FAILED, message);
    }
}
