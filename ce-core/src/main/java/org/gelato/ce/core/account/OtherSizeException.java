package org.gelato.ce.core.account;

/** A file does not end where its writer expects: another client wrote, or a response was lost. Nothing was done. */
public final class OtherSizeException extends AccountCommandException {
    private static final long serialVersionUID = 1L;

    private final long size;

    /**
     * @param size the size the file has, in bytes; 0 for an absent one
     */
    public OtherSizeException(String message, long size) {
        super(Code.FAILED, message);
        this.size = size;
    }

    /** The size the file has, in bytes; 0 for an absent one. */
    public long size() {
        return size;
    }
}
