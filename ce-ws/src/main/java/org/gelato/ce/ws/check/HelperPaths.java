package org.gelato.ce.ws.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.blahbridge.TrustedPath;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.HelperCommand;

/**
 * Paths of the helper's configuration that a helper of root refuses, as somebody else than root could lead it elsewhere. It says so when
 * it starts, or when the first job needs what it left out; here it is said before, with what to type.
 */
final class HelperPaths {
    private static final String CONFIG = "gelato.helper.config";
    private static final String SANDBOXES = "gelato.sandbox-root";
    private static final int MAX_FILE = 64 * 1024;

    private final Findings findings;

    private HelperPaths(Findings findings) {
        this.findings = findings;
    }

    static void run(CeConfig config, Findings findings) {
        HelperPaths paths = new HelperPaths(findings);
        // A helper of the site's own gets root by its command, or has nothing to ask of it.
        if (config.helper().command().isEmpty() && !isRoot()) {
            return;
        }
        Path file = config.helper().config();
        if (file != null) {
            paths.starts(CONFIG, "the configuration", TrustedPath.ofFile(file), file);
        }
        paths.starts(
                SANDBOXES, "the sandbox root", TrustedPath.ofDirectory(config.sandboxRoot()), config.sandboxRoot());
        for (String line : file == null ? new HelperCommand(config).limits() : lines(file)) {
            int equals = line.indexOf('=');
            if (equals > 0 && !line.startsWith("#")) {
                paths.line(
                        line.substring(0, equals).strip(),
                        line.substring(equals + 1).strip());
            }
        }
    }

    private static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Nothing where {@link HelperCheck} says what is wrong with the file. */
    private static List<String> lines(Path file) {
        try {
            return Files.size(file) > MAX_FILE ? List.of() : Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return List.of();
        }
    }

    private void line(String key, String value) {
        if (key.equals("job_cgroup") && value.startsWith("/")) {
            TrustedPath.ofDirectory(Path.of(value))
                    .ifPresent(fault -> report(
                            CONFIG,
                            "the helper leaves out the line job_cgroup=" + value
                                    + ", so that jobs run in the control group of the CE",
                            fault));
        } else if (key.equals("service_directory") && value.startsWith("/")) {
            starts(CONFIG, key, TrustedPath.ofDirectory(Path.of(value)), Path.of(value));
        } else if (key.equals("self_executable") || key.equals("service")) {
            for (Path word : words(value)) {
                TrustedPath.ofFile(word)
                        .ifPresent(fault -> report(
                                CONFIG,
                                "the helper leaves out the line " + key + "=" + value
                                        + ", so that it refuses this command",
                                fault));
            }
        }
    }

    private static List<Path> words(String line) {
        List<Path> words = new ArrayList<>();
        for (String word : line.split(" +", -1)) {
            if (word.startsWith("/")) {
                words.add(Path.of(word));
            }
        }
        return words;
    }

    private void starts(String key, String what, Optional<TrustedPath.Fault> fault, Path path) {
        fault.ifPresent(found -> report(key, "the helper does not start with " + what + " " + path, found));
    }

    private void report(String key, String consequence, TrustedPath.Fault fault) {
        findings.error(
                key,
                consequence + ": " + fault.place() + " " + fault.what()
                        + (fault.mode().isEmpty() ? "" : ", its mode is " + fault.mode()),
                fault.command().isEmpty()
                        ? "name a path whose directories and links all belong to root ("
                                + Manual.page("docs/developer/helper.md") + ")"
                        : "run: " + fault.command()
                                + "; or name a path whose directories and links all belong to root ("
                                + Manual.page("docs/developer/helper.md") + ")");
    }
}
