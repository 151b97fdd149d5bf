package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.it.kill.KillSite;
import org.gelato.ce.it.kill.Relay;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.slurm.SlurmTestSite;

/** A {@link KillSite}, with a second front end on its database where a history wants one. */
final class HistorySite implements AutoCloseable {
    private static final int DIGITS = 9;

    private final KillSite site;
    private final SiteCe second;
    private final Relay secondFront;

    /** @param frontEnds one or two */
    HistorySite(int frontEnds) {
        site = new KillSite("history");
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
        }
    }
}
