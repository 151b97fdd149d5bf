package org.gelato.ce.testkit.glue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Debian's slapd on the loopback interface with the schemas of glue-schema, as a BDII has it, below one folder. Ends with {@link
 * #close}. Used by one thread.
 */
public final class GlueDirectory implements AutoCloseable {
    private static final Path SLAPD = Path.of("/usr/sbin/slapd");
    private static final Path SEARCH = Path.of("/usr/bin/ldapsearch");
    private static final Path SCHEMAS = Path.of("/etc/ldap/schema");
    private static final Path GLUE = SCHEMAS.resolve("GLUE20.schema");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** What the packages of a BDII put there before any CE. */
    private static final String ROOTS = """
            dn: o=glue
            objectClass: organization
            o: glue

            dn: GLUE2GroupID=resource,o=glue
            objectClass: GLUE2Group
            GLUE2GroupID: resource

            dn: GLUE2GroupID=grid,o=glue
            objectClass: GLUE2Group
            GLUE2GroupID: grid

            """;

    private final Path folder;
    private final int port;
    private Process slapd;

    /**
     * @param folder absolute, empty
     * @param port nobody listens on
     */
    public GlueDirectory(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** Why there can be none here; empty when {@link #start} may be called. */
    public static Optional<String> missing() {
        List<String> missing = new ArrayList<>();
        if (!Files.isExecutable(SLAPD)) {
            missing.add("slapd");
        }
        if (!Files.isExecutable(SEARCH)) {
            missing.add("ldap-utils");
        }
        if (!Files.isReadable(GLUE)) {
            missing.add("glue-schema");
        }
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", missing) + " not installed");
    }

    /** What a program printed. */
    public record Outcome(int exit, String out, String err) {}

    /** Starts it and adds the roots of a BDII. @throws IllegalStateException when it does not listen in time */
    public GlueDirectory start() throws IOException {
        Files.createDirectories(folder.resolve("db"));
        List<String> lines = new ArrayList<>();
        for (String schema : List.of("core.schema", "cosine.schema", "nis.schema", "GLUE20.schema")) {
            lines.add("include " + SCHEMAS.resolve(schema));
        }
        lines.addAll(List.of(
                "modulepath /usr/lib/ldap",
                "moduleload back_mdb",
                "pidfile " + folder.resolve("slapd.pid"),
                "argsfile " + folder.resolve("slapd.args"),
                "sizelimit unlimited",
                "database mdb",
                "suffix \"o=glue\"",
                "dbnosync",
                "rootdn \"o=glue\"",
                "rootpw secret",
                "directory " + folder.resolve("db"),
                "index GLUE2PolicyRule eq",
                "index objectClass eq,pres"));
        Path conf = Files.write(folder.resolve("slapd.conf"), lines);
        slapd = new ProcessBuilder(SLAPD.toString(), "-f", conf.toString(), "-h", url(), "-d", "0")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("slapd.log").toFile())
                .start();
        Instant end = Instant.now().plus(PATIENCE);
        while (!listens()) {
            if (!slapd.isAlive() || Instant.now().isAfter(end)) {
                throw new IllegalStateException(
                        "slapd does not listen: " + Files.readString(folder.resolve("slapd.log")));
            }
            pause();
        }
        Outcome added = add(ROOTS);
        if (added.exit() != 0) {
            throw new IllegalStateException(added.err());
        }
        return this;
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private String url() {
        return "ldap://127.0.0.1:" + port;
    }

    /** {@code host:port}, as clients write it. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Adds entries, and goes on after one that is refused, as a BDII does; each refusal is in the errors. */
    public Outcome add(String ldif) throws IOException {
        Path file = Files.writeString(Files.createTempFile(folder, "add", ".ldif"), ldif);
        return run("ldapadd", "-x", "-c", "-H", url(), "-D", "o=glue", "-w", "secret", "-f", file.toString());
    }

    /** What {@code ldapsearch} prints, without wrapping. */
    public Outcome search(String base, String filter, String... attributes) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("ldapsearch", "-x", "-LLL", "-o", "ldif-wrap=no", "-H", url(), "-b", base, filter));
        command.addAll(List.of(attributes));
        return run(command.toArray(String[]::new));
    }

    private Outcome run(String... command) throws IOException {
        Path err = Files.createTempFile(folder, "run", ".err");
        Process process = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectError(err.toFile())
                .start();
        try (InputStream out = process.getInputStream()) {
            String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(command[0] + " does not end");
            }
            return new Outcome(process.exitValue(), text, Files.readString(err));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (slapd == null) {
            return;
        }
        slapd.destroy();
        try {
            if (!slapd.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                slapd.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
