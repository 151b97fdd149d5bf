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
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An administrator stops the database and starts it again; the CE is not touched. */
@Tag("long")
class DatabaseRestartIT {
    private static final int JOBS = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Test
    void jobsEndWhileTheDatabaseIsAwayAndNoneIsLost() throws IOException {
        try (KillableDatabase database = new KillableDatabase();
                SiteCe ce = new SiteCe("database-restart", "fork", JobAccount.name(), database.settings())) {
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
            // some run, and others wait for a slot
            await().atMost(PATIENCE).until(() -> !KillSite.runs(witness).isEmpty());
            long process = ce.process().pid();

            database.stop();
            Files.delete(gate);
            await("the CE reports that it is not ready").atMost(PATIENCE).until(() -> !ce.isReady());
            // what needs no database is served
            assertThat(page(ce, "/health/live")).isNotNull();
            assertThat(page(ce, "/ce-cream/services/CREAM2?wsdl")).contains("definitions");
            assertThat(page(ce, "/metrics")).contains("ce_sql_statements_total");
            SiteUser.Outcome refused = user.run("", "status", ids.get(0));
            assertThat(refused.exit()).isNotZero();
            assertThat(refused.err()).contains("database");
            SiteUser.Outcome unregistered = user.run(job, "submit", "-D", "d", "-");
            assertThat(unregistered.exit()).isNotZero();

            database.restart();
            await("the CE is ready again").atMost(PATIENCE).until(ce::isReady);
            user.await(ids, "DONE-OK");
            // new jobs from the next sample of the limits on
            AtomicReference<SiteUser.Outcome> accepted = new AtomicReference<>();
            await().atMost(PATIENCE).until(() -> {
                accepted.set(user.run(job, "submit", "-D", "d", "-"));
                return accepted.get().exit() == 0;
            });
            String next = accepted.get().out().strip();
            user.await(next, "DONE-OK");
            ids.add(next);
            assertThat(KillSite.runs(witness))
                    .hasSize(JOBS + 1)
                    .allSatisfy((id, runs) -> assertThat(runs).isEqualTo(1));
            assertThat(ce.process().pid()).isEqualTo(process);
            TreeSet<String> jobs = new TreeSet<>();
            ids.forEach(id -> jobs.add(id.substring(id.lastIndexOf('/') + 1)));
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(Remains.of(database, ce.base().resolve("sandbox"), jobs))
                                    .isEmpty());
        }
    }

    private static String page(SiteCe ce, String path) throws IOException {
        try (InputStream in = ce.get(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
