package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.gelato.ce.ws.check.SupportBundle;
import org.gelato.ce.ws.setup.SetupException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce server doctor}: collects a support bundle. */
@Command(
        name = "doctor",
        description = "Collect what helps to find out why the CE does not work, without secrets, in one file.")
final class Doctor extends ServerCommand.Configured {
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The bundle, a zip file. Default: gelato-doctor-TIME.zip in the working directory.")
    private Path out;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description =
                    "A file with the server's output, whose end is added; under systemd: journalctl -u gelato-ce > FILE.")
    private Path log;

    @Override
    public Integer call() throws IOException {
        Path target =
                out == null ? Path.of("gelato-doctor-" + NAME.format(LocalDateTime.now(ZoneOffset.UTC)) + ".zip") : out;
        try {
            new SupportBundle(config(), log, Clock.systemUTC(), Main.class)
                    .write(target)
                    .forEach(why -> err().println("missing: " + why));
        } catch (SetupException e) {
            e.problems().forEach(err()::println);
            return 1;
        }
        out().println(target);
        return 0;
    }
}
