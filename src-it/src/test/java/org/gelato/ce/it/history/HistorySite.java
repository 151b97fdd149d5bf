package org.gelato.ce.it.history;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.it.fault.SmallDisk;
import org.gelato.ce.it.kill.KillSite;
import org.gelato.ce.it.kill.Relay;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.slurm.SlurmTestSite;

/** A {@link KillSite}, with a second front end on its database where a history wants one. */
final class HistorySite implements AutoCloseable {
    private static final int DIGITS = 9;

    private static final String SWEEPS = "2 s";

    private final SmallDisk disk;
    private final KillSite site;
    private final SiteCe second;
    private final Relay secondFront;

    /**
     * A site.
     *
     * @param frontEnds one or two
     * @param disk for the database, or null
     */
    HistorySite(int frontEnds, SmallDisk disk) {
        this.disk = disk;
        site = new KillSite(
                "history",
                disk == null ? Path.of("/var/tmp") : disk.directory(),
                Map.of("gelato.jobs.lease-sweep-interval", SWEEPS));
        second = frontEnds > 1 ? second() : null;
        secondFront = second == null ? null : new Relay(second.port());
        if (second != null) {
            try {
                startSecond();
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }
    }

    private SiteCe second() {
        Map<String, Object> settings = new HashMap<>(site.database().settings());
        SiteCe first = site.ce();
        settings.put("gelato.lrms.slurm.conf", site.slurm().conf().toString());
        settings.put("gelato.node", "second");
        settings.put("gelato.jobs.lease-sweep-interval", SWEEPS);
        settings.put("gelato.sandbox-root", first.base().resolve("sandbox").toString());
        settings.put(
                "gelato.delegation.key-file",
                first.base().resolve("state/delegation.key").toString());
        settings.put("gelato.authorization.gridmap", first.gridmap().toString());
        settings.put("gelato.tls.ca-directory", first.pki().certificates().toString());
        settings.put("gelato.tls.voms-directory", first.pki().vomsdir().toString());
        return new SiteCe("history-second", "slurm", SlurmTestSite.ACCOUNT, settings);
    }

    void startSecond() {
        KillSite.start(second);
    }

    KillSite first() {
        return site;
    }

    /** The file system of the database; null where it has none of its own. */
    SmallDisk disk() {
        return disk;
    }

    /** A job that writes its id into the witness file, sends messages, each with its job and number, and sleeps. */
    String job(int seconds, int messages) {
        String sends = messages == 0
                ? ""
                : "for i in `seq " + messages
                        + "`; do echo ${CREAM_JOBID##*/} $i; sleep 0.4; done | gelato-message --key step -; ";
        return site.job(sends, seconds);
    }

    boolean hasSecond() {
        return second != null;
    }

    /** The second front end. */
    SiteCe secondCe() {
        return second;
    }

    Relay secondFront() {
        return secondFront;
    }

    /** A new user's proxy. */
    GridCredential proxy(String user) {
        return site.ce().pki().proxy(site.ce().pki().user(user)).make();
    }

    /** Requests to the front ends, through what can be cut. */
    HttpCalls calls(GridCredential proxy) {
        List<HttpCalls.Front> fronts = new ArrayList<>();
        fronts.add(new HttpCalls.Front(site.front().port(), site.ce().tls(proxy)));
        if (hasSecond()) {
            fronts.add(new HttpCalls.Front(secondFront.port(), second.tls(proxy)));
        }
        return new HttpCalls(fronts);
    }

    /** How often payloads began, by job. */
    Map<String, Integer> runs() {
        return KillSite.runs(site.witness()).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> Math.toIntExact(e.getValue())));
    }

    /** The usage records, by job. */
    Map<String, History.Usage> usage() {
        Map<String, History.Usage> usage = new HashMap<>();
        for (String row : site.database()
                .column("SELECT CONCAT_WS(' ', LPAD(job_number, " + DIGITS
                        + ", '0'), state, running_at IS NOT NULL) FROM usage_record")) {
            String[] words = row.split(" ");
            usage.put(
                    "CREAM" + words[0],
                    new History.Usage(JobState.ofCode(Integer.parseInt(words[1])), words[2].equals("1")));
        }
        return usage;
    }

    @Override
    public void close() {
        try {
            if (second != null) {
                secondFront.close();
                second.close();
            }
        } finally {
            site.close();
            if (disk != null) {
                disk.close();
            }
        }
    }
}
