package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.it.htcondor.CondorSlots;
import org.gelato.ce.it.site.BatchSite;
import org.gelato.ce.it.site.DatabaseSite;
import org.gelato.ce.it.site.SiteCe;

/**
 * A site everything of which can be killed: a batch system, a database behind a relay, a CE that can be stopped at a step, and a
 * relay before the CE. Its jobs write their ids into one witness file.
 */
public final class KillSite implements AutoCloseable {
    private static final String READY = "/health/ready";

    private final BatchSite batch;
    private final DatabaseSite database;
    private final SiteCe ce;
    private final Relay front;
    private final Path witness;
    private final Stops stops;
    private final Path trace;
    private final MovableClock clock;

    public KillSite(String name) {
        this(name, new KillableSlurm(), new KillableDatabase(), Map.of(), false, site -> {});
    }

    /**
     * With a batch system, a database and a beginning of its own.
     *
     * @param more configuration keys of the CE
     * @param clocks whether the CE's clock shall be one that can be moved
     * @param first is done before the CE is started
     */
    public KillSite(
            String name,
            BatchSite batch,
            DatabaseSite database,
            Map<String, Object> more,
            boolean clocks,
            Consumer<KillSite> first) {
        this.batch = batch;
        this.database = database;
        Map<String, Object> settings = new HashMap<>(database.settings());
        settings.putAll(more);
        settings.putAll(batch.settings());
        ce = new SiteCe(name, batch.lrms(), batch.account(), settings);
        stops = new Stops(ce.base());
        trace = ce.base().resolve("trace");
        witness = witness(ce);
        front = new Relay(ce.port());
        clock = clocks ? MovableClock.in(ce.base()).orElse(null) : null;
        try {
            first.accept(this);
            startCe();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The steps of all jobs, as the CE recorded them. */
    Path trace() {
        return trace;
    }

    /** A file to which every account may add lines. */
    static Path witness(SiteCe ce) {
        try {
            Path file = Files.createFile(ce.base().resolve("witness"));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A job that writes its id into the witness file and sleeps. */
    static String job(Path witness, int seconds) {
        return job("slurm", witness, seconds);
    }

    static String job(String batchSystem, Path witness, int seconds) {
        return job(batchSystem, witness, "", seconds);
    }

    /** @param before as in {@link #job(String, int)} */
    static String job(String batchSystem, Path witness, String before, int seconds) {
        return "[ BatchSystem = \"" + batchSystem
                + "\"; QueueName = \"long\"; Executable = \"/bin/bash\"; Arguments = \"-c 'echo $CREAM_JOBID >>"
                + witness + "; " + before + "exec sleep " + seconds + "'\"; StdOutput = \"o\"; StdError = \"e\"; ]";
    }

    /** A job of this site, as {@link #job(Path, int)}. */
    public String job(int seconds) {
        return job("", seconds);
    }

    /**
     * A job of this site that does something else before it sleeps.
     *
     * @param before commands for bash, each with a semicolon behind it, without single and double quotes
     */
    public String job(String before, int seconds) {
        return job(batch.lrms(), witness, before, seconds);
    }

    /** How often the payload of each job began, by local id. */
    public static Map<String, Long> runs(Path witness) {
        try {
            return Files.readAllLines(witness).stream()
                    .collect(Collectors.groupingBy(
                            line -> line.substring(line.lastIndexOf('/') + 1), Collectors.counting()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often the batch system was handed each job, by local id. */
    Map<String, Long> submissions() {
        return slurm().submissions().entrySet().stream()
                .collect(Collectors.toMap(e -> jobOf(e.getKey()), Map.Entry::getValue));
    }

    private static String jobOf(String tag) {
        return tag.replace("cream_", "CREAM");
    }

    /** Local ids of the jobs that a batch system has by these tags. */
    public static Set<String> jobs(Set<String> tags) {
        return tags.stream().map(KillSite::jobOf).collect(Collectors.toSet());
    }

    /** What belongs to nothing, now. */
    List<String> remains(Set<String> jobs) throws IOException {
        return Remains.of(database(), ce.base().resolve("sandbox"), jobs);
    }

    public Path witness() {
        return witness;
    }

    public BatchSite batch() {
        return batch;
    }

    /** Its batch system, where that is Slurm. */
    KillableSlurm slurm() {
        return (KillableSlurm) batch;
    }

    /** Its batch system, where that is HTCondor. */
    public CondorSlots condor() {
        return (CondorSlots) batch;
    }

    public DatabaseSite store() {
        return database;
    }

    /** Its database, where that is one server behind a relay. */
    public KillableDatabase database() {
        return (KillableDatabase) database;
    }

    public SiteCe ce() {
        return ce;
    }

    public Relay front() {
        return front;
    }

    PatientClient client(String user) {
        Path proxy = ce.base().resolve("proxy-" + user + ".pem");
        if (Files.notExists(proxy)) {
            ce.pki().proxy(ce.pki().user(user)).write(proxy);
        }
        return new PatientClient(proxy, ce.pki().certificates(), front.port());
    }

    /** Starts the CE so that it can be stopped at steps. */
    void startCe() {
        List<String> program = ce.program(stops.option(), "-Dgelato.test.trace-file=" + trace);
        ce.start(program, clock == null ? Map.of() : clock.environment(), READY);
    }

    /** The clock of the CE; null where it is the host's. */
    public MovableClock clock() {
        return clock;
    }

    /** Starts a CE with further options of the JVM, and waits until it is ready. */
    public static void start(SiteCe ce, String... options) {
        ce.start(ce.program(options), Map.of(), READY);
    }

    /** The next threads of the CE that come to these steps stop there. */
    void arm(Step... steps) {
        stops.arm(steps);
    }

    /**
     * Waits until the CE stands at a step.
     *
     * @param calls on the way: the failure of one is thrown
     * @throws IllegalStateException with what the CE and the database do instead, when the step is not reached
     */
    void awaitStop(Step step, Future<?>... calls) {
        stops.await(step, this::atWork, calls);
    }

    /** Stacks of the CE, commands that are not done, transactions of the database and what they wait for. */
    private String atWork() {
        return String.join("\n", stops.toString(), ce.threads(), query("""
                        SELECT CONCAT_WS(' ', 'command', id, 'job', job_id, 'kind', kind, 'state', state, 'lane', lane,
                          'claimed by', node_id, 'until', claim_expires_at, 'again', run_after, 'tries', tries,
                          failure_reason)
                        FROM command WHERE state IN (0, 1, 2)"""), query("""
                        SELECT CONCAT_WS(' ', 'transaction', trx_id, trx_state, 'since', trx_started, 'rows',
                          trx_rows_locked, 'of', trx_mysql_thread_id, trx_query)
                        FROM information_schema.innodb_trx"""), query("""
                        SELECT CONCAT_WS(' ', w.requesting_trx_id, 'waits for', w.blocking_trx_id, r.lock_mode,
                          r.lock_table, r.lock_index, r.lock_data)
                        FROM information_schema.innodb_lock_waits w
                        JOIN information_schema.innodb_locks r ON r.lock_id = w.requested_lock_id"""));
    }

    private String query(String text) {
        try {
            return String.join("\n", database.column(text));
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    /** Lets the stopped threads, if there are any, go on. */
    void release() {
        stops.release();
    }

    @Override
    public void close() {
        release();
        front.close();
        try {
            ce.close();
        } finally {
            database.close();
            batch.close();
        }
        Remains.awaitNoProcessOf(ce.base(), database.base());
    }
}
