package org.gelato.ce.perf.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocketFactory;
import org.gelato.ce.cli.credential.TlsClient;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.testkit.database.DatabaseCluster;
import org.gelato.ce.testkit.database.GaleraCluster;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.Balancer;
import org.gelato.ce.testkit.site.ExitStack;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.testkit.site.ScratchDirectory;

/**
 * Three front ends of one service behind a balancer, on a Galera cluster of three servers and one batch system, as docs/admin/scale.md
 * says, below one directory of /var/tmp. Front ends and servers can be killed and started again. Opened, changed and closed by one
 * thread; a shutdown hook closes them when the process is signalled to end.
 */
public final class FrontEnds implements MeasuredSite, AutoCloseable {
    private static final int NUMBER = 3;
    private static final String HOST = "localhost";
    private static final int READ_TIMEOUT_MILLIS = 10_000;
    /** The first connection that a monitor or a front end waits for. */
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private static final String WRITER = "SELECT server FROM " + DatabaseCluster.NAME + ".database_writer";

    private final SitePlan plan;
    private final Path base;
    private final Path witness;
    private final GridPki pki;
    private final Endpoint service = new Endpoint(HOST, FreePort.choose());
    private final SSLSocketFactory tls;
    private final ExitStack open;
    private final DatabaseCluster cluster;
    private final BatchSite batch;
    private final Balancer balancer;
    private final List<List<String>> programs = new ArrayList<>();
    /** Those that serve; null for one that was killed. */
    private final AtomicReferenceArray<CeProcess> serving = new AtomicReferenceArray<>(NUMBER);

    private final boolean[] killedServers = new boolean[NUMBER];
    private final int observer;

    private FrontEnds(SitePlan plan) throws IOException {
        this.plan = plan;
        base = ScratchDirectory.make("gelato-perf-");
        open = new ExitStack(base.toString());
        open.push(() -> ScratchDirectory.remove(base));
        try {
            pki = GridPki.open(base.resolve("pki"), HOST);
            tls = TlsClient.socketFactory(pki.certificates());
            witness = Files.writeString(base.resolve("ran"), "");
            Files.setPosixFilePermissions(witness, PosixFilePermissions.fromString("rw-rw-rw-"));
            batch = open.push(BatchSite.start(plan, base));
            cluster = open.push(GaleraCluster.start(Files.createDirectory(base.resolve("db"))));
            configure();
            balancer = open.push(new Balancer(service.port()));
            open.push(this::stopAll);
            for (int i = 0; i < NUMBER; i++) {
                start(i);
            }
            observer = (writer() + 1) % NUMBER;
        } catch (IOException | RuntimeException e) {
            open.closeAfter(e);
            throw e;
        }
    }

    /**
     * Starts everything and waits until all are ready.
     *
     * @throws NotPossibleException when the batch system or the cluster cannot be had here
     */
    public static FrontEnds start(SitePlan plan) {
        GaleraCluster.missing().ifPresent(why -> {
            throw new NotPossibleException("no Galera here: " + why);
        });
        try {
            return new FrontEnds(plan);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the site to measure on: " + e.getMessage(), e);
        }
    }

    private void configure() throws IOException {
        Map<String, Object> shared =
                new LinkedHashMap<>(SiteFiles.write(base, pki, plan.vos(), batch.account(), List.of()));
        shared.putAll(
                SiteFiles.database(base, database(IntStream.range(0, NUMBER).toArray())));
        shared.put("gelato.host", HOST);
        shared.put("gelato.port", service.port());
        shared.put("gelato.sandbox-root", base.resolve("sandbox").toString());
        shared.put("gelato.delegation.key-file", base.resolve("delegation.key").toString());
        shared.put("gelato.lrms.kind", plan.batch().configured());
        shared.put("gelato.lrms.queues", List.of(PerfSite.QUEUE));
        if (plan.batch() == BatchKind.STUB) {
            shared.put("gelato.lrms.identity", "one simulated batch system");
        }
        shared.putAll(batch.settings());
        shared.putAll(plan.settings());
        for (int i = 0; i < NUMBER; i++) {
            Map<String, Object> values = new LinkedHashMap<>(shared);
            values.put("gelato.node", "fe" + i);
            values.put("gelato.address", address(i));
            values.put("gelato.home", base.resolve("fe" + i).toString());
            Path file = SiteFiles.configuration(base.resolve("fe" + i + ".conf"), values);
            programs.add(List.of("org.gelato.ce.ws.boot.Main", "run", "--config", file.toString()));
        }
    }

