package org.gelato.ce.testkit.site;

import java.util.Map;

/** Demo and tests run on machines whose load and disks are not theirs to judge. */
public final class HostLimitsOff {
    private HostLimitsOff() {}

    /** Switches the limits of the host off in a configuration. */
    public static void in(Map<String, Object> configuration) {
        for (String key : new String[] {
            "load-1-minute", "load-5-minutes", "load-15-minutes", "memory", "swap", "disk", "free-descriptors"
        }) {
            configuration.put("gelato.admission." + key, -1);
        }
    }
}
