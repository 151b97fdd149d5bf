package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.gelato.ce.ws.gridftp.GridFtpConfig;

/** Reads what the GridFTP server beside the CE needs. */
final class GridFtpKeys {
    private static final Pattern PORTS = Pattern.compile("[1-9][0-9]{0,4}-[1-9][0-9]{0,4}");
    private static final String DATA_PORTS = "gelato.gridftp.data-ports";
    private static final int MAX_PORT = 65_535;

    private GridFtpKeys() {}

    /** @param home of the CE */
    static GridFtpConfig read(
            ConfigReader r, String host, String address, Path home, Path sandboxRoot, TlsSettings tls) {
        return new GridFtpConfig(
                r.flag("gelato.gridftp.enabled"),
                host,
                address,
                r.number("gelato.gridftp.port", 1, MAX_PORT),
                r.path("gelato.gridftp.command"),
                dataPorts(r),
                r.number("gelato.gridftp.max-connections", 1, 10_000),
                r.optionalPath("gelato.gridftp.config"),
                home.resolve("gridftp"),
                sandboxRoot,
                tls.caDirectory());
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
