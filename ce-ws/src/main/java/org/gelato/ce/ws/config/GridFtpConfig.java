package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The GridFTP server beside the CE.
 *
 * @param enabled whether there is one
 * @param port of its control connections
 * @param command the server's program
 * @param dataPorts {@code low-high}; empty for any
 * @param maxConnections clients at once
 * @param config the server's configuration, kept by the site; null for one the CE writes
 */
public record GridFtpConfig(
        boolean enabled, int port, Path command, String dataPorts, int maxConnections, Path config) {
    private static final Pattern PORTS = Pattern.compile("[1-9][0-9]{0,4}-[1-9][0-9]{0,4}");
    private static final String DATA_PORTS = "gelato.gridftp.data-ports";
    private static final int MAX_PORT = 65_535;

    static GridFtpConfig read(ConfigReader r) {
        return new GridFtpConfig(
                r.flag("gelato.gridftp.enabled"),
                r.number("gelato.gridftp.port", 1, MAX_PORT),
                r.path("gelato.gridftp.command"),
                dataPorts(r),
                r.number("gelato.gridftp.max-connections", 1, 10_000),
                r.optionalPath("gelato.gridftp.config"));
    }

    private static String dataPorts(ConfigReader r) {
        String accepted = "empty or a range of ports such as \"50000-51000\"";
        String ports = r.text(DATA_PORTS, PORTS, accepted);
        if (!ports.isEmpty()) {
            int dash = ports.indexOf('-');
            int last = Integer.parseInt(ports.substring(dash + 1));
            if (Integer.parseInt(ports.substring(0, dash)) > last || last > MAX_PORT) {
                r.refuse(DATA_PORTS, accepted);
            }
        }
        return ports;
    }
}
