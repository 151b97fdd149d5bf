package org.gelato.ce.perf.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.core.db.embedded.EmbeddedMariaDb;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.perf.stub.StubCe;
import org.gelato.ce.perf.stub.StubControl;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.ExitStack;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.testkit.site.ScratchDirectory;
import org.gelato.ce.testkit.token.TestIssuer;

/**
 * A CE made for one measurement, with its own certificates, database server and batch system, below /var/tmp, where every
 * account may pass. Opened and closed by one thread; a shutdown hook closes it when the process is signalled to end.
 * After a kill -9 the directory {@code /var/tmp/gelato-perf-*} stays, and the database server and a Slurm with it.
 */
public final class PerfSite implements MeasuredSite, AutoCloseable {
    /** The queue jobs go to. */
    public static final String QUEUE = "long";

    private static final String SANDBOX_ROOT = "gelato.sandbox-root";
    private static final String HOST = "localhost";
    private static final String ISSUER = "https://tokens.perf.example/";
    private static final long BUFFER_POOL = 128L << 20;
    private static final int POOL_SIZE = 20;

    /** root/vo/home/12/34/CREAM123456789 */
    private static final int DEPTH_OF_SANDBOXES = 5;

    private final SitePlan plan;
    private final ExitStack open;
    private final Path base;
    private final GridPki pki;
    private final Endpoint endpoint;
    private final EmbeddedMariaDb database;
    private final SiteStore store;
    private final LongAdder statements = new LongAdder();
    private final BatchSite batch;
    private final Path control;
    private final List<String> program;
    private final DelayedLink link; // null: clients are on this host
    private final TestIssuer issuer; // null: no tokens
    // Replaced when it is killed and started again.
    private volatile CeProcess ce;

    private PerfSite(SitePlan plan) throws IOException, SQLException {
        this.plan = plan;
        base = ScratchDirectory.make("gelato-perf-");
        open = new ExitStack(base.toString());
        try {
            open.push(() -> ScratchDirectory.remove(base));
            pki = GridPki.open(base.resolve("pki"), HOST);
            endpoint = new Endpoint(HOST, FreePort.choose());
            batch = open.push(BatchSite.start(plan, base));
            database = open.push(EmbeddedMariaDb.start(new EmbeddedMariaDb.Settings(
                    base.resolve("database"),
                    ScratchDirectory.cache(),
                    BUFFER_POOL,
                    POOL_SIZE,
                    Duration.ofSeconds(10),
                    Duration.ofMinutes(2))));
            issuer = plan.tokens() ? TestIssuer.create(ISSUER, Clock.systemUTC()) : null;
            store = open.push(new SiteStore(new OwnConnection(database.config(), statements), statements));
            control = base.resolve("stub.control");
            program = program(configuration());
            link = plan.roundTrip().isZero() ? null : open.push(new DelayedLink(endpoint, plan.roundTrip()));
            open.push(this::closeCe);
            ce = CeProcess.start(program, endpoint, pki.certificates(), base.resolve("ce.log"));
        } catch (IOException | SQLException | RuntimeException e) {
            open.closeAfter(e);
            throw e;
        }
    }

