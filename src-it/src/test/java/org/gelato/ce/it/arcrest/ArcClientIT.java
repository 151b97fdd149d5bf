package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.junit.jupiter.api.Test;

/** Debian's ARC client against a CE: submission with an input file, states, output, kill, synchronization. */
class ArcClientIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Path home;
    private SiteCe ce;

    @Test
    void jobs_of_arcsub_run_and_are_fetched_killed_and_found_again() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/arcsub")), "nordugrid-arc-client is not installed");
        try (SiteCe site = new SiteCe("arcclient", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", 2))) {
            ce = site.start();
            home = Files.createDirectory(ce.base().resolve("arc"));
            ce.pki().proxy(ce.pki().user("Ann of arcsub")).write(home.resolve("proxy.pem"));
            Files.writeString(home.resolve("in.txt"), "some input data\n");
            Files.writeString(
                    home.resolve("job.xrsl"),
                    "&(executable=/bin/sh)(arguments=-c \"cat in.txt; echo done > out.txt\")(jobname=files)"
                            + "(stdout=stdout.txt)(inputfiles=(in.txt \"\"))(outputfiles=(out.txt \"\"))(queue=long)");
            Files.writeString(home.resolve("sleep.xrsl"), "&(executable=/bin/sleep)(arguments=600)(queue=long)");

            assertThat(arc("arcsub", "-T", "arcrest", "-Q", "NONE", "-C", url(), "job.xrsl"))
                    .contains("Job submitted with jobid: " + url() + "/rest/1.0/jobs/CREAM");
            await("Finished");
            assertThat(arc("arcstat", "-a")).contains("Name: files", "Exit Code: 0");
            assertThat(arc("arccat", "-a")).contains("some input data");
            assertThat(arc("arcget", "-a")).contains("successfully retrieved: 1, successfully cleaned: 1");
            try (var files = Files.walk(home)) {
                assertThat(files.filter(file -> file.endsWith("out.txt")))
                        .singleElement()
                        .satisfies(file -> assertThat(file).hasContent("done"));
            }

            // Without -Q NONE the client reads the description of the site and chooses a queue by it.
            assertThat(arc("arcsub", "-T", "arcrest", "-C", url(), "sleep.xrsl"))
                    .contains("Job submitted");
            await("Running");
            Files.delete(home.resolve(".arc/jobs.dat"));
            assertThat(arc("arcsync", "-f", "-c", url())).contains("Total number of new jobs found: 1");
            assertThat(arc("arckill", "-a")).contains("successfully killed: 1");
        }
    }

    private String url() {
        return "https://localhost:" + ce.port() + "/arex";
    }

    private void await(String state) {
        Awaitility.await("arcstat shows " + state)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> arc("arcstat", "-a").contains("State: " + state));
    }

    private String arc(String... command) {
        try {
            List<String> words = new ArrayList<>(List.of(command));
            words.set(0, "/usr/bin/" + command[0]);
            Path out = Files.createTempFile(home, "out", ".txt");
            ProcessBuilder builder = new ProcessBuilder(words)
                    .directory(home.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile());
            builder.environment().put("HOME", home.toString());
            builder.environment()
                    .put("X509_USER_PROXY", home.resolve("proxy.pem").toString());
            builder.environment().put("X509_CERT_DIR", ce.pki().certificates().toString());
            Process process = builder.start();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", command) + " does not end: " + Files.readString(out));
            }
            return Files.readString(out);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
