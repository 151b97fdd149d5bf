package org.gelato.ce.it.htcondor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * HTCondor on both sides: pilots with a proxy go from a factory's schedd through the CE into a pool, while CE and both schedds are killed.
 * 20 pilots, 1 000 with {@code -Dgelato.test.long=true}.
 */
class CondorBothSidesIT {
    private static final int PILOTS = Boolean.getBoolean("gelato.test.long") ? 1000 : 20;
    private static final Duration PATIENCE = Duration.ofMinutes(PILOTS > 20 ? 40 : 4);
    private static final int SLOTS = 40;
    private static final int COMPLETED = 4;

    private static CondorSlots below;
    private static SiteCe ce;
    private static CondorPool factory;

    @BeforeAll
    static void start() throws IOException {
        CondorSlots.missing().ifPresent(reason -> Skipped.because("HTCondor", reason));
        below = CondorSlots.start(Files.createTempDirectory(Path.of("/var/tmp"), "gelato-condor-"), SLOTS);
        ce = new SiteCe(
                        "bothsides",
                        "condor",
                        CondorSlots.ACCOUNT,
                        Map.of("gelato.lrms.condor.config", below.config().toString()))
                .start();
        factory = CondorPool.start(ce);
    }

    @AfterAll
    static void stop() {
        if (factory != null) {
            factory.close();
        }
        if (ce != null) {
            ce.close();
        }
        if (below != null) {
            below.close();
        }
    }

    private static long inThePool() {
        return below.command("condor_q", "-all", "-af", "GelatoTag").lines().count();
    }

    @Test
    void killsLoseNoPilotAndNoneRunsTwice() throws IOException {
        Path runs = Files.createFile(ce.base().resolve("runs"));
        Files.setPosixFilePermissions(runs, PosixFilePermissions.fromString("rw-rw-rw-"));
        Path script = Files.writeString(factory.jobs().resolve("pilot.sh"), """
                #!/bin/sh
                echo "$1 $GRID_GLOBAL_JOBID" >>%s
                sleep 10
                test -s "$X509_USER_PROXY" && echo ran $1
                """.formatted(runs));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        String proxy = Files.readString(ce.pki()
                .proxy(ce.pki().user("Ann of both sides"))
                .write(ce.base().resolve("pilots.pem")));
        int cluster = factory.submit(PILOTS, """
                x509userproxy = %s
                executable = %s
                arguments = $(Process)
                output = pilot.$(Process).out
                log = pilots.log
                periodic_release = true
                """.formatted(factory.secret("pilots.pem", proxy), script));
        Awaitility.await("some pilots are in the pool").atMost(PATIENCE).until(() -> inThePool() >= PILOTS / 4);
        ce.kill();
        below.killSchedd();
        ce.start();
        factory.killSchedd();
        List<JsonNode> ended = factory.await(
                "all are complete",
                cluster,
                PILOTS,
                PATIENCE,
                job -> job.path("JobStatus").asInt() == COMPLETED);
        for (JsonNode job : ended) {
            assertThat(job.path("ExitCode").asInt()).as(job.toString()).isZero();
            int number = job.path("ProcId").asInt();
            assertThat(factory.jobs().resolve("pilot." + number + ".out")).hasContent("ran " + number);
        }
        List<String> lines = Files.readAllLines(runs);
        Map<String, Long> byJob = lines.stream()
                .collect(Collectors.groupingBy(line -> line.substring(line.indexOf(' ')), Collectors.counting()));
        assertThat(byJob.values()).as("runs of each job of the CE").allMatch(times -> times == 1);
        assertThat(lines.stream()
                        .map(line -> line.substring(0, line.indexOf(' ')))
                        .distinct())
                .hasSize(PILOTS);
        // Pilots that HTCondor held as the CE was away, and released, it submits again; of a start that was on its way
        // when the CE was killed it does not know.
        Set<String> submitted = Pattern.compile("GridJobId: arc \\S+ (\\S+)")
                .matcher(Files.readString(factory.jobs().resolve("pilots.log")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        assertThat(lines.stream()
                        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                        .filter(id -> !submitted.contains(id)))
                .as("runs of jobs that HTCondor did not submit")
                .hasSizeLessThanOrEqualTo(1);
    }
}
