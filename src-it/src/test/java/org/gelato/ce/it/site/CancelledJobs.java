package org.gelato.ce.it.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/**
 * Running jobs that are cancelled in each way, with payloads that end well on SIGTERM, whose child dies first, and that ignore it. One of
 * each, two with {@code -Dgelato.test.long=true}; 500 for each way, in rounds of 50, with {@code -Dgelato.soak.minutes}.
 */
public final class CancelledJobs {
    private static final int EACH = Boolean.getBoolean("gelato.test.long") ? 6 : 3;
    private static final int AT_ONCE = 50;
    private static final int ROUNDS = Long.getLong("gelato.soak.minutes", 0) > 0 ? 10 : 1;
    private static final List<String> PAYLOADS = List.of(
            "trap \\\"exit 0\\\" TERM; sleep 7200 & wait; exit 0",
            "trap : TERM; sleep 7200; exit 0",
            "trap \\\"\\\" TERM; sleep 7200; sleep 7200");

    private final SiteCe ce;
    private final SiteUser user;
    private int leases;

    public CancelledJobs(SiteCe ce) {
        this.ce = ce;
        this.user = ce.user("Cora of cancels");
    }

    /** Names that the batch system knows jobs by. */
    public static List<String> tags(List<String> ids) {
        return ids.stream().map(id -> "cream_" + id.substring(id.length() - 9)).toList();
    }

    public void byTheirUser() {
        rounds(ids -> {
            List<String> command = new ArrayList<>(List.of("cancel"));
            command.addAll(ids);
            user.must("", command.toArray(new String[0]));
            cancelled(ids, "Cancelled by user");
        });
    }

    public void byALeaseThatRanOut() {
        rounds(ids -> {
            String lease = "cancels" + ++leases;
            user.must("", "lease", "set", lease, "-T", "3600");
            List<String> command = new ArrayList<>(List.of("lease", "attach", "-L", lease));
            command.addAll(ids);
            user.must("", command.toArray(new String[0]));
            // So far ahead that the call has arrived by then.
            user.must("", "lease", "set", lease, "-T", "10");
            cancelled(ids, "ease");
        });
    }

    /** @param canceller cancels jobs of these names in the batch system */
    public void byAnAdministrator(Consumer<List<String>> canceller) {
        rounds(ids -> {
            canceller.accept(tags(ids));
            cancelled(ids, "Cancelled by CE admin");
        });
    }

    /** The same with a CE that is killed before and started after. */
    public void whileTheCeIsAway(Consumer<List<String>> canceller) {
        rounds(ids -> {
            ce.kill();
            canceller.accept(tags(ids));
            ce.start();
            cancelled(ids, "Cancelled by CE admin");
        });
    }

    private void rounds(Consumer<List<String>> way) {
        for (int i = 0; i < ROUNDS; i++) {
            way.accept(running());
        }
    }

    private List<String> running() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < (ROUNDS > 1 ? AT_ONCE : EACH); i++) {
            ids.add(user.submit(SiteUser.shellJob(PAYLOADS.get(i % PAYLOADS.size()))));
        }
        user.await(ids, "REALLY-RUNNING");
        return ids;
    }

    private void cancelled(List<String> ids, String why) {
        Awaitility.await("all jobs are cancelled")
                .atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(ends(ids)).isEqualTo(Map.of("CANCELLED", ids.size())));
        for (String id : ids) {
            JsonNode info = user.info(id);
            assertThat(info.path("description").asText()).as("%s", info).contains(why);
        }
    }

    private Map<String, Integer> ends(List<String> ids) {
        Map<String, Integer> counts = new TreeMap<>();
        user.states(ids).values().forEach(state -> counts.merge(state, 1, Integer::sum));
        return counts;
    }
}