    /**
     * Starts everything and waits until the CE is ready.
     *
     * @throws NotPossibleException when the batch system cannot be had here
     */
    public static PerfSite start(SitePlan plan) {
        try {
            return new PerfSite(plan);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the site to measure on: " + e.getMessage(), e);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot reach the database to measure on: " + e.getMessage(), e);
        }
    }

    private List<String> program(Path configuration) {
        if (plan.batch() != BatchKind.STUB) {
            return List.of("org.gelato.ce.ws.boot.Main", "run", "--config", configuration.toString());
        }
        return List.of(
                StubCe.class.getName(),
                "--config",
                configuration.toString(),
                "--control",
                control.toString(),
                "--slots",
                Integer.toString(plan.stub().slots()),
                "--stage-in",
                Long.toString(plan.stub().stageIn().toMillis()),
                "--job-time",
                Long.toString(plan.stub().jobTime().toMillis()));
    }

    private Path configuration() throws IOException {
        Map<String, Object> values = new LinkedHashMap<>(
                SiteFiles.write(base, pki, plan.vos(), batch.account(), issuer == null ? List.of() : List.of(ISSUER)));
        values.put("gelato.home", base.resolve("state").toString());
        values.put("gelato.host", HOST);
        values.put("gelato.address", "127.0.0.1");
        values.put("gelato.port", endpoint.port());
        values.put(SANDBOX_ROOT, sandboxes().toString());
        values.putAll(SiteFiles.database(base, database.config()));
        values.put("gelato.lrms.kind", plan.batch().configured());
        values.put("gelato.lrms.queues", List.of(QUEUE));
        if (issuer != null) {
            Path keys = issuer.writeJwks(base.resolve("issuer.json"));
            values.put(
                    "gelato.tokens.issuers",
                    List.of(Map.of("issuer", ISSUER, "vo", GridPki.VO, "keys", keys.toString())));
        }
        values.putAll(batch.settings());
        values.putAll(plan.settings());
        return SiteFiles.configuration(base.resolve("gelato.conf"), values);
    }

    @Override
    public Path base() {
        return base;
    }

    @Override
    public GridPki pki() {
        return pki;
    }

    /** {@inheritDoc} The CE itself, or the far end of the way to it. */
    @Override
    public Endpoint door() {
        return link == null ? endpoint : link.endpoint();
    }

    /**
     * A bearer token that the CE accepts, with all capabilities, valid for an hour.
     *
     * @throws IllegalStateException when the site accepts none
     */
    public String token(String subject) {
        return issuer().token(subject, audience()).sign();
    }

    /** Whose tokens are accepted. */
    public TestIssuer issuer() {
        if (issuer == null) {
            throw new IllegalStateException("this site was made without tokens");
        }
        return issuer;
    }

    /** What tokens for this CE name as their audience. */
    public String audience() {
        return "https://" + HOST + ":" + endpoint.port();
    }

    /** The account all jobs run as. */
    public String account() {
        return batch.account();
    }

    @Override
    public String batchSystem() {
        return plan.batch().batchSystem();
    }

    public SiteStore store() {
        return store;
    }

    /** The batch system's programs, counted; null where it has none. */
    public CountedPrograms programs() {
        return batch.programs();
    }

    /** The batch system's own command; null where it has none. */
    public PlainSubmission plain() {
        return batch.plain();
    }

    /** From now on a batch system with commands of its own takes jobs and lets none begin. */
    public void hold() {
        batch.hold().run();
    }

    @Override
    public CountStore counts() {
        try {
            return new CountStore(new OwnConnection(database.config(), statements));
        } catch (SQLException e) {
            throw new IllegalStateException("cannot reach the database: " + e.getMessage(), e);
        }
    }

    /** Fills the database with jobs; the caller closes it. */
    public StockStore stock() {
        try {
            return new StockStore(database.config());
        } catch (SQLException e) {
            throw new IllegalStateException("cannot reach the database: " + e.getMessage(), e);
        }
    }

    /** Where the sandboxes of all jobs lie. */
    public Path sandboxes() {
        return Path.of(plan.settings()
                .getOrDefault(SANDBOX_ROOT, base.resolve("sandbox"))
                .toString());
    }

    /**
     * A job's sandbox.
     *
     * @throws IllegalStateException when there is none
     */
    public Path sandbox(JobId job) {
        try (Stream<Path> all = Files.find(
                sandboxes(),
                DEPTH_OF_SANDBOXES,
                (path, attributes) -> path.getFileName().toString().equals(job.toString()))) {
            return all.findFirst().orElseThrow(() -> new IllegalStateException("job " + job + " has no sandbox"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Tells the simulated batch system how to behave from now on; within a second it does.
     *
     * @throws IllegalStateException for a real one
     */
    public void control(StubControl.Behaviour behaviour) {
        if (plan.batch() != BatchKind.STUB) {
            throw new IllegalStateException(plan.batch() + " does not obey");
        }
        StubControl.write(control, behaviour);
    }

    private void closeCe() {
        // Null when it never started.
        if (ce != null) {
            ce.close();
        }
    }

    /** Ends the CE by SIGKILL and waits until helper and all are gone. */
    public void killCe() {
        ce.kill();
    }

    /**
     * Starts the CE that was killed.
     *
     * @param probe calls it until it responds; called at once after the process was made
     * @return from the making of the process to the response
     */
    public Duration startCe(Runnable probe) {
        long begin = System.nanoTime();
        try {
            ce = CeProcess.begin(program, endpoint, pki.certificates(), base.resolve("ce.log"));
        } catch (IOException e) {
            throw new UncheckedIOException("the CE did not start: " + e.getMessage(), e);
        }
        ce.await(probe);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** The process id of the CE's JVM. */
    public long cePid() {
        return ce.pid();
    }

    public long databasePid() {
        return database.pid();
    }

    @Override
    public List<Long> cePids() {
        return List.of(cePid());
    }

    @Override
    public List<Long> databasePids() {
        return List.of(databasePid());
    }

    /** A page of the CE's, for example {@code /metrics}. */
    public String page(String path) {
        return ce.page(path);
    }

    /** Stops what runs and removes everything. */
    @Override
    public void close() {
        open.close();
    }
}
