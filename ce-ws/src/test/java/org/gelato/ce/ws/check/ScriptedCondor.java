package org.gelato.ce.ws.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The commands of an HTCondor without nodes as scripts, for checks of a site. */
public final class ScriptedCondor {
    private ScriptedCondor() {}

    /**
     * Writes them.
     *
     * @param bin where accounts may pass
     * @param queue what condor_q does
     */
    public static void in(Path bin, String queue) throws IOException {
        for (String name : List.of("submit", "rm", "hold", "release", "suspend", "continue", "qedit", "history")) {
            program(bin.resolve("condor_" + name), "exit 0");
        }
        program(bin.resolve("condor_q"), queue);
        program(bin.resolve("condor_status"), "[ \"$1\" != -af:t ] || printf 'example.org\\texample.org\\n'");
        program(
                bin.resolve("condor_config_val"),
                "case $1 in HISTORY) echo /spool/history ;; SCHEDD_HOST) exit 1 ;; *) echo example.org ;; esac");
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
