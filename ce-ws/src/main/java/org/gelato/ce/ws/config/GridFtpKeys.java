package org.gelato.ce.ws.config;

import java.nio.file.Path;
import org.gelato.ce.ws.gridftp.GridFtpConfig;

/** Reads what the GridFTP server beside the CE needs. */
final class GridFtpKeys {
    private static final int MAX_PORT = 65_535;

    private GridFtpKeys() {}

    /** @param home of the CE */
    static GridFtpConfig read(Binder r, String host, String address, Path home, Path sandboxRoot, TlsSettings tls) {
        GridFtpConfig config = r.read(
                "gelato.gridftp",
                GridFtpConfig.class,
                host,
                address,
                home.resolve("gridftp"),
                sandboxRoot,
                tls.caDirectory());
        String ports = config.dataPorts();
        if (!ports.isEmpty()) {
            int dash = ports.indexOf('-');
            int last = Integer.parseInt(ports.substring(dash + 1));
            if (Integer.parseInt(ports.substring(0, dash)) > last || last > MAX_PORT) {
                r.refuse("gelato.gridftp.data-ports", GridFtpConfig.DATA_PORTS);
            }
        }
        return config;
    }
}
