package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.gelato.ce.core.text.Words;
import org.gelato.ce.ws.setup.ClassArchive;
import org.gelato.ce.ws.setup.SetupException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ce server archive}: makes the archive of classes for the Java and the jars that run this. */
@Command(
        name = "archive",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionLine.class,
        description = {
            "Make the archive of the server's classes, with which a start takes less time and CPU.",
            "The packages do it at each installation and upgrade, and when Java changes. An archive that does not fit the jars"
                    + " or Java is not used; the server starts without one as well."
        })
final class ServerArchive implements Callable<Integer> {
    /** Set by the launcher to where it looks for the archive. */
    static final String PLACE = "gelato.class-archive";

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description =
                    "Where to write it. Default: where ce looks for it, in /var/cache/gelato when Gelato was installed"
                            + " as a package, else in ~/.cache/gelato of who runs the server.")
    private Path file;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        String place = System.getProperty(PLACE, "");
        if (file == null && place.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "there is no usual place for the archive: set HOME, or name a file by --file FILE");
        }
        Path archive = file == null ? Path.of(place) : file;
        try {
            new ClassArchive(archive, Path.of(System.getProperty("java.home")), System.getProperty("java.class.path"))
                    .make();
            spec.commandLine().getOut().println(archive + ": " + (Files.size(archive) >> 20) + " MiB");
            return 0;
        } catch (SetupException e) {
            e.problems().forEach(spec.commandLine().getErr()::println);
        } catch (IOException e) {
            spec.commandLine().getErr().println("cannot write " + archive + ": " + Words.of(e));
        }
        return 1;
    }
}
