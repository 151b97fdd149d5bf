package org.gelato.ce.testkit.torque;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A Torque of one node below one folder: {@code qsub}, {@code qstat}, {@code qdel}, {@code qhold}, {@code qrls},
 * {@code pbsnodes} and a  * server, made from the C sources beside this class. Jobs really run, as the account that called qsub; a server of an
 * ordinary user takes that user's jobs only. For tests alone: everybody may write below the folder.
 *
 * <p>The server ends with this process, and its jobs with it; after {@link #kill} they go on, and {@link #start} brings
 * up a server that knows them. All methods block and may be called from any thread, {@link #start}, {@link #stop} and
 * {@link #kill} from one.
 */
public final class TorqueStandIn implements AutoCloseable {
    private static final List<String> SOURCES = List.of(
            "answer.c",
            "client.c",
            "qsub.c",
            "run.c",
            "server.c",
            "shepherd.c",
            "store.c",
            "submit.c",
            "text.c",
            "shepherd.h",
            "standin.h");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static byte[] program;

    private final Path folder;
    private final TorqueSettings settings;
    private final TorqueFaults faults;
    private Process server;

    /**
     * Makes the programs; starts nothing.
     *
     * @param folder absolute, at most 80 characters; jobs' accounts must be able to pass through the directories above.
     *     Jobs of an earlier stand-in in it are kept
     * @param host the server's name, which ends every job's id
     * @param queues the first is the one of jobs that name none; at most 16
     * @throws IllegalStateException with the compiler's words when it fails
     */
    public TorqueStandIn(Path folder, String host, List<String> queues) {
        if (!folder.isAbsolute() || folder.toString().length() > 80) {
            throw new IllegalArgumentException("the folder must be absolute and at most 80 characters: " + folder);
        }
        if (queues.isEmpty() || queues.size() > 16) {
            throw new IllegalArgumentException("1 to 16 queues, not " + queues.size());
        }
        this.folder = folder.normalize();
        try {
            for (String name : List.of("bin", "jobs", "scripts", "nodes", "ended", "calls", "accounting")) {
                open(Files.createDirectories(this.folder.resolve(name)), "rwxr-xr-x");
            }
            open(this.folder, "rwxr-xr-x");
            sticky(Files.createDirectories(this.folder.resolve("spool")));
            this.settings = new TorqueSettings(this.folder, host, queues);
            this.faults = new TorqueFaults(this.folder);
            install();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A site with the queues long and short, of 500 slots, named {@code torque.example}. */
    public TorqueStandIn(Path folder) {
        this(folder, "torque.example", List.of("long", "short"));
    }

    /** Why there can be no stand-in on this host; empty when there can. */
    public static Optional<String> missing() {
        boolean compiler = List.of("/usr/bin/cc", "/usr/local/bin/cc").stream()
                .anyMatch(path -> Files.isExecutable(Path.of(path)));
        return compiler ? Optional.empty() : Optional.of("there is no C compiler (cc) to make Torque's stand-in with");
    }

    public TorqueSettings settings() {
        return settings;
    }

    public TorqueFaults faults() {
        return faults;
    }

    /** Where the commands are. */
    public Path binDirectory() {
        return folder.resolve("bin");
    }

    /** Where the server writes its accounting, one file a day (local time). */
    public Path accountingDirectory() {
        return folder.resolve("accounting");
    }

    /** The CE's configuration for this site. */
    public Map<String, String> configuration() {
        return Map.of(
                "gelato.lrms.kind", "torque",
                "gelato.lrms.torque.bin-directory", binDirectory().toString(),
                "gelato.lrms.torque.accounting-directory", accountingDirectory().toString());
    }

    /** How often a command was started since the site was made, whatever became of it. */
    public long calls(TorqueProgram program) {
        try {
            return Files.size(folder.resolve("calls").resolve(program.command()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The job names qsub was called with, one for each call that had no mistake of its own, whatever became of it. */
    public List<String> submittedNames() {
        try {
            return Files.readAllLines(folder.resolve("calls").resolve("names"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts the server unless it runs; it answers when this returns.
     *
     * @throws IllegalStateException with its words when it cannot
     */
    public synchronized void start() {
        if (server != null && server.isAlive()) {
            return;
        }
        try {
            Path log = folder.resolve("server.log");
            server = new ProcessBuilder(binDirectory().resolve("pbs_server").toString())
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            // its standard input stays open: the end of it is the end of this process
            BufferedReader lines = server.inputReader(StandardCharsets.UTF_8);
            if (!"ready".equals(lines.readLine())) {
                throw new IllegalStateException("pbs_server did not start: " + Files.readString(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the server and its jobs' processes; nothing when it does not run. Queued jobs are kept. */
    public synchronized void stop() {
        end(false);
    }

    /** Kills the server alone (SIGKILL); jobs that run go on. Commands answer 111 until {@link #start}. */
    public synchronized void kill() {
        end(true);
    }

    private void end(boolean atOnce) {
        if (server != null) {
            if (atOnce) {
                server.destroyForcibly();
            } else {
                server.destroy();
            }
            await(server, "pbs_server");
            server = null;
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** {@link #stop}, and removes the folder, once the last of the jobs' shepherds has written its last file. */
    public void wipe() {
        stop();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!removed() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** False when a file came meanwhile. */
    private boolean removed() {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE; // renamed meanwhile
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
            return true;
        } catch (DirectoryNotEmptyException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void install() throws IOException {
        byte[] bytes = program(folder.resolve("src"));
        // written by a process of its own: what this one has open for writing cannot be started while it forks
        Process copy = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "rm -f \"$1\" && cat > \"$1\" && chmod 755 \"$1\"",
                        "sh",
                        bin("torque-standin"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (OutputStream to = copy.getOutputStream()) {
            to.write(bytes);
        }
        if (await(copy, "sh") != 0) {
            throw new IllegalStateException("cannot write " + bin("torque-standin"));
        }
        link("pbs_server");
        counter("names");
        for (TorqueProgram name : TorqueProgram.values()) {
            link(name.command());
            counter(name.command());
        }
    }

    private void counter(String name) throws IOException {
        Path count = folder.resolve("calls").resolve(name);
        if (!Files.exists(count)) {
            open(Files.createFile(count), "rw-rw-rw-");
        }
    }

    /** The program, compiled once in this process. */
    private static synchronized byte[] program(Path folder) throws IOException {
        if (program == null) {
            program = compiled(Files.createDirectories(folder));
        }
        return program;
    }

    private static byte[] compiled(Path folder) throws IOException {
        Path made = folder.resolve("torque-standin");
        List<String> command = new ArrayList<>(
                List.of("cc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-o", made.toString()));
        for (String name : SOURCES) {
            try (InputStream text = TorqueStandIn.class.getResourceAsStream(name)) {
                if (text == null) {
                    throw new IllegalStateException(name + " is not beside " + TorqueStandIn.class.getName());
                }
                Files.write(folder.resolve(name), text.readAllBytes());
            }
            if (name.endsWith(".c")) {
                command.add(folder.resolve(name).toString());
            }
        }
        Path words = folder.resolve("cc.log");
        Process compiler = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(words.toFile())
                .start();
        if (await(compiler, "cc") != 0) {
            throw new IllegalStateException("cc failed: " + Files.readString(words));
        }
        return Files.readAllBytes(made);
    }

    private String bin(String name) {
        return folder.resolve("bin").resolve(name).toString();
    }

    /** A second name and no symbolic link: the programs find the site by the place of their file. */
    private void link(String name) throws IOException {
        Path path = Path.of(bin(name));
        Files.deleteIfExists(path);
        Files.createLink(path, Path.of(bin("torque-standin")));
    }

    private static void open(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** Jobs of all accounts write their output below, and none may remove another's. */
    private static void sticky(Path path) throws IOException {
        Files.setAttribute(path, "unix:mode", 01777);
    }

    private static int await(Process process, String name) {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(name + " did not end within " + PATIENCE);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ran", e);
        }
    }
}
