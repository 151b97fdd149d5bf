package org.gelato.ce.ws.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.ws.gridftp.GridFtp;

/**
 * The command line that starts the helper: the site's own, or the helper that comes with this software with limits written
 * for the configured batch system. Called once, at start.
 */
public final class HelperCommand {
    // Of submissions and cancels; listings come in pieces and have a bound of their own.
    private static final int MAX_OUTPUT = 1 << 20;

    private final CeConfig config;

    public HelperCommand(CeConfig config) {
        this.config = config;
    }

    /**
     * Program and arguments.
     *
     * @throws IOException when the helper that comes with this software cannot be unpacked or given its limits
     */
    public List<String> line() throws IOException {
        return line(config.home().resolve("helper"));
    }

    /**
     * {@link #line()} with another place for the helper that comes with this software and its limits.
     *
     * @throws IOException as {@link #line()}
     */
    public List<String> line(Path home) throws IOException {
        List<String> line = new ArrayList<>(config.helper().command());
        Path limits = config.helper().config();
        if (line.isEmpty()) {
            line.add(HelperBinary.extract(home).toString());
            limits = limits == null ? written(home) : limits;
        }
        if (limits != null) {
            line.addAll(List.of("-c", limits.toString()));
        }
        return line;
    }

    /**
     * Puts the helper's program, {@code gelato-helper}, into a directory that only its owner can write.
     *
     * @throws IOException also when there is no program for this machine
     */
    public static Path unpack(Path directory) throws IOException {
        return HelperBinary.extract(directory);
    }

    private Path written(Path home) throws IOException {
        Path file = home.resolve("helper.conf");
        Files.write(file, limits());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    /** The lines of a helper's configuration that suffice for the configured batch system. */
    public List<HelperLine> lines() {
        List<HelperLine> lines = new ArrayList<>(List.of(
                HelperLine.of("sandbox_root", config.sandboxRoot().toString()),
                HelperLine.of("min_uid", "1000"),
                HelperLine.of("max_output", Integer.toString(MAX_OUTPUT))));
        lines.addAll(config.lrms().site().helperLines());
        if (config.gridFtp().enabled()) {
            lines.add(HelperLine.of("service", String.join(" ", GridFtp.serviceLine(config.gridFtp()))));
        }
        return lines;
    }

    /** {@link #lines()} as texts, {@code key=value} each. */
    public List<String> limits() {
        return lines().stream().map(HelperLine::text).toList();
    }
}
