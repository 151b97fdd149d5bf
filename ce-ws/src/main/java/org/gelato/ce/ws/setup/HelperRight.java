package org.gelato.ce.ws.setup;

import java.nio.file.Path;
import java.util.List;

/**
 * How the helper may get its right to run jobs as their accounts. Pure.
 *
 * @param root whether {@code ce server init} runs as root
 * @param sudo whether sudo is installed
 * @param setcap whether setcap is installed
 * @param directory where helper.conf is written
 */
record HelperRight(boolean root, boolean sudo, boolean setcap, Path directory) {
    static final List<String> ALL = List.of("sudo", "capabilities", "own");
    /** A helper with capabilities reads no other helper.conf. */
    private static final Path OF_CAPABILITIES = Path.of("/etc/gelato");

    /** What this host has. */
    static HelperRight found(SetupOptions options) {
        return new HelperRight(
                Rights.isRoot(),
                SiteFinder.program("sudo") != null,
                SiteFinder.program("setcap") != null,
                options.directory);
    }

    /** What needs no choice; null when one must be made. */
    String proposal() {
        if (!root) {
            return "own";
        }
        if (sudo) {
            return "sudo";
        }
        return setcap && allowsCapabilities() ? "capabilities" : null;
    }

    /** What is wrong with a response; null for nothing. */
    String problem(String response) {
        if (!ALL.contains(response)) {
            return "'" + response + "' is none of " + String.join(", ", ALL);
        }
        return response.equals("capabilities") && !allowsCapabilities()
                ? "with capabilities the helper reads " + OF_CAPABILITIES.resolve("helper.conf")
                        + " alone: leave --directory out, or choose --helper sudo or --helper own"
                : null;
    }

    /** What to do where nothing usable was chosen. */
    String unknown() {
        if (proposal() != null) {
            return "the helper's right is not known: name it by --helper";
        }
        if (setcap) {
            return "sudo is not installed, and capabilities need the directory " + OF_CAPABILITIES
                    + ": install sudo, leave --directory out, or choose --helper own";
        }
        return "neither sudo nor setcap is installed: install sudo"
                + (allowsCapabilities() ? " or libcap2-bin (EL: libcap)" : "") + ", or choose --helper own";
    }

    private boolean allowsCapabilities() {
        return directory.equals(OF_CAPABILITIES);
    }
}
