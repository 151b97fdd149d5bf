package org.gelato.ce.ws.setup;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.embedded.EmbeddedMariaDb;
import org.gelato.ce.core.fault.Messages;

/**
 * A CE of its own on the loopback, with certificates, database and sandboxes that are gone afterwards: it runs jobs that do
 * nothing as processes of this host, for a user with a proxy. Below /var/tmp, where every account may pass. After a kill of
 * this process the CE ends by itself, and the database and the directory stay.
 */
final class TrainingRun implements AotCache.Training {
    private static final Path PLACE = Path.of("/var/tmp");
    private static final String HOST = "localhost";
    private static final String VO = "training";
    private static final long BUFFER_POOL = 64L << 20;
    private static final int CONNECTIONS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Of all but the end, in which Java writes the cache and needs as long again. */
    private static final double WORK = 0.5;

    private static final String KILL_AFTER = "5";
    /** By SIGTERM. */
    private static final int STOPPED = 128 + 15;

    @Override
    public void run(List<String> server, Duration longest) throws IOException {
        long begin = System.nanoTime();
        Path base = Files.createTempDirectory(PLACE, "gelato-training-");
        try {
            Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
            run(base, server, begin, longest);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SetupException("the training was interrupted");
        } catch (IllegalStateException e) {
            throw new SetupException("the training run did not work: " + Messages.of(e));
        } finally {
            remove(base);
        }
    }

    private static void run(Path base, List<String> server, long begin, Duration longest)
            throws IOException, InterruptedException {
        TestPki pki = new TestPki(
                new TestPki.Options(base.resolve("grid"), base.resolve("user"), HOST, VO, "Trainer", "root", 1),
                Clock.systemUTC().instant());
        pki.write();
        try (EmbeddedMariaDb database = EmbeddedMariaDb.start(new EmbeddedMariaDb.Settings(
                base.resolve("database"),
                base.resolve("programs"),
                BUFFER_POOL,
                CONNECTIONS,
                PATIENCE,
                longest.dividedBy(2)))) {
            int port = freePort();
            Path configuration = configuration(base, database.config(), port);
            Duration left = longest.minusNanos(System.nanoTime() - begin);
            List<String> command =
                    new ArrayList<>(List.of("timeout", "-k", KILL_AFTER, Long.toString(Math.max(1, left.toSeconds()))));
            command.addAll(server);
            command.addAll(List.of("org.gelato.ce.ws.boot.Main", "run", "--config", configuration.toString()));
            Path reported = base.resolve("ce.log");
            Process ce = new ProcessBuilder(command)
                    .directory(base.toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(reported.toFile())
                    .start();
            // SIGTERM of this process ends the CE, too.
            Thread ending = new Thread(ce::destroy, "end-training");
            Runtime.getRuntime().addShutdownHook(ending);
            try {
                long end = begin + (long) (longest.toNanos() * WORK);
                new TrainingJobs(new TrainingClient(port, base.resolve("grid/certificates"), pki.proxy()), ce, end)
                        .run();
                // Not timeout itself, which would kill the CE soon after: Java writes the cache now.
                ce.children().forEach(ProcessHandle::destroy);
                if (ce.waitFor() != STOPPED) {
                    throw new IllegalStateException(
                            "the CE ended with status " + ce.exitValue() + " " + lastLine(reported));
                }
            } finally {
                ce.destroy();
                ce.waitFor();
                Runtime.getRuntime().removeShutdownHook(ending);
            }
        }
    }

    private static String lastLine(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> !line.isBlank()).reduce((a, b) -> b).orElse("");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Path configuration(Path base, DatabaseConfig database, int port) throws IOException {
        // Jobs never run as root.
        String account = Rights.isRoot() ? "nobody" : System.getProperty("user.name");
        Path gridmap = Files.writeString(base.resolve("grid-mapfile"), "\"/" + VO + "\" " + account + "\n");
        Path password = Files.writeString(
                Files.createFile(
                        base.resolve("password"),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
                database.password());
        Path limits = Files.write(
                base.resolve("helper.conf"),
                List.of("sandbox_root=" + base.resolve("sandbox"), "min_uid=1", "executable=/bin/bash"));
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gelato.home", base.resolve("state").toString());
        values.put("gelato.host", HOST);
        values.put("gelato.address", InetAddress.getLoopbackAddress().getHostAddress());
        values.put("gelato.port", port);
        values.put("gelato.sandbox-root", base.resolve("sandbox").toString());
        values.put(
                "gelato.tls.host-certificate", base.resolve("grid/hostcert.pem").toString());
        values.put("gelato.tls.host-key", base.resolve("grid/hostkey.pem").toString());
        values.put("gelato.tls.ca-directory", base.resolve("grid/certificates").toString());
        values.put("gelato.tls.voms-directory", base.resolve("grid/vomsdir").toString());
        values.put("gelato.authorization.gridmap", gridmap.toString());
        for (String list : new String[] {"ban", "admins"}) {
            values.put(
                    "gelato.authorization." + list,
                    Files.createFile(base.resolve(list)).toString());
        }
        values.put("gelato.helper.config", limits.toString());
        values.put("gelato.database.url", database.url());
        values.put("gelato.database.user", database.user());
        values.put("gelato.database.password-file", password.toString());
        values.put("gelato.database.pool-size", CONNECTIONS);
        values.put("gelato.lrms.kind", "fork");
        values.put("gelato.lrms.queues", List.of(TrainingJobs.QUEUE));
        values.put("gelato.lrms.poll-interval", "1 s");
        for (String limit : new String[] {
            "load-1-minute", "load-5-minutes", "load-15-minutes", "memory", "swap", "disk", "free-descriptors"
        }) {
            values.put("gelato.admission." + limit, -1);
        }
        return Files.writeString(
                base.resolve("gelato.conf"),
                ConfigFactory.parseMap(values).root().render(ConfigRenderOptions.concise()));
    }

    /** A job that still ends may write meanwhile: then once more. */
    private static void remove(Path base) throws IOException {
        for (int left = 20; Files.exists(base); left--) {
            try (Stream<Path> all = Files.walk(base)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException | java.io.UncheckedIOException e) {
                if (left == 0) {
                    throw new IOException("cannot remove " + base + ": " + e.getMessage(), e);
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
