package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.fault.SmallDisk;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Debian's Chromium shows the page of a CE in which something is really wrong. What takes days or thousands of jobs to come about, and how the
 * page looks, is shown with fixed data in {@code PageIT}.
 */
@Tag("long")
class PageFaultsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @BeforeAll
    static void needs() {
        if (!Files.isExecutable(Chromium.PROGRAM)) {
            Skipped.because("Chromium", "there is no " + Chromium.PROGRAM + "; install Debian's package chromium");
        }
    }

    private static String data(SiteCe ce) {
        try (InputStream in = ce.get("/dashboard/data?span=hour")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of the verdict and of its problem, as soon as the CE has found it. */
    private static String verdict(SiteCe ce, String title) throws Exception {
        await(title).atMost(PATIENCE).until(() -> data(ce).contains(title));
        try (Chromium browser = new Chromium()) {
            browser.open("https://localhost:" + ce.port() + "/");
            browser.await("document.body && document.body.dataset.shown === 'hour'");
            String shown = browser.value("document.querySelector('#verdict-title').innerText + '\\n'"
                            + " + document.querySelector('#problem').innerText")
                    .asText();
            assertThat(browser.complaints()).as("console").isEmpty();
            return shown;
        }
    }

    @Test
    void theDiskOfTheSandboxesIsFull() throws Exception {
        try (SmallDisk disk = SmallDisk.mount();
                SiteCe ce = new SiteCe(
                        "page-disk",
                        "fork",
                        JobAccount.name(),
                        Map.of(
                                "gelato.sandbox-root",
                                disk.directory().resolve("sandbox").toString(),
                                "gelato.admission.disk",
                                99))) {
            ce.start();
            disk.fill();
            String place = disk.directory().resolve("sandbox").toString();
            assertThat(verdict(ce, "the disk of " + place + " is almost full"))
                    .contains("Error", "New jobs are refused: ", "df -h " + place, "It hits all users who submit");
            assertThat(ce.user("Dora of the disk").run("", "service-info").out())
                    .contains("New jobs      refused");
            disk.empty();
            await().atMost(PATIENCE).until(() -> !data(ce).contains("almost full"));
        }
    }

    @Test
    void slurmctldIsDown() throws Exception {
        Path folder = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-page-slurm-");
        SlurmTestSite slurm = new SlurmTestSite(folder);
        try {
            slurm.prepare().ifPresent(words -> Skipped.because("Slurm", words));
            slurm.start();
            try (SiteCe ce = new SiteCe(
                    "page-slurm",
                    "slurm",
                    SlurmTestSite.ACCOUNT,
                    Map.of("gelato.lrms.slurm.conf", slurm.conf().toString()))) {
                ce.start();
                SiteUser user = ce.user("Sara of slurmctld");
                String running = user.submit(SiteUser.sleepJob(600));
                user.await(running, "REALLY-RUNNING");
                slurm.stopController();
                List<String> waiting = List.of(user.submit(SiteUser.sleepJob(1)), user.submit(SiteUser.sleepJob(1)));
                await().atMost(PATIENCE).until(() -> data(ce).contains("hand-over pauses"));
                String shown = verdict(ce, "Slurm does not respond: 2 jobs wait, none is lost");
                assertThat(shown)
                        .contains("2 jobs are not handed over", "systemctl status slurmctld", "is DOWN")
                        .containsOnlyOnce("is DOWN");
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(
                                        user.must("", "service-info").out())
                                .containsPattern("Waiting +cream-slurm-long, 2 jobs: the hand-over to slurm pauses: "));
                slurm.start();
                user.await(waiting, "DONE-OK");
                user.must("", "cancel", running);
                user.await(running, "CANCELLED");
            }
        } finally {
            slurm.wipe();
        }
    }
}
