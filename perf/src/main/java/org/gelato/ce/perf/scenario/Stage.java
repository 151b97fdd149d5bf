package org.gelato.ce.perf.scenario;

import java.util.Arrays;
import java.util.List;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.Sampler;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.CountStore;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;

/** What every scenario has: a site, its clients, monitors, and threads. Closed by the thread that made it. */
final class Stage implements AutoCloseable {
    /** Submitters of the report. */
    static final int SUBMITTERS = 5;

    private static final int WARM_UP = 100;
    private static final JobState[] BAD = {JobState.DONE_FAILED, JobState.ABORTED, JobState.CANCELLED};

    private final PerfSite site;
    private final List<Client> clients;
    private final Sampler sampler;
    private final CountStore counts;
    private final Crew crew = new Crew();
    private final RunRecord protocol;

    private Stage(PerfSite site, List<Client> clients, RunRecord protocol) {
        this.site = site;
        this.clients = clients;
        this.protocol = protocol;
        sampler = new Sampler(site);
        counts = site.counts();
    }

    /**
     * Opens all of it. The CE has brought some jobs to their end before anything is measured.
     *
     * @param users each with a delegated proxy
     */
    static Stage open(SitePlan plan, int clients, int users, RunRecord protocol) {
        PerfSite site = PerfSite.start(plan);
        try {
            List<Client> all = Client.open(site, clients, users);
            if (plan.slots() > 0) {
                new Lives(site).underLoad(all, WARM_UP);
                protocol.count("warm_up_jobs", WARM_UP);
            }
            return new Stage(site, all, protocol);
        } catch (RuntimeException e) {
            site.close();
            throw e;
        }
    }

    PerfSite site() {
        return site;
    }

    List<Client> clients() {
        return clients;
    }

    /** For the thread that made this stage. */
    CountStore counts() {
        return counts;
    }

    Crew crew() {
        return crew;
    }

    Sampler sampler() {
        return sampler;
    }

    /** A phase begins now. */
    void mark(String phase) {
        protocol.mark(phase, sampler.seconds());
    }

    /** Waits until no job is on its way. */
    void awaitEnds() {
        Lives.await("the end of all jobs", site.store()::notEnded);
    }

    /** Writes down what became of the jobs, and checks that none failed, ran twice, or has a command left. */
    void endings() {
        SiteSample end = sampler.now();
        protocol.failures(counts.failureReasons());
        for (JobState state : JobState.values()) {
            if (end.in(state) > 0) {
                protocol.count("state." + state.wireName(), end.in(state));
            }
        }
        protocol.check(Check.none(
                "jobs_failed_or_cancelled",
                Arrays.stream(BAD).mapToLong(end::in).sum()));
        protocol.check(Check.none("payloads_run_twice", counts.ranTwice()));
        protocol.check(Check.none("commands_left", counts.openCommands()));
    }

    /** Writes down what the CE, helper and database used for so many jobs between two samples, and what was counted. */
    static void cost(RunRecord protocol, String prefix, SiteSample from, SiteSample to, Counters counted, double jobs) {
        protocol.count(prefix + "seconds", to.seconds() - from.seconds());
        double all = to.cpuMillis() - from.cpuMillis();
        protocol.count(prefix + "cpu_ms_per_job", all / jobs);
        protocol.count(
                prefix + "cpu_ms_per_job.jvm", (to.ce().cpuMillis() - from.ce().cpuMillis()) / jobs);
        protocol.count(
                prefix + "cpu_ms_per_job.helper",
                (to.helper().cpuMillis() - from.helper().cpuMillis()) / jobs);
        protocol.count(
                prefix + "cpu_ms_per_job.database",
                (to.database().cpuMillis() - from.database().cpuMillis()) / jobs);
        protocol.count(
                prefix + "cpu_ms_per_job.batch",
                (to.batch().cpuMillis() - from.batch().cpuMillis()) / jobs);
        if (counted != null) {
            protocol.count(prefix + "cpu_ms_per_job.stub_in_jvm", counted.stubCpuMillis() / jobs);
            protocol.count(prefix + "sql_per_job", counted.sql() / jobs);
            protocol.count(prefix + "commits_per_job", counted.commits() / jobs);
            counted.programs().forEach((name, starts) -> protocol.count(prefix + "starts." + name, starts));
        }
    }

    /** Writes down the peaks of all samples, and hands them over. */
    void finish() {
        List<SiteSample> all = sampler.samples();
        protocol.count(
                "ce_rss_mib_peak",
                all.stream().mapToLong(s -> s.ce().rssKib()).max().orElse(0) >> 10);
        protocol.count(
                "ce_descriptors_peak",
                all.stream().mapToInt(s -> s.ce().descriptors()).max().orElse(0));
        protocol.count(
                "ce_threads_peak",
                all.stream().mapToInt(s -> s.ce().threads()).max().orElse(0));
        protocol.count(
                "queued_peak", all.stream().mapToLong(SiteSample::queued).max().orElse(0));
        protocol.count(
                "running_peak",
                all.stream().mapToLong(SiteSample::running).max().orElse(0));
        protocol.samples(all);
    }

    @Override
    public void close() {
        crew.close();
        sampler.close();
        counts.close();
        site.close();
    }
}
