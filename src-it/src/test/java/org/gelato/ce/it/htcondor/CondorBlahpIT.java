package org.gelato.ce.it.htcondor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.blahbridge.blahp.BlahpConfig;
import org.gelato.ce.blahbridge.blahp.BlahpLrms;
import org.gelato.ce.blahbridge.blahp.BlahpSite;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whole jobs through HTCondor's own blahpd into a real pool. */
class CondorBlahpIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Path PROGRAM = Path.of("/usr/bin/blahpd");
    private static final Path RIGHTS = Path.of("/etc/sudoers.d/gelato-blahp");
    private static final String LOG = "BLAHPD_ACCOUNTING_INFO_LOG=";
    private static final int SLOTS = 24;

    private static Path base;
    private static CondorSlots pool;
    private static List<String> command;
    private static SiteCe ce;
    private static SiteUser user;

    @BeforeAll
    static void start() throws IOException {
        CondorSlots.missing()
                .or(() -> Files.isExecutable(PROGRAM)
                        ? Optional.empty()
                        : Optional.of("HTCondor's blahpd is not installed"))
                .ifPresent(reason -> Skipped.because("HTCondor", reason));
        base = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-blahpd-");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        pool = CondorSlots.start(base.resolve("pool"), SLOTS);
        // what sudo would drop
        Files.writeString(RIGHTS, "Defaults:root env_keep += \"CONDOR_CONFIG BLAHPD_CONFIG_LOCATION\"\n");
        Path settings = base.resolve("blah.config");
        Files.write(
                settings,
                Files.readAllLines(Path.of("/etc/blah.config")).stream()
                        .map(line -> line.startsWith(LOG) ? LOG + base.resolve("accounting") : line)
                        .toList());
        command = List.of(
                "/usr/bin/env",
                "CONDOR_CONFIG=" + pool.config(),
                "BLAHPD_CONFIG_LOCATION=" + settings,
                PROGRAM.toString());
        ce = new SiteCe(
                        "condor-blahp",
                        "condor",
                        CondorSlots.ACCOUNT,
                        Map.of(
                                "gelato.lrms.kind",
                                "blahp",
                                "gelato.lrms.blahp.command",
                                command,
                                "gelato.lrms.blahp.grid-type",
                                "condor",
                                "gelato.lrms.blahp.sudo",
                                true,
                                "gelato.lrms.blahp.accounting-log",
                                base.resolve("accounting").toString()))
                .start();
        user = ce.user("Ann of blahpd");
    }

    @AfterAll
    static void stop() throws IOException {
        if (ce != null) {
            ce.close();
        }
        if (pool != null) {
            pool.close();
        }
        Files.deleteIfExists(RIGHTS);
        if (base != null) {
            SiteCe.remove(base);
        }
    }

    private static BlahpConfig config(Duration timeout) {
        return new BlahpConfig(command, "condor", "", true, "root", 1, base.resolve("accounting"), timeout);
    }

    private static String submit(String jdl) {
        return user.submit(jdl, "-r", ce.resource("long"));
    }

    private static JsonNode site(String criterion) {
        try (InputStream jobs = ce.get("/ce-cream/admin/jobs?" + criterion)) {
            return new ObjectMapper().readTree(jobs).at("/jobs/0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String batchId(String id) {
        return site("job=" + name(id)).path("lrmsJobId").asText();
    }

    private static String name(String id) {
        return id.substring(id.lastIndexOf('/') + 1);
    }

    /** All that blahpd logged of submissions. */
    private static String log() {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(base)) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().startsWith("accounting-")) {
                    text.append(Files.readString(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    @Test
    void twentyJobsAtOnceEndAsTheirProgramsDoUnderIdsWithSlashes() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(submit(SiteUser.shellJob("exit " + i)));
        }
        user.await(ids, "DONE-OK");
        for (int i = 0; i < ids.size(); i++) {
            assertThat(user.info(ids.get(i)).path("exitCode").asText()).isEqualTo(Integer.toString(i));
        }
        List<String> batch = ids.stream().map(CondorBlahpIT::batchId).toList();
        assertThat(batch).doesNotHaveDuplicates().allMatch(id -> id.matches("condor/[0-9]+//"));
        assertThat(site("batch=" + URLEncoder.encode(batch.get(7), StandardCharsets.UTF_8))
                        .path("id")
                        .asText())
                .isEqualTo(name(ids.get(7)));
    }

    @Test
    void jobsAreHeldResumedAndCancelled() {
        String waiting = submit("[ Executable = \"/bin/sleep\"; Arguments = \"600\"; CpuNumber = 1000; ]");
        String running = submit(SiteUser.sleepJob(600));
        user.await(running, "REALLY-RUNNING");
        user.await(waiting, "IDLE");
        user.must("", "suspend", waiting);
        user.await(waiting, "HELD");
        user.must("", "resume", waiting);
        user.await(waiting, "IDLE");
        user.must("", "cancel", waiting, running);
        user.await(List.of(waiting, running), "CANCELLED");
    }

    @Test
    void aJobIsFoundByTheLogOfSubmissions() throws IOException {
        String id = submit(SiteUser.sleepJob(600));
        user.await(id, "REALLY-RUNNING");
        String tag = "cream_" + id.substring(id.length() - 9);
        Matcher line =
                Pattern.compile("\"lrmsID=([^\"]*)\".*\"clientID=" + tag + "\"").matcher(log());
        assertThat(line.find()).isTrue();
        try (BlahpLrms other = BlahpLrms.open(config(Duration.ofSeconds(1)), null, Runnable::run, Clock.systemUTC())) {
            // one that was just started does not know what an earlier one does
            LrmsJob found = await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(
                            () -> other.find(Submissions.sought(CondorSlots.ACCOUNT, tag))
                                    .join()
                                    .get(tag),
                            job -> job.state() == LrmsJob.State.RUNNING);
            assertThat(found.lrmsId()).isEqualTo(batchId(id)).isEqualTo("condor/" + line.group(1) + "//");
        }
        user.must("", "cancel", id);
    }

    @Test
    void theCheckNamesAScheddThatDoesNotRespondAndAnAccountThatIsNotServed() {
        BlahpSite site = new BlahpSite(config(PATIENCE));
        assertThat(site.unsupported(null, CondorSlots.ACCOUNT).join()).isEmpty();
        assertThat(site.unsupported(null, "nosuchaccount").join())
                .hasValueSatisfying(found -> assertThat(found.key()).isEqualTo("gelato.lrms.blahp.sudo"));
    }
}
