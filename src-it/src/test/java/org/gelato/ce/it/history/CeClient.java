package org.gelato.ce.it.history;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** A protocol as one owner speaks it. Every call is sent once; an {@link IOException} leaves open what became of it. */
interface CeClient {
    /** Of a delegated proxy that outlives the history. */
    Duration LONG = Duration.ofHours(2);

    /** In the refusal of a delegation that took effect, but for its file. */
    String UNWRITTEN = "its file is still to be written";

    /** What the protocol has. */
    Set<Operation> operations();

    /** What the owner shows. */
    Wallet wallet();

    /**
     * Delegates a proxy.
     *
     * @param id as the client wants it, where the protocol lets it choose
     * @return with the delegation's id as text
     */
    Answer delegate(String id, Duration lifetime) throws IOException;

    Answer renew(String delegation) throws IOException;

    /**
     * Makes a job.
     *
     * @param key the same for each sending of one registration, where the protocol has keys
     * @param lease empty for none, as everywhere where the protocol has no leases
     * @return with the job's local id as text
     */
    Answer make(Operation operation, String description, String delegation, String key, String lease)
            throws IOException;

    /** Start, cancel and the like of one job. */
    Answer command(Operation operation, String job) throws IOException;

    Answer status(String job) throws IOException;

    /** An operation on a lease, where the protocol has leases. */
    Answer lease(Operation operation, String lease) throws IOException;

    /** Gives a job to a lease. */
    Answer attach(String job, String lease) throws IOException;

    /**
     * Reads messages, where the client can.
     *
     * @param job null for all jobs of the owner
     * @param after the number of the last message that was read; 0 for the beginning
     */
    Answer messages(String job, long after, int most) throws IOException;

    Answer list() throws IOException;

    /** @param from the first number */
    Answer events(long from, int most) throws IOException;
}
