package org.gelato.ce.core.account;

/** The channel broke before the result came: the work may or may not have been done. */
public class ChannelLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ChannelLostException(String message) {
        super(message);
    }

    public ChannelLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
