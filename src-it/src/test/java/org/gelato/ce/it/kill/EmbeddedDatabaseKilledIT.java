package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The database server that the CE runs itself is killed, twice; the CE is left alone. */
@Tag("long")
class EmbeddedDatabaseKilledIT {
    private static final int JOBS = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Test
    void theServerIsStartedAgainAndNoJobIsLost() throws IOException {
        try (SiteCe ce = new SiteCe("database-killed", "fork", JobAccount.name(), Map.of())) {
            ce.start();
            SiteUser user = ce.user("Alice");
            user.must("", "delegate", "d");
            Path witness = KillSite.witness(ce);
            Path gate = Files.createFile(ce.base().resolve("gate"));
            String job = "[ Executable = \"/bin/bash\"; Arguments = \"-c 'echo $CREAM_JOBID >> " + witness
                    + "; while [ -e " + gate + " ]; do sleep 0.2; done'\"; StdOutput = \"o\"; StdError = \"e\"; ]";
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < JOBS; i++) {
                ids.add(user.submit(job, "-D", "d"));
            }
            await().atMost(PATIENCE).until(() -> !KillSite.runs(witness).isEmpty());
            long process = ce.process().pid();
            assertThat(page(ce, "/metrics")).contains("ce_database_restarts_total 0.0");

            kill(ce);
            await("a second server").atMost(PATIENCE).until(() -> restarts(ce, 1));
            kill(ce);
            Files.delete(gate);
            await("a third server").atMost(PATIENCE).until(() -> restarts(ce, 2));

            // Readiness caches a result for seconds: the one from before the kills is ready too.
            await("the CE is ready again, and reports why")
                    .atMost(PATIENCE)
                    .until(() -> ce.isReady()
                            && page(ce, "/health/ready")
                                    .contains("restarts since the start of the CE: 2, last because it was ended by"
                                            + " signal 9"));
            user.await(ids, "DONE-OK");
            // new jobs from the next sample of the limits on
            AtomicReference<SiteUser.Outcome> accepted = new AtomicReference<>();
            await().atMost(PATIENCE).until(() -> {
                accepted.set(user.run(job, "submit", "-D", "d", "-"));
                return accepted.get().exit() == 0;
            });
            user.await(accepted.get().out().strip(), "DONE-OK");
            assertThat(KillSite.runs(witness))
                    .hasSize(JOBS + 1)
                    .allSatisfy((id, runs) -> assertThat(runs).isEqualTo(1));
            assertThat(ce.process().pid()).isEqualTo(process);
            assertThat(page(ce, "/metrics")).contains("ce_process_starts_total{kind=\"database\"} 3.0");
        }
    }

    private static void kill(SiteCe ce) {
        ProcessHandle server = ce.process()
                .descendants()
                .filter(p -> p.info().command().orElse("").endsWith("mariadbd"))
                .findFirst()
                .orElseThrow();
        assertThat(server.destroyForcibly()).isTrue();
    }

    private static boolean restarts(SiteCe ce, int number) throws IOException {
        return page(ce, "/metrics").contains("ce_database_restarts_total " + number + ".0");
    }

    private static String page(SiteCe ce, String path) throws IOException {
        try (InputStream in = ce.get(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
