package org.gelato.ce.lrms.slurm;

/** Slurm was not reached, did not answer in time or answered what cannot be read: nothing is known, ask again later. */
public class SlurmException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SlurmException(String message) {
        super(message);
    }

    public SlurmException(String message, Throwable cause) {
        super(message, cause);
    }
}
