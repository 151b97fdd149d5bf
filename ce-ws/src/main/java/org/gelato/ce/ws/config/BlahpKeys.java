package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.blahbridge.blahp.BlahpConfig;

/** Reads how a site's own blahpd is reached. */
final class BlahpKeys {
    private static final String COMMAND = "gelato.lrms.blahp.command";
    private static final String LOG = "gelato.lrms.blahp.accounting-log";
    private static final String TYPE = "gelato.lrms.blahp.grid-type";
    private static final Pattern GRID_TYPE = Pattern.compile("[a-z][a-z0-9_]{0,15}");

    private BlahpKeys() {}

    static BlahpConfig read(ConfigReader r, Duration commandTimeout) {
        List<String> command = r.texts(COMMAND);
        if (command.isEmpty() || !command.get(0).startsWith("/")) {
            r.refuse(COMMAND, "the absolute path of blahpd and its arguments");
        }
        String gridType = r.text(TYPE, GRID_TYPE, "the name of blahpd's scripts, for example lsf");
        if (gridType.isEmpty()) {
            r.refuse(TYPE, "the name of blahpd's scripts, for example lsf");
        }
        Path log = r.optionalPath(LOG);
        if (log == null) {
            r.refuse(LOG, "the path of blahpd's log of submissions, without its date");
        }
        return new BlahpConfig(
                command,
                gridType,
                r.flag("gelato.lrms.blahp.sudo"),
                System.getProperty("user.name"),
                r.number("gelato.lrms.blahp.host-smp-size", 1, 10_000),
                log,
                commandTimeout);
    }
}
