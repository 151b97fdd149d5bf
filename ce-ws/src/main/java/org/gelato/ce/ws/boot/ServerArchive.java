package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.setup.AotCache;
import org.gelato.ce.ws.setup.ClassArchive;
import org.gelato.ce.ws.setup.SetupException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce server archive}: makes the archive of classes, or the AOT cache, for the Java and the jars that run this. */
@Command(
        name = "archive",
        description = {
            "Make the archive of the server's classes, with which a start takes less time and CPU.",
            "From Java 25 on it is an AOT cache, which also spares CPU in the first minutes: for it a CE of its own runs jobs on"
                    + " this host, for at most two minutes.",
            "The packages do it at each installation and upgrade, and when Java changes. An archive that does not fit the jars"
                    + " or Java is not used; the server starts without one as well."
        })
final class ServerArchive extends ServerCommand {
    /** Set by the launcher to where it looks for the archive of classes. */
    static final String PLACE = "gelato.class-archive";

    /** Set by the launcher to the class path of the archive, which is the beginning of the server's. */
    private static final String PATH = "gelato.archived-path";
    /** Set by the launcher to the JVM's options of the server. */
    private static final String FLAGS = "gelato.server-flags";

    private static final String CLASSES = ".jsa";
    private static final String CACHE = ".aot";

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Where to write it; an AOT cache when it ends in .aot. Default: where ce looks for it, in"
                    + " /var/cache/gelato when Gelato was installed as a package, else in ~/.cache/gelato of who runs"
                    + " the server.")
    private Path file;

    /** Makes a file. */
    @FunctionalInterface
    private interface Maker {
        void make() throws IOException;
    }

    @Override
    public Integer call() throws IOException {
        String place = System.getProperty(PLACE, "");
        if (file == null && place.isEmpty()) {
            throw usage("there is no usual place for the archive: set HOME, or name a file by --file FILE");
        }
        if (file != null) {
            return (file.toString().endsWith(CACHE) ? cache(file) : classes(file)) ? 0 : 1;
        }
        Path classes = Path.of(place);
        if (Runtime.version().feature() < AotCache.FIRST_JAVA) {
            return classes(classes) ? 0 : 1;
        }
        if (cache(Path.of(place.substring(0, place.length() - CLASSES.length()) + CACHE))) {
            Files.deleteIfExists(classes);
            return 0;
        }
        PrintWriter err = err();
        err.println(
                "an archive of classes takes the place of the AOT cache, with some seconds of CPU more at each start and"
                        + " in the first minutes");
        return classes(classes) ? 0 : 1;
    }

    private boolean classes(Path archive) {
        return made(archive, new ClassArchive(archive, java(), classPath())::make);
    }

    private boolean cache(Path cache) {
        List<String> flags =
                List.of(System.getProperty(FLAGS, "-XX:+UseSerialGC").split(" +"));
        return made(cache, new AotCache(cache, java(), flags, classPath())::make);
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"));
    }

    private static String classPath() {
        return System.getProperty(PATH, System.getProperty("java.class.path"));
    }

    private boolean made(Path made, Maker maker) {
        try {
            maker.make();
            out().println(made + ": " + (Files.size(made) >> 20) + " MiB");
            return true;
        } catch (SetupException e) {
            e.problems().forEach(err()::println);
        } catch (IOException e) {
            err().println("cannot write " + made + ": " + Messages.of(e));
        }
        return false;
    }
}