    private DatabaseConfig database(int... servers) {
        return new DatabaseConfig(cluster.url(servers), DatabaseCluster.NAME, DatabaseCluster.PASSWORD, 1, CONNECT);
    }

    private static String address(int number) {
        return "127.0.0." + (number + 2);
    }

    /** Front ends, and servers of the database: as many of these as of those. */
    public int size() {
        return NUMBER;
    }

    /** Starts a front end, waits until it is ready, and has the balancer give it connections. */
    public void start(int frontEnd) {
        try {
            CeProcess process = CeProcess.begin(
                    programs.get(frontEnd), service, pki.certificates(), base.resolve("fe" + frontEnd + ".log"));
            serving.set(frontEnd, process);
            process.await(() -> requireReady(address(frontEnd)));
        } catch (IOException e) {
            throw new UncheckedIOException("front end " + frontEnd + " did not start: " + e.getMessage(), e);
        }
        balancer.add(address(frontEnd));
    }

    /** Its certificate is the service's, not that of the address: so no HTTPS client that checks the name. */
    private void requireReady(String address) {
        try (Socket socket = tls.createSocket(address, service.port())) {
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            socket.getOutputStream()
                    .write(("GET /health/ready HTTP/1.0\r\nHost: " + HOST + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String status = new String(socket.getInputStream().readNBytes(16), StandardCharsets.US_ASCII);
            if (!status.contains(" 200")) {
                throw new CliException(address + " is not ready: " + status.strip());
            }
        } catch (IOException e) {
            throw new CliException(address + " does not respond: " + e.getMessage(), e);
        }
    }

    /** Ends a front end by SIGKILL; the balancer finds that out by itself, as a site's does. */
    public void kill(int frontEnd) {
        serving.getAndSet(frontEnd, null).kill();
    }

    /** The balancer gives it no connections any more. */
    public void drain(int frontEnd) {
        balancer.drain(address(frontEnd));
    }

    /**
     * Ends the server that the front ends write to by SIGKILL.
     *
     * @return which, for {@link #startServer}
     */
    public int killWriter() {
        int writer = writer();
        if (writer == observer) {
            throw new IllegalStateException("the writer is now the server that the measurement reads: nothing to kill");
        }
        synchronized (killedServers) {
            killedServers[writer] = true;
        }
        cluster.kill(writer);
        return writer;
    }

    private int writer() {
        String server = cluster.sql(NUMBER - 1, WRITER);
        return IntStream.range(0, NUMBER)
                .filter(i -> server.equals("127.0.0.1:" + cluster.port(i)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no server is called " + server));
    }

    /** Brings a killed server back, and waits until it is a full member again. */
    public void startServer(int server) {
        cluster.restart(server);
        synchronized (killedServers) {
            killedServers[server] = false;
        }
    }

    /** A file that every account may write to: one line for each payload that began. */
    public Path witness() {
        return witness;
    }

    @Override
    public Path base() {
        return base;
    }

    @Override
    public GridPki pki() {
        return pki;
    }

    /** {@inheritDoc} The balancer. */
    @Override
    public Endpoint door() {
        return service;
    }

    @Override
    public String batchSystem() {
        return plan.batch().batchSystem();
    }

    @Override
    public List<Long> cePids() {
        List<Long> pids = new ArrayList<>();
        for (int i = 0; i < NUMBER; i++) {
            CeProcess process = serving.get(i);
            if (process != null) {
                pids.add(process.pid());
            }
        }
        return pids;
    }

    @Override
    public List<Long> databasePids() {
        synchronized (killedServers) {
            return IntStream.range(0, NUMBER)
                    .filter(i -> !killedServers[i])
                    .mapToObj(i -> cluster.process(i).pid())
                    .toList();
        }
    }

    /** {@inheritDoc} To a server that is not killed. */
    @Override
    public CountStore counts() {
        try {
            return new CountStore(new OwnConnection(database(observer), new LongAdder()));
        } catch (SQLException e) {
            throw new IllegalStateException("cannot reach the database: " + e.getMessage(), e);
        }
    }

    private void stopAll() {
        for (int i = 0; i < NUMBER; i++) {
            CeProcess process = serving.get(i);
            if (process != null) {
                process.close();
            }
        }
    }

    /** Stops what runs and removes everything. */
    @Override
    public void close() {
        open.close();
    }
}
