package org.gelato.ce.ws.gridftp;

import java.nio.file.Path;
import org.gelato.ce.core.base.Key;

/**
 * The GridFTP server beside the CE.
 *
 * @param enabled whether there is one
 * @param host the CE's name, which clients get in URLs
 * @param address to listen on; empty for all
 * @param port of its control connections
 * @param command the server's program
 * @param dataPorts {@code low-high}; empty for any
 * @param maxConnections clients at once
 * @param config the server's configuration, kept by the site; null for one the CE writes
 * @param home directory for what the CE writes; made when absent
 * @param sandboxRoot below it lie the sandboxes of all jobs
 * @param caDirectory trust anchors
 */
public record GridFtpConfig(
        @Key boolean enabled,
        String host,
        String address,
        @Key(min = "1", max = "65535") int port,
        @Key Path command,

        @Key(form = "[1-9][0-9]{0,4}-[1-9][0-9]{0,4}", accepted = DATA_PORTS, optional = true)
        String dataPorts,

        @Key(min = "1", max = "10000") int maxConnections,
        @Key(optional = true) Path config,
        Path home,
        Path sandboxRoot,
        Path caDirectory) {
    /** What is accepted as {@link #dataPorts}. */
    public static final String DATA_PORTS = "empty or a range of ports such as \"50000-51000\"";

    /** The configuration file the server is started with. */
    Path file() {
        return config == null ? home.resolve("gridftp.conf") : config;
    }

    /** Where the CE writes host certificate and key for the server. */
    Path credential() {
        return home.resolve("hostcredential.pem");
    }

    /** Where the CE writes whom the server maps to which account. */
    Path gridmap() {
        return home.resolve("grid-mapfile");
    }

    /** Where the server writes what it does. */
    Path log() {
        return home.resolve("gridftp.log");
    }
}
