package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.ws.boot.Main;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * The database and the CE's own directory are lost with their host, and a backup from before the latest jobs is restored
 * beside a batch system and sandboxes that are still there.
 */
@Tag("long")
class RestoreIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Test
    void afterABackupWasRestoredNoJobRunsTwiceAndNoNumberIsGivenAgain() throws IOException {
        try (KillSite site = new KillSite("restore")) {
            SiteCe ce = site.ce();
            SiteUser user = ce.user("Alice");
            PatientClient client = site.client("Alice");
            user.must("", "delegate", "d");
            Path early = gate(ce, "early");
            Path late = gate(ce, "late");
            String ended = user.submit(gated(site, null), "-D", "d");
            user.await(ended, "DONE-OK");
            String running = user.submit(gated(site, early), "-D", "d");
            user.await(running, "REALLY-RUNNING");
            List<String> registered = client.register(2, gated(site, null), "d");

            Path backup = site.database().backUp();
            Path key = Files.copy(
                    ce.base().resolve("state/delegation.key"), ce.base().resolve("key"));
            await().atMost(PATIENCE).until(ce::isReady);
            client.start(registered.subList(0, 1));
            // The pool may still have connections of the server that was stopped for the copy: this client repeats.
            String lost = client.submit(1, gated(site, late), "d").get(0);
            await("the lost ones run")
                    .atMost(PATIENCE)
                    .until(() -> KillSite.runs(site.witness()).size() == 4);
            Files.delete(early);
            user.await(running, "DONE-OK");
            await().atMost(PATIENCE).until(() -> user.states(registered).containsValue("DONE-OK"));

            ce.kill();
            SiteCe.remove(ce.base().resolve("state"));
            site.database().restore(backup);
            StringWriter err = new StringWriter();
            assertThat(restored(ce, err)).isEqualTo(1);
            assertThat(err.toString()).contains("delegation.key does not exist: restore it from the same backup");
            Files.createDirectory(ce.base().resolve("state"));
            Files.copy(key, ce.base().resolve("state/delegation.key"));
            assertThat(restored(ce, err)).isZero();
            assertThat(restored(ce, err)).as("it may be repeated").isZero();
            site.startCe();

            // what the backup has is answered for, and has not run again
            user.await(List.of(ended, running), "DONE-OK");
            assertThat(user.states(registered).values()).containsOnly("REGISTERED");
            client.start(registered);
            user.await(registered, "DONE-OK");
            // what it has not is unknown, and its number is not another job's
            assertThat(user.state(lost)).isNotEqualTo("DONE-OK").isNotEqualTo("REALLY-RUNNING");
            Set<String> fresh = new HashSet<>(client.submit(3, gated(site, null), "d"));
            user.await(fresh, "DONE-OK");
            assertThat(fresh).doesNotContain(lost);
            Files.delete(late);
            assertThat(site.slurm().submissions().values())
                    .as("looked up before anything was handed over again")
                    .hasSize(8)
                    .containsOnly(1L);
            Map<String, Long> runs = KillSite.runs(site.witness());
            assertThat(runs).hasSize(8);
            assertThat(runs.values()).containsOnly(1L);
            user.must("", "renew", "d");
        }
    }

    private static Path gate(SiteCe ce, String name) throws IOException {
        return Files.createFile(ce.base().resolve(name));
    }

    private static String gated(KillSite site, Path gate) {
        String wait = gate == null ? "true" : "while [ -e " + gate + " ]; do sleep 0.2; done";
        return "[ BatchSystem = \"slurm\"; QueueName = \"long\"; Executable = \"/bin/bash\"; Arguments = \"-c 'echo $CREAM_JOBID >> "
                + site.witness() + "; " + wait + "'\"; StdOutput = \"o\"; StdError = \"e\"; ]";
    }

    private static int restored(SiteCe ce, StringWriter err) {
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(err, true));
        return line.execute("restored", "--config", ce.configuration().toString());
    }
}
