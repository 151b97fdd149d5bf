package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.ProcessCount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.ws.boot.Main;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import picocli.CommandLine;

/** The report's sleep job through the whole CE to a real Slurm of 500 slots, as the account dteam001. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SlurmSleepJobsIT {
    /** The report's jobs of each client: 10 with {@code -Dgelato.soak.minutes}. */
    private static final int EACH = Long.getLong("gelato.soak.minutes", 0) > 0 ? 10 : 4;

    private static SlurmControl slurm;
    private static SiteCe ce;
    /** A job that ended long ago, and what its wrapper had reported. */
    private static String early;

    private static JsonNode reported;

    @BeforeAll
    static void start() throws Exception {
        slurm = SlurmControl.start();
        ce = new SiteCe(
                        "slurm",
                        "slurm",
                        "dteam001",
                        Map.of("gelato.lrms.slurm.conf", slurm.conf().toString()))
                .start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
        if (slurm != null) {
            slurm.close();
        }
    }

    private static List<String> submit(int clients, int jobsEach, int seconds) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(clients);
        try {
            List<Future<List<String>>> all = new ArrayList<>();
            for (int c = 0; c < clients; c++) {
                SiteUser user = ce.user("Client " + c);
                String delegation = "client-" + c + "-" + seconds + "-" + System.nanoTime();
                all.add(pool.submit(() -> {
                    user.must("", "delegate", delegation);
                    return IntStream.range(0, jobsEach)
                            .mapToObj(j -> user.submit(SiteUser.sleepJob(seconds), "-D", delegation))
                            .toList();
                }));
            }
            List<String> ids = new ArrayList<>();
            for (Future<List<String>> f : all) {
                ids.addAll(f.get());
            }
            return ids;
        } finally {
            pool.shutdown();
        }
    }

    private static List<String> ofClient(List<String> ids, int client, int jobsEach) {
        return ids.subList(client * jobsEach, (client + 1) * jobsEach);
    }

    @Test
    @Order(1)
    void jobsOfFiveClientsAllEndWellWithTheirOutput() throws Exception {
        List<String> ids = submit(5, EACH, 3);
        assertThat(new HashSet<>(ids)).hasSize(5 * EACH);
        for (int c = 0; c < 5; c++) {
            SiteUser user = ce.user("Client " + c);
            List<String> own = ofClient(ids, c, EACH);
            user.await(own, "DONE-OK");
            for (String id : own) {
                Path target = ce.base().resolve("out-" + id.substring(id.lastIndexOf('/') + 1));
                user.must("", "output", "-d", target.toString(), id);
                try (Stream<Path> files = Files.walk(target)) {
                    assertThat(files.filter(Files::isRegularFile)
                                    .map(p -> p.getFileName().toString()))
                            .contains("env.out", "env.err");
                }
            }
        }
        assertThat(submissions(ids))
                .allSatisfy((tag, times) -> assertThat(times).isEqualTo(1));
        JsonNode info = ce.user("Client 0").info(ids.get(0));
        assertThat(info.path("localUser").asText()).isEqualTo("dteam001");
        assertThat(info.path("exitCode").asText()).isEqualTo("0");
        assertThat(info.path("history").findValuesAsText("status"))
                .startsWith("REGISTERED", "PENDING")
                .endsWith("DONE-OK");
        early = ids.get(0);
        reported = info.path("usage");
    }

    @Test
    @Order(2)
    void theFilesBelongToTheMappedAccount() throws IOException {
        SiteUser user = ce.user("Client 0");
        String id = user.submit(SiteUser.sleepJob(1));
        user.await(id, "DONE-OK");
        String number = id.substring(id.lastIndexOf('/') + 1);
        try (Stream<Path> all = Files.walk(ce.base().resolve("sandbox"))) {
            Path sandbox = all.filter(p -> p.getFileName().toString().equals(number))
                    .findFirst()
                    .orElseThrow();
            PosixFileAttributes attributes = Files.readAttributes(sandbox, PosixFileAttributes.class);
            assertThat(attributes.owner().getName()).isEqualTo("dteam001");
            assertThat(attributes.permissions()).hasSize(3);
        }
    }

    @Test
    @Order(3)
    void aPayloadThatFailsIsDoneOkWithItsExitCode() {
        SiteUser user = ce.user("Client 1");
        String id = user.submit(SiteUser.shellJob("exit 3"));
        user.await(id, "DONE-OK");
        assertThat(user.info(id).path("exitCode").asText()).isEqualTo("3");
    }

    @Test
    @Order(4)
    void aMissingExecutableFailsWithAReason() {
        SiteUser user = ce.user("Client 1");
        String id = user.submit("[ Executable = \"/no/such/program\"; StdOutput = \"o\"; StdError = \"e\"; ]");
        user.await(id, "DONE-FAILED");
        assertThat(user.info(id).path("failureReason").asText()).contains("/no/such/program not found or unreadable");
    }

    @Test
    @Order(5)
    void aRunningJobIsCancelled() {
        SiteUser user = ce.user("Client 2");
        String id = user.submit(SiteUser.sleepJob(600));
        user.await(id, "REALLY-RUNNING");
        user.must("", "cancel", id);
        user.await(id, "CANCELLED");
        assertThat(user.info(id).path("description").asText()).isEqualTo("Cancelled by user");
    }

    @Test
    @Order(6)
    void aQueuedJobIsCancelled() {
        slurm.hold("short");
        try {
            SiteUser user = ce.user("Client 2");
            String id = user.submit(SiteUser.sleepJob(600), "-r", ce.resource("short"));
            user.await(id, "IDLE");
            Awaitility.await("the reason why it waits")
                    .until(() -> user.info(id).path("description").asText().equals("slurm: PartitionDown"));
            user.must("", "cancel", id);
            user.await(id, "CANCELLED");
        } finally {
            slurm.resume("short");
        }
    }

    @Test
    @Order(7)
    void purgeRemovesJobAndSandbox() {
        SiteUser user = ce.user("Client 3");
        String id = user.submit(SiteUser.sleepJob(1));
        user.await(id, "DONE-OK");
        user.must("", "purge", id);
        user.await(id, "JobUnknownFault");
        String number = id.substring(id.lastIndexOf('/') + 1);
        Awaitility.await("sandbox is gone").until(() -> {
            try (Stream<Path> all = Files.walk(ce.base().resolve("sandbox"))) {
                return all.noneMatch(p -> p.getFileName().toString().startsWith(number));
            } catch (UncheckedIOException removedMeanwhile) {
                return false;
            }
        });
    }

    @Test
    @Order(8)
    void aJobOfTheCheckShowsThatNodesSeeTheSandboxes() {
        StringWriter out = new StringWriter();
        CommandLine check = Main.commandLine();
        check.setOut(new PrintWriter(out));
        assertThat(check.execute("check", "--config", ce.configuration().toString(), "--with-job", "dteam001"))
                .as(out.toString())
                .isZero();
        assertThat(out.toString().lines().map(line -> line.replaceFirst(":.*", "")))
                .containsExactly("ok   sandbox", "ok   hand-over", "ok   run", "ok   files");
        assertThat(check.execute("check", "--config", ce.configuration().toString(), "--with-job", "nosuch"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("STOP sandbox: ");
    }

    @Test
    @Order(9)
    void theJvmStartsNoProcess() throws Exception {
        Set<Long> before = ce.process().children().map(ProcessHandle::pid).collect(Collectors.toSet());
        long ended = ProcessCount.faultsOfEndedChildren(ce.process().pid());
        SiteUser user = ce.user("Client 4");
        List<String> ids = submit(2, 5, 1);
        user.must("", "list");
        ce.user("Client 0").await(ofClient(ids, 0, 5), "DONE-OK");
        ce.user("Client 1").await(ofClient(ids, 1, 5), "DONE-OK");
        assertThat(ce.process().children().map(ProcessHandle::pid).collect(Collectors.toSet()))
                .isEqualTo(before);
        assertThat(ProcessCount.faultsOfEndedChildren(ce.process().pid())).isEqualTo(ended);
        assertThat(before).as("database and helper").hasSizeLessThanOrEqualTo(2);
        assertThat(ProcessCount.descriptors(ce.process().pid())).isLessThan(512);
    }

    @Test
    @Order(10)
    void aKilledCeLosesNoJobAndDoublesNone() throws Exception {
        List<String> ids = submit(2, 10, 5);
        ce.kill();
        ce.start();
        for (int c = 0; c < 2; c++) {
            ce.user("Client " + c).await(ofClient(ids, c, 10), "DONE-OK");
        }
        assertThat(submissions(ids))
                .hasSize(20)
                .allSatisfy((tag, times) -> assertThat(times).isEqualTo(1));
    }

    @Test
    @Order(11)
    void whatAJobUsedIsReportedByItsWrapperAndThenBySlurm() {
        // Slurm may have been asked meanwhile.
        assertThat(reported.path("source").asText()).endsWith("job wrapper");
        assertThat(reported.path("wallSeconds").decimalValue()).isGreaterThanOrEqualTo(BigDecimal.valueOf(2));
        SiteUser user = ce.user("Client 0");
        Awaitility.await("Slurm's values")
                .atMost(Duration.ofMinutes(5))
                .until(() -> user.info(early).at("/usage/source").asText().equals("batch system, job wrapper"));
        JsonNode both = user.info(early).path("usage");
        assertThat(both.path("wallSeconds").asInt()).isGreaterThanOrEqualTo(1);
        assertThat(both.path("wallSeconds").decimalValue().remainder(BigDecimal.ONE))
                .as("Slurm counts whole seconds")
                .isZero();
        assertThat(both.path("cpuSeconds")).as("Slurm here knows none").isEqualTo(reported.path("cpuSeconds"));
        assertThat(both.path("cores").asInt()).isEqualTo(1);
    }

    @Test
    @Order(12)
    void slurmKeepsOfAScriptWhatIsTheJobsOwn() throws IOException {
        slurm.hold("short");
        try {
            SiteUser user = ce.user("Client 0");
            String id = user.submit(SiteUser.sleepJob(1), "-r", ce.resource("short"));
            user.await(id, "IDLE");
            String script = slurm.script("cream_" + id.substring(id.length() - 9));
            assertThat(script).startsWith("#!/bin/bash -l\n").contains("/wrapper/");
            assertThat(script.length()).as(script).isLessThanOrEqualTo(2048);
            slurm.resume("short");
            user.await(id, "DONE-OK");
        } finally {
            slurm.resume("short");
        }
    }

    @Test
    @Order(13)
    void aCommonPartThatWasChangedIsNotRunAndIsNamed() throws IOException {
        slurm.hold("short");
        Path file = null;
        String text = null;
        try {
            SiteUser user = ce.user("Client 0");
            Path evil = ce.base().resolve("evil");
            String id = user.submit(SiteUser.sleepJob(1), "-r", ce.resource("short"));
            user.await(id, "IDLE");
            String script = slurm.script("cream_" + id.substring(id.length() - 9));
            file = Path.of(script.lines()
                    .filter(line -> line.startsWith("__gelato_file="))
                    .map(line -> line.substring(15, line.length() - 1))
                    .findFirst()
                    .orElseThrow());
            PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
            assertThat(attributes.owner().getName()).isEqualTo("dteam001");
            assertThat(PosixFilePermissions.toString(attributes.permissions())).isEqualTo("r--------");
            text = Files.readString(file);
            Files.writeString(file, "touch " + evil + "\n" + text);
            slurm.resume("short");
            user.await(id, "DONE-FAILED");
            assertThat(user.info(id).path("failureReason").asText())
                    .contains("Cannot load the job wrapper: " + file + ": its SHA-256 is not its name");
            assertThat(evil).doesNotExist();
        } finally {
            slurm.resume("short");
            if (text != null) {
                Files.writeString(file, text);
            }
        }
    }

    /** How often Slurm saw each job, by its name in the controller's whole list. */
    private static Map<String, Long> submissions(List<String> ids) throws IOException {
        Set<String> tags =
                ids.stream().map(id -> "cream_" + id.substring(id.length() - 9)).collect(Collectors.toSet());
        return slurm.jobNames().stream()
                .filter(tags::contains)
                .collect(Collectors.groupingBy(t -> t, Collectors.counting()));
    }
}
