package org.gelato.ce.core.wrapper;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.gelato.ce.core.job.JobId;

/**
 * The secret a job wrapper authenticates its events with: an HMAC of the job's id under a key of this CE. It needs no
 * column and no read: an event is believed or dropped before the database hears of it, and a new hand-over of the same job
 * has the same secret, so the events of whichever wrapper claimed the job are believed. Thread-safe.
 */
public final class WrapperTokens {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int TOKEN_BYTES = 16;

    private final SecretKeySpec key;

    /**
     * @param secret at least 16 bytes, the same for all nodes of a CE and over restarts
     */
    public WrapperTokens(byte[] secret) {
        if (secret.length < 16) {
            throw new IllegalArgumentException("the wrapper secret must have at least 16 bytes");
        }
        key = new SecretKeySpec(secret.clone(), ALGORITHM);
    }

    /** The job's secret, 32 hexadecimal digits. */
    public String of(JobId job) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] digest = mac.doFinal(("wrapper-event:" + job).getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest, 0, TOKEN_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** Whether a claimed secret is the job's; takes the same time for every wrong one. */
    public boolean matches(JobId job, String claimed) {
        return MessageDigest.isEqual(
                of(job).getBytes(StandardCharsets.US_ASCII), claimed.getBytes(StandardCharsets.UTF_8));
    }
}
