package org.gelato.ce.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ce glue2}: the CE on this host as LDIF. Prints the file that the CE writes and connects to nothing: a BDII waits for its
 * providers, and drops the entries of one that is late. So it also prints all or nothing.
 */
@Command(
        name = "glue2",
        mixinStandardHelpOptions = true,
        description = "Prints the CE on this host as GLUE 2.0 in LDIF: a provider for a BDII.",
        footer = {
            "",
            "The CE writes the file every minute when gelato.information.site is set. One of more than ten minutes is of a CE that",
            "does not run: nothing is printed, so that its entries go.",
            "Exit code: 0 printed, 1 no such file, an old one or one that cannot be read, 2 wrong command line."
        })
public final class Glue2Command implements Callable<Integer> {
    private static final String FILE = "/var/lib/gelato/glue2.ldif";

    /** Twice the longest interval between two writes. */
    static final Duration OLDEST = Duration.ofMinutes(10);

    /** What a site's BDII takes from all its CEs. */
    private static final int MAX_BYTES = 25_000_000;

    private final CliContext context;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "gelato.information.file of the CE. Default: $CE_GLUE2_FILE, else " + FILE + ".")
    private Path file;

    public Glue2Command(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Path path = context.workingDirectory()
                .resolve(
                        file == null
                                ? Path.of(CommonOptions.setting(context.environment(), "CE_GLUE2_FILE")
                                        .orElse(FILE))
                                : file);
        byte[] text;
        try (InputStream in = Files.newInputStream(path)) {
            Instant written = Files.getLastModifiedTime(path).toInstant();
            if (written.plus(OLDEST).isBefore(context.clock().instant())) {
                return failed(path + " is of " + written + ", so the CE does not run: see systemctl status gelato-ce");
            }
            text = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            return failed(path + " is not there: set gelato.information.site and start the CE, or name its"
                    + " gelato.information.file by --file");
        } catch (IOException e) {
            return failed(path + " cannot be read by this account: " + e.getMessage());
        }
        if (text.length > MAX_BYTES) {
            return failed(path + " has more than " + MAX_BYTES + " bytes, so it is none of the CE's: check --file");
        }
        context.out().write(text, 0, text.length);
        context.out().flush();
        return ExitCode.OK;
    }

    private int failed(String why) {
        context.err().println("ce glue2: " + Printable.line(why));
        return ExitCode.FAILED;
    }
}
