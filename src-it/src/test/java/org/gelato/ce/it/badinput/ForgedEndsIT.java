package org.gelato.ce.it.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Payloads that put something else into the place of their exit record and kill their wrapper. */
@Tag("long")
class ForgedEndsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Set<String> ENDS = Set.of("DONE-FAILED", "DONE-OK", "CANCELLED", "ABORTED");

    private static SiteCe ce;
    private static SiteUser user;

    @BeforeAll
    static void start() {
        ce = new SiteCe("forged-ends", "fork", JobAccount.name(), Map.of());
        ce.start();
        user = ce.user("Alice");
        user.must("", "delegate", "d");
    }

    @AfterAll
    static void stop() {
        ce.close();
    }

    @Test
    void whatIsNoExitRecordDoesNotKeepAJobRunning() throws IOException {
        Map<String, String> kinds = new LinkedHashMap<>();
        kinds.put("mkfifo $HOME/exit", "not a regular file");
        kinds.put("mkdir $HOME/exit", "not a regular file");
        kinds.put("ln -s /etc/passwd $HOME/exit", "a symbolic link is in the way");
        kinds.put("echo nonsense > $HOME/exit", "not what a wrapper writes at its end");
        kinds.put("head -c 100000 /dev/zero > $HOME/exit", "longer than 8192 bytes");
        kinds.put(
                "env -i job=${CREAM_JOBID##*/} attempt=1 event=DONE time=1 exit=0 token=x > $HOME/exit",
                "without the job");
        Map<String, String> jobs = new LinkedHashMap<>();
        kinds.forEach((line, refusal) ->
                jobs.put(user.submit(SiteUser.shellJob(line + "; kill -9 $PPID"), "-D", "d"), refusal));

        await("all jobs end")
                .atMost(PATIENCE)
                .until(() -> ENDS.containsAll(user.states(jobs.keySet()).values()));

        String log = Files.readString(ce.log());
        jobs.forEach((id, refusal) -> {
            assertThat(user.state(id)).as(id).isEqualTo("DONE-FAILED");
            assertThat(user.info(id).toString()).contains("does not count: " + refusal);
            String number = id.substring(id.lastIndexOf('/') + 1);
            List<String> warnings = log.lines()
                    .filter(l -> l.contains("exit record of " + number))
                    .toList();
            assertThat(warnings).as("one line for each job").hasSize(1);
        });
    }

    @Test
    void anEndThatIsSentEarlyIsNamedWhileTheJobRunsOn() throws IOException {
        Path gate = Files.createFile(ce.base().resolve("gate"));
        String job = user.submit(
                SiteUser.shellJob("eval $(grep -h -e ^__gelato_token= -e ^__gelato_events= $HOME/*_jobWrapper.sh);"
                        + " env -i job=${CREAM_JOBID##*/} attempt=1 event=DONE time=1 exit=0 token=$__gelato_token"
                        + " > $__gelato_events/tmp/x; mv $__gelato_events/tmp/x $__gelato_events/x;"
                        + " while [ -e " + gate + " ]; do sleep 0.2; done"),
                "-D",
                "d");
        user.await(job, "DONE-OK");
        String number = job.substring(job.lastIndexOf('/') + 1);
        await("it is named")
                .atMost(PATIENCE)
                .until(() -> Files.readString(ce.log())
                        .lines()
                        .anyMatch(line -> line.contains("whose wrappers have reported their end")
                                && line.contains(number + " as ")));
        Files.delete(gate);
        assertThat(user.state(job)).isEqualTo("DONE-OK");
    }
}
