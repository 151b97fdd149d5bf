package org.gelato.ce.perf.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.testkit.condor.CondorTestSite;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.gelato.ce.testkit.torque.TorqueStandIn;

/**
 * The batch system of one measurement, started and removed with it.
 *
 * @param account jobs run as it: never root
 * @param settings keys of the CE's configuration
 * @param programs the batch system's programs, counted; null where it has none
 * @param bare its own command, for a user without a CE; null where it has none
 * @param hold lets jobs queue and none begin; null where that cannot be set
 * @param end stops and removes it
 */
record BatchSite(
        String account,
        Map<String, Object> settings,
        CountedPrograms programs,
        PlainSubmission plain,
        Runnable hold,
        Runnable end)
        implements AutoCloseable {
    private static final String UNPRIVILEGED = "nobody";
    private static final String CONDOR_ACCOUNT = "gelatopool";

    /**
     * @param base of the measurement
     * @throws NotPossibleException when it cannot be had here
     */
    static BatchSite start(SitePlan plan, Path base) throws IOException {
        return switch (plan.batch()) {
            case STUB -> new BatchSite(ownOrNobody(), Map.of(), null, null, null, () -> {});
            case FORK ->
                new BatchSite(
                        ownOrNobody(), Map.of("gelato.lrms.fork.slots", plan.slots()), null, null, null, () -> {});
            case SLURM -> slurm(plan, base);
            case TORQUE -> torque(plan, base);
            case CONDOR -> condor(plan, base);
        };
    }

    private static String ownOrNobody() {
        String own = System.getProperty("user.name");
        return own.equals("root") ? UNPRIVILEGED : own;
    }

    private static BatchSite slurm(SitePlan plan, Path base) throws IOException {
        SlurmTestSite site = new SlurmTestSite(base.resolve("slurm"), plan.slots());
        Optional<String> reason = site.prepare();
        if (reason.isPresent()) {
            throw new NotPossibleException("no Slurm here: " + reason.get());
        }
        try {
            site.start();
            CountedPrograms programs = CountedPrograms.make(
                    base.resolve("counted"), Path.of("/usr/bin"), "sbatch", "scancel", "squeue", "scontrol", "sacct");
            return new BatchSite(
                    SlurmTestSite.ACCOUNT,
                    Map.of(
                            "gelato.lrms.slurm.conf",
                            site.conf().toString(),
                            "gelato.lrms.slurm.bin-directory",
                            programs.directory().toString()),
                    programs,
                    new PlainSubmission(
                            base,
                            SlurmTestSite.ACCOUNT,
                            Map.of("SLURM_CONF", site.conf().toString()),
                            List.of(
                                    likewise(base, Path.of("/usr/bin"), "sbatch"),
                                    "-p",
                                    PerfSite.QUEUE,
                                    "-o",
                                    "/dev/null"),
                            List.of("/usr/bin/squeue", "-h", "-t", "CD", "-n", PlainSubmission.NAME, "-o", "%i")),
                    site::hold,
                    site::wipe);
        } catch (IOException | RuntimeException e) {
            site.wipe();
            throw e;
        }
    }

    private static BatchSite torque(SitePlan plan, Path base) throws IOException {
        Optional<String> reason = TorqueStandIn.missing();
        if (reason.isPresent()) {
            throw new NotPossibleException(reason.get());
        }
        TorqueStandIn site = new TorqueStandIn(base.resolve("torque"), "torque.example", List.of(PerfSite.QUEUE));
        try {
            site.settings().slots(plan.slots());
            site.start();
            CountedPrograms programs = CountedPrograms.make(
                    base.resolve("counted"), site.binDirectory(), "qsub", "qdel", "qstat", "qhold", "qrls");
            Map<String, Object> settings = new HashMap<>(site.configuration());
            settings.put(
                    "gelato.lrms.torque.bin-directory", programs.directory().toString());
            PlainSubmission plain = new PlainSubmission(
                    base,
                    ownOrNobody(),
                    Map.of(),
                    List.of(
                            likewise(base, site.binDirectory(), "qsub"),
                            "-q",
                            PerfSite.QUEUE,
                            "-o",
                            "/dev/null",
                            "-e",
                            "/dev/null"),
                    List.of());
            return new BatchSite(
                    ownOrNobody(),
                    settings,
                    programs,
                    plain,
                    () -> site.settings().slots(0),
                    site::wipe);
        } catch (IOException | RuntimeException e) {
            site.wipe();
            throw e;
        }
    }

    private static BatchSite condor(SitePlan plan, Path base) throws IOException {
        Optional<String> reason = CondorTestSite.missing("condor_startd");
        if (reason.isPresent()) {
            throw new NotPossibleException("no HTCondor here: " + reason.get());
        }
        Path bin = Path.of("/usr/bin");
        CondorTestSite site = new CondorTestSite(
                base.resolve("condor"), CONDOR_ACCOUNT, Map.of("CONDOR_SLOTS", Integer.toString(plan.slots())));
        try {
            site.step("start");
            CountedPrograms programs = CountedPrograms.make(
                    base.resolve("counted"),
                    bin,
                    "condor_submit",
                    "condor_rm",
                    "condor_hold",
                    "condor_release",
                    "condor_suspend",
                    "condor_continue",
                    "condor_qedit",
                    "condor_status",
                    "condor_config_val",
                    "condor_q",
                    "condor_history");
            return new BatchSite(
                    CONDOR_ACCOUNT,
                    Map.of(
                            "gelato.lrms.condor.config",
                            site.config().toString(),
                            "gelato.lrms.condor.bin-directory",
                            programs.directory().toString()),
                    programs,
                    new PlainSubmission(
                            base,
                            CONDOR_ACCOUNT,
                            Map.of("CONDOR_CONFIG", site.config().toString()),
                            List.of(likewise(base, bin, "condor_submit"), "-terse"),
                            List.of(),
                            "executable = /bin/true\nshould_transfer_files = no\ntransfer_executable = false\nqueue\n"),
                    () -> site.command("condor_off", "-fast", "-startd"),
                    site::close);
        } catch (IOException | RuntimeException e) {
            site.close();
            throw e;
        }
    }

    /** The command behind a script as the CE's, but of its own: its starts are not those of the CE. */
    private static String likewise(Path base, Path original, String name) throws IOException {
        return CountedPrograms.make(base.resolve("bare"), original, name)
                .directory()
                .resolve(name)
                .toString();
    }

    @Override
    public void close() {
        end.run();
    }
}
