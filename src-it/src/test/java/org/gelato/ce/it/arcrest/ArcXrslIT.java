package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Debian's ARC client makes of xRSL that A-REX takes, against a CE: taken, with its meaning. */
class ArcXrslIT {
    @TempDir
    private static Path snippets;

    private static SiteCe ce;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/arcsub")), "nordugrid-arc-client is not installed");
        Map<String, Object> settings = new HashMap<>();
        settings.put("gelato.lrms.fork.slots", 4);
        // Servers of files are away in these tests.
        settings.put("gelato.wrapper.transfer-patience", "1 s");
        Files.createDirectories(snippets.resolve("ENV"));
        Files.writeString(snippets.resolve("ENV/ONE"), "export MYRTE=one\n");
        settings.put("gelato.wrapper.runtime-environments", snippets.toString());
        ce = new SiteCe("arcxrsl", "fork", JobAccount.name(), settings);
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static ArcClient client(String name) {
        Path proxy = ce.pki().proxy(ce.pki().user(name)).write(ce.base().resolve("arc-" + name + ".pem"));
        return new ArcClient(ce, name, Map.of("X509_USER_PROXY", proxy.toString()));
    }

    private static String xrsl(String name) {
        try (InputStream in = ArcXrslIT.class.getResourceAsStream("/arc-xrsl/" + name + ".xrsl")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\"demo\"", "\"long\"");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String submit(ArcClient client, String text, String... options) {
        client.file("job.xrsl", text);
        List<String> command =
                new ArrayList<>(List.of("arcsub", "-d", "INFO", "-T", "arcrest", "-Q", "NONE", "-C", client.url()));
        command.addAll(List.of(options));
        command.add("job.xrsl");
        String said = client.run(command.toArray(String[]::new));
        assertThat(said).as(text).contains("Job submitted with jobid: " + client.url() + "/rest/1.0/jobs/CREAM");
        return said.replaceFirst("(?s).*Job submitted with jobid: (\\S+).*", "$1");
    }

    @Test
    void whatNeedsNothingElseRunsAndKeepsItsOutput() throws IOException {
        ArcClient client = client("Ann");
        List<String> names =
                List.of("globout", "join", "outd", "outdir", "priority", "proxyrte", "rerun", "rte", "sameout");
        Map<String, String> jobs = new HashMap<>();
        for (String name : names) {
            jobs.put(name, submit(client, xrsl(name)));
        }
        client.awaitAll(names.size(), "Finished");
        assertThat(client.run("arccat", jobs.get("join"))).contains("x\ny\n");
        assertThat(client.run("arccat", jobs.get("sameout"))).contains("x\n");
        assertThat(client.run("arccat", jobs.get("rte"))).contains("one\n");
        assertThat(client.run("arcstat", "-l", jobs.get("rerun")))
                .contains("Application/Rerun: a job that failed is not run again here");
        assertThat(client.run("arcget", jobs.get("outd"))).contains("successfully retrieved: 1");
        try (var files = Files.walk(client.home())) {
            assertThat(files.filter(file -> file.endsWith("out/a/f")))
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasContent("x"));
        }
    }

    /** As aCT writes it for ATLAS. */
    @Test
    void anAtlasJobGoesThroughAndIsFoundAgainFromANewHome() throws IOException {
        ArcClient client = client("Ben");
        Files.createDirectories(client.home().resolve("sub/dir"));
        client.file(
                "run.sh",
                "#!/bin/sh\ncat in.txt sub/dir/deep.txt; echo $PANDA_JSID >&2; mkdir out; echo top > out/top.txt; : > jobSmallFiles.tgz\n");
        client.file("in.txt", "in\n");
        client.file("sub/dir/deep.txt", "deep\n");
        submit(client, xrsl("atlas"));
        client.await("Finished");
        client.forget();
        assertThat(client.run("arcsync", "-f", "-c", client.url())).contains("Total number of new jobs found: 1");
        assertThat(client.run("arcstat", "-a", "-l"))
                .contains("Stdout: o.log", "Requested Slots: 1", "Proxy valid until: ", "Exit Code: 0");
        assertThat(client.run("arccat", "-a")).contains("in\ndeep\naCT\n");
        assertThat(client.run("arcget", "-a")).contains("successfully retrieved: 1");
        try (var files = Files.walk(client.home())) {
            assertThat(files.filter(file -> file.endsWith("out/top.txt")))
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasContent("top"));
        }
    }

    @Test
    void filesOfServersThatAreAwayFailTheJobByName() {
        ArcClient client = client("Carl");
        String output = submit(client, xrsl("outurl"));
        String input = submit(client, xrsl("inurlopt"));
        client.awaitAll(2, "Failed");
        assertThat(client.run("arcstat", output)).contains("Cannot upload o.txt into https://localhost:12443/x");
        assertThat(client.run("arcstat", "-l", input))
                .contains("https://localhost:12443/arex/rest/1.0/info", "the option cache=no of a URL is left out");
    }

    @Test
    void aJobThatWaitsForItsTimeIsKilledAndADryRunIsNotRun() {
        ArcClient client = client("Dora");
        LocalDate day = LocalDate.now(ZoneOffset.UTC).plusDays(20);
        String later = submit(client, xrsl("starttime").replace("2026-12-01", day.toString()));
        String dry = submit(client, xrsl("priority"), "-D");
        client.await("Failed");
        assertThat(client.run("arcstat", dry)).contains("dry run");
        assertThat(client.run("arcstat", "-l", later)).contains("does not start before " + day + "T10:00:00Z");
        assertThat(client.run("arckill", later)).contains("successfully killed: 1");
    }

    @Test
    void inputBeginsWithADot() {
        ArcClient client = client("Eva");
        client.file("in.txt", "configured\n");
        submit(
                client,
                "&(executable=/bin/cat)(arguments=.cfg)(stdout=o)(inputfiles=(\".cfg\" \"in.txt\"))(queue=\"long\")");
        client.await("Finished");
        assertThat(client.run("arccat", "-a")).contains("configured");
    }

    /** The client prints the reason of a refusal. */
    @Test
    void aRefusedJobSaysWhy() {
        ArcClient client = client("Fay");
        client.file("job.xrsl", "&(executable=/bin/true)(queue=long)(runtimeenvironment=APPS/NONE)");
        assertThat(client.run("arcsub", "-d", "INFO", "-T", "arcrest", "-Q", "NONE", "-C", client.url(), "job.xrsl"))
                .contains("500 RuntimeEnvironment: APPS/NONE does not exist here");
    }
}
