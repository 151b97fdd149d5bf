package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.lrms.slurm.SlurmConfig.Api;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A real Slurm that forgets ended jobs at once, whose plugin replaces names and comments, and whose prolog may fail: no job ends but as it
 * did. 10 cancels for each way to Slurm, 500 with {@code -Dgelato.test.long=true}.
 */
class SlurmMeddlingIT {
    private static final int CANCELS = Boolean.getBoolean("gelato.test.long") ? 500 : 10;
    private static final String ALIVE = "pending,running,suspended,completing";
    private static final List<String> PAYLOADS = List.of(
            "exec sleep 7200",
            "trap \\\"exit 0\\\" TERM; sleep 7200 & wait; exit 0",
            "trap : TERM; sleep 7200; exit 0");

    private static final Map<Api, SiteCe> CES = new EnumMap<>(Api.class);
    private static SlurmControl slurm;

    @BeforeAll
    static void start() {
        slurm = SlurmControl.startMeddling();
        for (Api api : List.of(Api.COMMANDS, Api.REST)) {
            CES.put(
                    api,
                    new SiteCe(
                            "meddling",
                            "slurm",
                            SlurmTestSite.ACCOUNT,
                            Map.of(
                                    "gelato.lrms.slurm.conf",
                                    slurm.conf().toString(),
                                    "gelato.lrms.slurm.job-completion-log",
                                    slurm.site().jobCompletionLog().toString(),
                                    "gelato.lrms.slurm.api",
                                    api.name().toLowerCase(Locale.ROOT))));
        }
        CES.values().parallelStream().forEach(SiteCe::start);
    }

    @AfterAll
    static void stop() {
        CES.values().forEach(SiteCe::close);
        if (slurm != null) {
            slurm.close();
        }
    }

    private static SiteUser user(Api api) {
        return CES.get(api).user("Nora of meddling");
    }

    private static String submit(SiteUser user, Api api, String line, String queue) {
        return user.submit(SiteUser.shellJob(line), "-r", CES.get(api).resource(queue));
    }

    /** The jobs outlast the time for which one that is not shown is taken as just handed over. */
    @Test
    void aJobWhoseNameAndCommentWereReplacedIsFollowedAndCancelled() {
        SiteUser user = user(Api.COMMANDS);
        String byPlugin = submit(user, Api.COMMANDS, "sleep 15; exit 5", "short");
        String byAdministrator = submit(user, Api.COMMANDS, "sleep 15; exit 4", "long");
        String cancelled = submit(user, Api.COMMANDS, "exec sleep 7200", "short");
        user.await(List.of(byPlugin, byAdministrator, cancelled), "REALLY-RUNNING");
        String id = slurm.idOf(byAdministrator, ALIVE).orElseThrow();
        slurm.site().command("scontrol", "update", "JobId=" + id, "JobName=x", "Comment=y");
        user.must("", "cancel", cancelled);
        user.await(cancelled, "CANCELLED");
        areGone(List.of(cancelled));
        user.await(List.of(byPlugin, byAdministrator), "DONE-OK");
        assertThat(user.info(byPlugin).path("exitCode").asText()).isEqualTo("5");
        assertThat(user.info(byAdministrator).path("exitCode").asText()).isEqualTo("4");
    }

    @Test
    void aJobWhosePrologFailsWasCancelledByNobody() throws IOException {
        SiteUser user = user(Api.COMMANDS);
        slurm.site().failProlog(true);
        String id;
        try {
            id = submit(user, Api.COMMANDS, "exit 0", "long");
            user.await(id, "DONE-FAILED");
        } finally {
            slurm.site().failProlog(false);
        }
        JsonNode info = user.info(id);
        assertThat(info.path("failureReason").asText()).contains("slurm says: cancelled before its script began");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMMANDS", "REST"})
    void aJobThatIsCancelledAtAnyMomentIsCancelledAndGone(Api api) {
        SiteUser user = user(api);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> all = new ArrayList<>();
        List<String> waiting = new ArrayList<>();
        while (all.size() < CANCELS) {
            String line = PAYLOADS.get(random.nextInt(PAYLOADS.size()));
            String id = submit(user, api, line, random.nextBoolean() ? "short" : "long");
            all.add(id);
            waiting.add(id);
            if (random.nextInt(3) > 0) {
                cancel(user, List.of(waiting.remove(random.nextInt(waiting.size()))));
            }
        }
        cancel(user, waiting);
        Awaitility.await("all are cancelled, seed " + seed)
                .atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() ->
                        assertThat(user.states(all).values()).hasSize(CANCELS).containsOnly("CANCELLED"));
        areGone(all);
    }

    private static void cancel(SiteUser user, List<String> ids) {
        user.awaitHandOver(ids);
        user.must("", Stream.concat(Stream.of("cancel"), ids.stream()).toArray(String[]::new));
    }

    private static void areGone(List<String> ids) {
        Awaitility.await("Slurm runs none of them")
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() ->
                        assertThat(ids).allMatch(id -> slurm.idOf(id, ALIVE).isEmpty()));
    }
}
