package org.gelato.ce.ws.config;

/**
 * Sandboxes: who sees them, and what jobs may bring and leave over HTTPS.
 *
 * @param maxInput bytes of a job's uploaded input
 * @param maxOutput bytes of the output a job's wrapper uploads
 * @param maxOfUser bytes of all uploads of one user that are stored; 0 for a quarter of the file system
 * @param maxFiles files of a job on each side
 * @param shared whether worker nodes see the sandboxes in a file system they share with the CE
 */
public record SandboxConfig(long maxInput, long maxOutput, long maxOfUser, int maxFiles, boolean shared) {
    static final String SHARED = "gelato.sandbox.shared";
    private static final long MOST = 1L << 50;

    static SandboxConfig read(ConfigReader r) {
        return new SandboxConfig(
                r.bytes("gelato.sandbox.max-input", 1, MOST),
                r.bytes("gelato.sandbox.max-output", 1, MOST),
                r.bytes("gelato.sandbox.max-bytes-per-user", 0, MOST),
                r.number("gelato.sandbox.max-files", 1, 5_000),
                r.flag(SHARED));
    }
}
