package org.gelato.ce.ws.config;

import org.gelato.ce.core.base.Key;

/**
 * Sandboxes: who sees them, and what jobs may bring and leave over HTTPS.
 *
 * @param maxInput bytes of a job's uploaded input
 * @param maxOutput bytes of the output a job's wrapper uploads
 * @param maxBytesPerUser bytes of all uploads of one user that are stored; 0 for a quarter of the file system
 * @param maxFiles files of a job on each side
 * @param shared whether worker nodes see the sandboxes in a file system they share with the CE
 */
public record SandboxConfig(
        @Key(min = "1 B", max = "1 PiB") long maxInput,
        @Key(min = "1 B", max = "1 PiB") long maxOutput,
        @Key(min = "0 B", max = "1 PiB") long maxBytesPerUser,
        @Key(min = "1", max = "5000") int maxFiles,
        @Key boolean shared) {
    static final String SHARED = "gelato.sandbox.shared";
}
