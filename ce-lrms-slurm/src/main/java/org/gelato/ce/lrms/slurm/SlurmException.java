package org.gelato.ce.lrms.slurm;

/** Slurm was not reached, did not respond in time or returned what cannot be parsed: nothing is known, retry later. */
public class SlurmException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SlurmException(String message) {
        super(message);
    }

    public SlurmException(String message, Throwable cause) {
        super(message, cause);
    }
}
