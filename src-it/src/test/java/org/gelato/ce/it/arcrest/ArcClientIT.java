package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteIssuer;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Debian's ARC client against a CE: submission with an input file, states, output, kill, removal, synchronization, the site's
 * description; by proxy and by token. Version 6.17 starts with nothing but a proxy, so that with a token it has one that the CE maps
 * to nobody.
 */
class ArcClientIT {
    /** Submitted one by one in each of the processes that run side by side; 25 with {@code -Dgelato.soak.minutes}. */
    private static final int EACH = Long.getLong("gelato.soak.minutes", 0) > 0 ? 25 : 4;

    private static final int SIDE_BY_SIDE = 4;
    private static final int SLOTS = 2;
    private static final String FILES =
            "&(executable=/bin/sh)(arguments=-c \"cat data/a/in.txt; mkdir -p out/x; echo done > out/x/out.txt\")"
                    + "(jobname=files)(stdout=stdout.txt)(inputfiles=(data/a/in.txt in.txt))(outputfiles=(out/x/out.txt \"\"))"
                    + "(queue=long)";
    private static final String SLEEP = "&(executable=/bin/sleep)(arguments=600)(queue=long)";

    private static final SiteIssuer ISSUER = new SiteIssuer("cms");

    @TempDir
    private static Path snippets;

    private static SiteCe ce;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/arcsub")), "nordugrid-arc-client is not installed");
        Map<String, Object> settings = new HashMap<>(ISSUER.trust());
        settings.put("gelato.lrms.fork.slots", SLOTS);
        Files.createDirectories(snippets.resolve("APPS/TEST"));
        Files.writeString(snippets.resolve("APPS/TEST/TOOL-1.2"), "export TOOL=sleep\n");
        settings.put("gelato.wrapper.runtime-environments", snippets.toString());
        ce = new SiteCe("arcclient", "fork", JobAccount.name(), settings);
        ISSUER.map(ce);
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static Path proxy(String name) {
        return ce.pki().proxy(ce.pki().user(name)).write(ce.base().resolve("arc-" + name + ".pem"));
    }

    private static ArcClient byProxy(String name) {
        return new ArcClient(ce, name, Map.of("X509_USER_PROXY", proxy(name).toString()));
    }

    /** The proxy is nobody's here: it has no attributes of a VO. */
    private static ArcClient byToken(String name) {
        Path proxy = ce.pki()
                .proxy(ce.pki().user(name + " nobody"))
                .fqans()
                .write(ce.base().resolve("arc-" + name + ".pem"));
        return new ArcClient(
                ce, name, Map.of("X509_USER_PROXY", proxy.toString(), "BEARER_TOKEN", ISSUER.token(ce, name)));
    }

    /** Without the site's description, or after it, when the client chooses a queue by it. */
    private static String submit(ArcClient client, boolean direct, String file) {
        List<String> command = new ArrayList<>(List.of("arcsub", "-T", "arcrest"));
        command.addAll(direct ? List.of("-Q", "NONE") : List.of());
        command.addAll(List.of("-C", client.url(), file));
        String said = client.run(command.toArray(String[]::new));
        assertThat(said).contains("Job submitted with jobid: " + client.url() + "/rest/1.0/jobs/CREAM");
        return said.replaceFirst("(?s).*/(CREAM[0-9]+).*", "$1");
    }

