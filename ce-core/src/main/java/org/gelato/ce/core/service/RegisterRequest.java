package org.gelato.ce.core.service;

import java.util.List;
import org.gelato.ce.core.fault.ServiceException;

/**
 * One call of JobRegister.
 *
 * @param descriptions in the request's order
 * @param iceId the WMS instance of the header; null when absent
 * @param key the {@code Idempotency-Key}: its repetition by the same owner within a day gives the same result and
 *     registers nothing; null for a call that registers each time
 * @param rules of the protocol of the call
 * @param queue of all jobs, for descriptions that name none; null when the request names none
 * @param instances jobs of each description, 1 or more; 1 for a call with a key
 */
public record RegisterRequest(
        List<JobDescription> descriptions, String iceId, String key, Rules rules, String queue, int instances) {
    /** Longest key, in characters. */
    public static final int MAX_KEY = 255;

    /** What a protocol expects of a registration. */
    public enum Rules {
        /**
         * Each job has a delegation, unless its caller shows a bearer token (docs/developer/decisions/0071), and one that is started is
         * started whatever its client is still to upload.
         */
        CREAM,
        /** A job may have no delegation, and is started when everything is there that its client uploads. */
        ARC
    }

    /** A request by the rules of CREAM. */
    public RegisterRequest(List<JobDescription> descriptions, String iceId, String key) {
        this(descriptions, iceId, key, Rules.CREAM, null, 1);
    }

    /**
     * A request by the rules of ARC.
     *
     * @param queue null when the request names none
     */
    public static RegisterRequest arc(List<JobDescription> descriptions, String queue) {
        return arc(descriptions, queue, 1);
    }

    /**
     * The same with several jobs of each description, one after another.
     *
     * @param queue null when the request names none
     */
    public static RegisterRequest arc(List<JobDescription> descriptions, String queue, int instances) {
        return new RegisterRequest(descriptions, null, null, Rules.ARC, queue, instances);
    }

    /**
     * Checks the key.
     *
     * @throws ServiceException INVALID_ARGUMENT for a key that is not 1 to 255 visible ASCII characters
     */
    public RegisterRequest {
        descriptions = List.copyOf(descriptions);
        if (instances < 1 || (key != null && instances > 1)) {
            throw new IllegalArgumentException(instances + " instances");
        }
        if (key != null && !isKey(key)) {
            // The key itself is not repeated: it may hold anything, and a lot of it.
            throw ServiceException.invalid(
                    "Idempotency-Key must be one value of 1 to " + MAX_KEY + " visible ASCII characters");
        }
    }

    private static boolean isKey(String key) {
        return !key.isEmpty() && key.length() <= MAX_KEY && key.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    /** Jobs of the call. */
    long jobs() {
        return (long) descriptions.size() * instances;
    }

    /** Whether a WMS instance calls. */
    boolean fromIce() {
        return iceId != null && !iceId.isBlank();
    }
}
