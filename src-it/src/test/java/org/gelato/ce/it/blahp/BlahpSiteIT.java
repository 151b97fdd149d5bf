package org.gelato.ce.it.blahp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole jobs through a blahpd that responds as a recorded one and really runs its jobs. */
@Tag("long")
class BlahpSiteIT {
    private static Path base;
    private static SiteCe ce;

    @BeforeAll
    static void start() throws IOException {
        base = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-blahpd-");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        Files.writeString(base.resolve("answers"), """
                BLAH_JOB_SUBMIT *\tRUN
                BLAH_JOB_STATUS *\tRUN
                BLAH_JOB_CANCEL *\tRUN
                """);
        Path doubleOfBlahpd = Path.of("..", "ce-blah-bridge", "src", "test", "resources", "blahp", "blahpd.pl");
        ce = new SiteCe(
                        "blahp",
                        "lsf",
                        JobAccount.name(),
                        Map.of(
                                "gelato.lrms.kind",
                                "blahp",
                                "gelato.lrms.blahp.command",
                                List.of(
                                        "/usr/bin/perl",
                                        doubleOfBlahpd.toRealPath().toString(),
                                        base.resolve("answers").toString(),
                                        base.resolve("journal").toString(),
                                        base.resolve("accounting").toString()),
                                "gelato.lrms.blahp.grid-type",
                                "lsf",
                                "gelato.lrms.blahp.sudo",
                                true,
                                "gelato.lrms.blahp.accounting-log",
                                base.resolve("accounting").toString()))
                .start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (ce != null) {
            ce.close();
        }
        SiteCe.remove(base);
    }

    @Test
    void jobsRunOnceAsTheirAccountAndEndAsTheirWrappersSay() throws IOException {
        SiteUser user = ce.user("Alice");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(user.submit(SiteUser.shellJob("id -un")));
        }
        String failing = user.submit(SiteUser.shellJob("exit 3"));
        user.await(ids, "DONE-OK");
        user.await(failing, "DONE-OK");
        assertThat(user.info(failing).path("exitCode").asText()).isEqualTo("3");
        Path target = base.resolve("output");
        user.must("", "output", "-d", target.toString(), ids.get(0));
        assertThat(target.resolve("env.out")).hasContent(JobAccount.name());
        assertThat(Files.readAllLines(base.resolve("journal")))
                .filteredOn(line -> line.startsWith("BLAH_JOB_SUBMIT"))
                .hasSize(6);
        assertThat(Files.readString(ce.log())).doesNotContain(" ERROR ");
    }

    @Test
    void aRunningJobIsCancelled() {
        SiteUser user = ce.user("Bob");
        String id = user.submit(SiteUser.sleepJob(600));
        user.await(id, "REALLY-RUNNING");
        user.must("", "cancel", id);
        user.await(id, "CANCELLED");
    }
}
