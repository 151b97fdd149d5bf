package org.gelato.ce.ws.config;

import org.gelato.ce.core.admission.AdmissionLimits;
import org.gelato.ce.core.admission.HostLimits;

/** Reads the limits beyond which no new jobs come in. */
final class AdmissionKeys {
    private static final String BLOCK = "gelato.admission.";
    private static final int PERCENT = 100;
    private static final int MOST = 1_000_000_000;
    private static final int OFF = -1;

    private AdmissionKeys() {}

    static AdmissionLimits read(ConfigReader r) {
        int ftp = r.number(BLOCK + "gridftp-connections", OFF, MOST);
        return new AdmissionLimits(
                new HostLimits(
                        r.number(BLOCK + "load-1-minute", OFF, MOST),
                        r.number(BLOCK + "load-5-minutes", OFF, MOST),
                        r.number(BLOCK + "load-15-minutes", OFF, MOST),
                        r.number(BLOCK + "memory", OFF, PERCENT),
                        r.number(BLOCK + "swap", OFF, PERCENT),
                        r.number(BLOCK + "free-descriptors", OFF, MOST),
                        r.number(BLOCK + "disk", OFF, PERCENT),
                        r.flag("gelato.gridftp.enabled") ? ftp : OFF),
                r.number(BLOCK + "open-descriptors", OFF, MOST),
                r.number(BLOCK + "active-jobs", OFF, MOST),
                r.number(BLOCK + "pending-commands", OFF, MOST),
                r.number(BLOCK + "jobs-per-call", OFF, MOST));
    }
}
