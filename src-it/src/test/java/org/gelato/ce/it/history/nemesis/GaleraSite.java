package org.gelato.ce.it.history.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.gelato.ce.it.kill.Victim;
import org.gelato.ce.it.site.DatabaseSite;
import org.gelato.ce.testkit.database.DatabaseCluster;
import org.gelato.ce.testkit.database.GaleraCluster;
import org.gelato.ce.testkit.site.ScratchDirectory;

/** A Galera cluster, the writer of which can be killed, stopped and cut off. After each of that all its nodes are members. */
public final class GaleraSite implements DatabaseSite {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String WRITER = "SELECT server FROM " + DatabaseCluster.NAME + ".database_writer";
    private static final String CONNECTIONS =
            "SELECT id FROM information_schema.processlist WHERE user = '" + DatabaseCluster.NAME + "'";

    private final Path folder;
    private final Path password;
    private final GaleraCluster cluster;

    public GaleraSite() {
        try {
            folder = ScratchDirectory.make("gelato-history-galera-");
            cluster = GaleraCluster.start(folder);
            password = Files.writeString(folder.resolve("password"), DatabaseCluster.PASSWORD + "\n");
            Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of(
                "gelato.database.url",
                cluster.url(IntStream.range(0, cluster.size()).toArray()),
                "gelato.database.user",
                DatabaseCluster.NAME,
                "gelato.database.connection-timeout",
                "3 s",
                "gelato.database.password-file",
                password.toString());
    }

    @Override
    public Path base() {
        return folder;
    }

    @Override
    public synchronized List<String> column(String query) {
        return cluster.sql(0, "USE " + DatabaseCluster.NAME + "; " + query)
                .lines()
                .toList();
    }

    @Override
    public void restartIfEnded() {
        // no fault makes one end by itself
    }

    /** The writer is gone for a while, and comes back as a member. */
    synchronized void killWriter(int milliseconds) {
        kill(writer(), milliseconds);
    }

    /** The same of a node that is not the writer. */
    synchronized void killOther(int milliseconds) {
        kill((writer() + 1) % cluster.size(), milliseconds);
    }

    private void kill(int node, int milliseconds) {
        cluster.kill(node);
        pause(milliseconds);
        cluster.restart(node);
    }

    /** The writer stands still: for some of these times so long that the others go on without it. */
    synchronized void stopWriter(int milliseconds) {
        int writer = writer();
        long pid = cluster.process(writer).pid();
        Victim.signal("STOP", pid);
        try {
            pause(milliseconds);
        } finally {
            Victim.signal("CONT", pid);
        }
        Awaitility.await("the writer is a member again")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> isMember(writer));
    }

    /** A node that finds its group gone on without it may end. */
    private boolean isMember(int node) {
        if (!cluster.process(node).isAlive()) {
            cluster.restart(node);
        }
        return cluster.isSynced(node);
    }

    /** All connections to the writer break. */
    synchronized void cutWriter() {
        int writer = writer();
        for (String connection : cluster.sql(writer, CONNECTIONS).lines().toList()) {
            try {
                cluster.sql(writer, "KILL " + connection);
            } catch (IllegalStateException e) {
                // it has gone by itself
            }
        }
    }

    /** Number of terms of writers, one after the other. */
    public synchronized int terms() {
        return Integer.parseInt(column("SELECT term FROM database_writer").get(0));
    }

    private int writer() {
        return Awaitility.await("a writer")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> node(cluster.sql(0, WRITER)), Optional::isPresent)
                .orElseThrow();
    }

    private Optional<Integer> node(String server) {
        return IntStream.range(0, cluster.size())
                .filter(i -> server.equals("127.0.0.1:" + cluster.port(i)))
                .boxed()
                .findFirst();
    }

    private static void pause(int milliseconds) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }

    @Override
    public synchronized void close() {
        cluster.close();
        ScratchDirectory.remove(folder);
    }
}
