package org.gelato.ce.ws.gridftp;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The configuration file of the GridFTP server for this CE: authenticated clients only, nothing outside the sandboxes, no
 * command that changes modes, owners or links. Pure.
 */
record ServerConfiguration(GridFtpConfig site) {
    private static final Pattern SPECIAL = Pattern.compile("[\\x00- \",$#\\x7f]");
    // Seconds a client may be connected without saying who it is, and without saying anything.
    private static final int PATIENCE_STRANGER = 30;
    private static final int PATIENCE_IDLE = 300;
    // A job's files are the account's alone, whatever the client requests; and no client makes the server load drivers,
    // leave the
    // sandboxes' tree, share an account or send requests of its own. The server accepts any name without an error, so
    // each is
    // tried against the installed one (BlockedCommandsTest).
    static final List<String> BLOCKED = List.of(
            "SITE CHMOD",
            "SITE CHGRP",
            "SITE UTIME",
            "SITE SYMLINKFROM",
            "SITE SYMLINKTO",
            "SITE SHARING",
            "SITE SETDISKSTACK",
            "SITE SETNETSTACK",
            "SITE DSI",
            "SITE HTTP",
            "SITE CHROOT");

    /** @throws IllegalArgumentException for a path the server's grammar can't express */
    ServerConfiguration {
        for (Path path :
                List.of(site.sandboxRoot(), site.credential(), site.caDirectory(), site.gridmap(), site.log())) {
            if (SPECIAL.matcher(path.toString()).find()) {
                throw new IllegalArgumentException("the GridFTP server cannot be given the path " + path
                        + ": blanks, commas, quotes, # and $ have a meaning in its configuration");
            }
        }
    }

    String text() {
        List<String> lines = new ArrayList<>(List.of(
                "# Written by the CE at its start; changes are overwritten.",
                "port " + site.port(),
                "connections_max " + site.maxConnections(),
                "restrict_paths RW" + site.sandboxRoot(),
                "use_home_dirs 0",
                "allow_anonymous 0",
                // Pool accounts have no login; the map decides who has access.
                "allow_disabled_login 1",
                "disable_command_list \"" + String.join(",", BLOCKED) + "\"",
                "control_preauth_timeout " + PATIENCE_STRANGER,
                "control_idle_timeout " + PATIENCE_IDLE,
                "banner_terse 1",
                "perms 0600",
                "log_level ERROR,WARN,INFO",
                "log_single " + site.log(),
                "log_module stdio:interval=1",
                "log_filemode 0600",
                "$X509_USER_CERT " + site.credential(),
                "$X509_USER_KEY " + site.credential(),
                "$X509_CERT_DIR " + site.caDirectory(),
                "$GRIDMAP " + site.gridmap()));
        if (!site.address().isEmpty()) {
            lines.add("control_interface " + site.address());
            lines.add("data_interface " + site.address());
        }
        if (!site.dataPorts().isEmpty()) {
            lines.add("port_range " + site.dataPorts().replace('-', ','));
        }
        return String.join("\n", lines) + "\n";
    }
}