    private static void runsFetchesAndRemoves(ArcClient client, boolean direct) throws IOException {
        client.file("in.txt", "some input data\n");
        client.file("job.xrsl", FILES);
        submit(client, direct, "job.xrsl");
        client.await("Finished");
        assertThat(client.run("arcstat", "-a")).contains("Name: files", "Exit Code: 0");
        assertThat(client.run("arccat", "-a")).contains("some input data");
        assertThat(client.run("arcget", "-k", "-a"))
                .contains("successfully retrieved: 1")
                .doesNotContain("cleaned: 1");
        try (var files = Files.walk(client.home())) {
            assertThat(files.filter(file -> file.endsWith("out/x/out.txt")))
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasContent("done"));
        }
        assertThat(client.run("arcclean", "-a")).contains("Jobs processed: 1, deleted: 1");
        assertThat(client.run("arcsync", "-f", "-T", "-C", client.url())).contains("Total number of jobs found: 0");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJobWithFilesByProxy(boolean direct) throws IOException {
        runsFetchesAndRemoves(byProxy(direct ? "Ann" : "Ben"), direct);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJobWithFilesByToken(boolean direct) throws IOException {
        String name = direct ? "ann" : "ben";
        runsFetchesAndRemoves(byToken(name), direct);
        assertThat(Files.readString(ce.base().resolve("state").resolve("audit.log")))
                .contains("\"event\":\"register\",\"dn\":\"" + SiteIssuer.owner(name) + "\"");
    }

    @Test
    void aProgramThatEndedWith3HasFailedAndIsNotAmongTheFinishedOnes() {
        ArcClient client = byProxy("Kay");
        client.file("three.xrsl", "&(executable=/bin/sh)(arguments=-c \"exit 3\")(queue=long)");
        String id = submit(client, true, "three.xrsl");
        client.await("Failed");
        assertThat(client.run("arcstat", "-a", "-s", "Failed"))
                .contains(id, "Exit Code: 3", "wrong exit code - 3 != 0");
        assertThat(client.run("arcstat", "-a", "-s", "Finished")).doesNotContain(id);
    }

    @Test
    void aRunningJobIsFoundAgainAndKilled() {
        ArcClient client = byProxy("Carl");
        client.file("sleep.xrsl", SLEEP);
        submit(client, true, "sleep.xrsl");
        client.await("Running");
        client.forget();
        assertThat(client.run("arcsync", "-f", "-C", client.url())).contains("Total number of new jobs found: 1");
        assertThat(client.run("arckill", "-a")).contains("successfully killed: 1");
    }

    @Test
    void whatARunningJobPrintsIsShown() {
        ArcClient client = byProxy("Hans");
        client.file(
                "prints.xrsl",
                "&(executable=/bin/sh)(arguments=-c \"echo half done; echo some trouble >&2; sleep 600\")(queue=long)"
                        + "(stdout=out.txt)(stderr=err.txt)");
        submit(client, true, "prints.xrsl");
        client.await("Running");
        assertThat(client.run("arccat", "-a")).contains("half done").doesNotContain("some trouble");
        assertThat(client.run("arccat", "-e", "-a")).contains("some trouble");
        assertThat(client.run("arckill", "-a")).contains("successfully killed: 1");
    }

    /** The client on another machine knows of the job what the CE says. */
    @Test
    void aFreshHomeFindsTheJobItsOutputAndItsTimes() {
        ArcClient client = byProxy("Ida");
        client.file(
                "times.xrsl",
                "&(executable=/bin/echo)(arguments=found again)(jobname=times)(stdout=out.txt)(queue=long)");
        Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String id = submit(client, true, "times.xrsl");
        client.await("Finished");
        Instant after = Instant.now();
        ArcClient fresh = new ArcClient(
                ce,
                "Ida-elsewhere",
                Map.of("X509_USER_PROXY", ce.base().resolve("arc-Ida.pem").toString()));
        assertThat(fresh.run("arcsync", "-f", "-C", fresh.url())).contains("Total number of new jobs found: 1");
        assertThat(fresh.run("arccat", "-a")).contains("found again");
        String shown = fresh.run("arcstat", "-l", "-a");
        assertThat(shown).contains(id, "Stdout: out.txt");
        assertThat(time(shown, "Submitted")).as(shown).isBetween(before, after);
        assertThat(time(shown, "End Time")).as(shown).isBetween(time(shown, "Submitted"), after);
        assertThat(time(shown, "Results must be retrieved before")).as(shown).isAfter(after.plus(1, ChronoUnit.DAYS));
        assertThat(time(shown, "Proxy valid until")).as(shown).isBetween(after, after.plus(1, ChronoUnit.DAYS));
    }

    /** A time of arcstat, which has whole seconds of this machine's zone. */
    private static Instant time(String shown, String name) {
        Matcher line = Pattern.compile("(?m)^ +" + name + ": (.+)$").matcher(shown);
        assertThat(line.find()).as("%s in %s", name, shown).isTrue();
        return LocalDateTime.parse(line.group(1).strip(), DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss"))
                .atZone(ZoneId.systemDefault())
                .toInstant();
    }

    /** The client reads what is installed in the site's description, and brokers by it. */
    @Test
    void aJobRunsWhereItsRuntimeEnvironmentIsAndNowhereElse() {
        ArcClient client = byProxy("Gus");
        client.file("absent.xrsl", "&(executable=/bin/true)(queue=long)(runtimeenvironment=APPS/TEST/TOOL-1.3)");
        client.file(
                "present.xrsl",
                "&(executable=/bin/sh)(arguments=-c \"$TOOL 0\")(queue=long)(runtimeenvironment=APPS/TEST/TOOL-1.2)");
        assertThat(client.run("arcsub", "-T", "arcrest", "-C", client.url(), "absent.xrsl"))
                .contains("was not submitted");
        submit(client, false, "present.xrsl");
        client.await("Finished");
        assertThat(client.run("arcstat", "-a")).contains("Exit Code: 0");
    }

    @Test
    void aHeldJobGoesOnAndNoOther() {
        ArcClient client = byProxy("Dora");
        SiteUser user = new SiteUser(ce, ce.base().resolve("arc-Dora.pem"));
        client.file("sleep.xrsl", SLEEP);
        for (int i = 0; i < SLOTS; i++) {
            submit(client, true, "sleep.xrsl");
        }
        client.awaitAll(SLOTS, "Running");
        // Waits for one of them, as a batch system holds what has not begun.
        String id = "https://localhost:" + ce.port() + "/" + submit(client, true, "sleep.xrsl");
        user.await(id, "IDLE");
        assertThat(client.run("arcresume", "-a")).contains("Only a held job can go on", "resumed: 0");
        user.must("", "suspend", id);
        user.await(id, "HELD");
        assertThat(client.run("arcresume", "-a")).contains("resumed: 1");
        user.await(id, "IDLE");
        assertThat(client.run("arckill", "-a")).contains("successfully killed: " + (SLOTS + 1));
    }

    @Test
    void theSiteDescribesItself() {
        assertThat(byProxy("Eva").run("arcinfo", "-l", "https://localhost:" + ce.port() + "/arex"))
                .contains(
                        "Interface: org.nordugrid.arcrest",
                        "Serving state: production",
                        "Resource manager: fork",
                        "Name: long_dteam",
                        "Name: long_cms");
    }

    @Test
    @Tag("long")
    void jobsOneByOneInProcessesSideBySide() throws Exception {
        Path proxy = proxy("Fay");
        ExecutorService pool = Executors.newFixedThreadPool(SIDE_BY_SIDE);
        try {
            List<Callable<ArcClient>> users = new ArrayList<>();
            for (int i = 0; i < SIDE_BY_SIDE; i++) {
                String name = "Fay" + i;
                users.add(() -> {
                    ArcClient client = new ArcClient(ce, name, Map.of("X509_USER_PROXY", proxy.toString()));
                    client.file("true.xrsl", "&(executable=/bin/true)(queue=long)");
                    for (int job = 0; job < EACH; job++) {
                        submit(client, true, "true.xrsl");
                    }
                    return client;
                });
            }
            for (Future<ArcClient> done : pool.invokeAll(users)) {
                ArcClient client = done.get();
                client.awaitAll(EACH, "Finished");
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
