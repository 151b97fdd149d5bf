package org.gelato.ce.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.ws.boot.Main;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The file system of the sandboxes is full: running jobs end, waiting jobs wait, and the service responds. */
class FullDiskIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Test
    void nothingIsLostWhileTheSandboxesHaveNoSpace() throws IOException {
        try (SmallDisk disk = SmallDisk.mount();
                SiteCe ce = new SiteCe(
                        "full-disk",
                        "fork",
                        JobAccount.name(),
                        Map.of(
                                "gelato.sandbox-root",
                                disk.directory().resolve("sandbox").toString(),
                                "gelato.lrms.hand-over.probe-interval",
                                "1 s"))) {
            ce.start();
            SiteUser user = ce.user("Alice");
            Path gate = Files.createFile(ce.base().resolve("gate"));
            Path witness = Files.createFile(ce.base().resolve("witness"));
            Files.setPosixFilePermissions(witness, PosixFilePermissions.fromString("rw-rw-rw-"));
            user.must("", "delegate", "d");
            List<String> all = new ArrayList<>();
            String running = user.submit(
                    witnessed(
                            "while [ -e " + gate + " ]; do sleep 0.2; done; echo made",
                            witness,
                            "StdOutput = \"out\";"),
                    "-D",
                    "d");
            all.add(running);
            user.await(running, "REALLY-RUNNING");
            long process = ce.process().pid();

            disk.fill();
            for (int i = 0; i < 3; i++) {
                all.add(user.submit(witnessed("true", witness, ""), "-D", "d"));
            }
            Files.delete(gate);
            // a new proxy cannot be kept, and the user gets the reason
            SiteUser.Outcome undelegated = user.run("", "delegate", "e");
            assertThat(undelegated.exit()).isNotZero();
            assertThat(undelegated.err()).contains("the disk of the CE is full");
            // an input file is refused with the reason, and leaves no job that would wait for it for ever
            Path input = Files.write(ce.base().resolve("input"), new byte[8192]);
            SiteUser.Outcome refused = user.run(
                    "[ Executable = \"/bin/true\"; InputSandbox = { \"" + input + "\" }; ]", "submit", "-D", "d", "-");
            assertThat(refused.exit()).isNotZero();
            assertThat(refused.err()).containsIgnoringCase("no space");
            await("the pause is visible")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(page(ce)).contains("No space left on device"));
            // what needs no disk is served
            assertThat(user.states(all.subList(1, all.size())).values())
                    .allMatch(s -> List.of("PENDING", "IDLE").contains(s));
            user.must("", "list");
            user.must("", "service-info");
            user.must("", "info", running);
            assertThat(ran(witness)).isSubsetOf(running);

            disk.empty();
            user.await(all, "DONE-OK");
            assertThat(ran(witness)).hasSize(all.size()).doesNotHaveDuplicates();
            assertThat(ce.process().pid()).isEqualTo(process);
            // the file that found no room was brought when there was some
            Path output = ce.base().resolve("output");
            user.must("", "output", "-d", output.toString(), running);
            assertThat(output.resolve("out")).hasContent("made");
            user.must("", "purge", running);
        }
    }

    /** Nothing is left half made: the same configuration starts as soon as there is space. */
    @Test
    void aStartOnAFullDiskSaysSoAndTheNextOneSucceeds() throws IOException {
        try (SmallDisk disk = SmallDisk.mount();
                SiteDatabase database = SiteDatabase.start()) {
            String home = disk.directory().resolve("state").toString();
            disk.fill();
            try (SiteCe embedded =
                    new SiteCe("full-disk-embedded", "fork", JobAccount.name(), Map.of("gelato.home", home))) {
                assertThat(refusal(embedded)).contains("No space left on device");
            }
            Map<String, Object> settings = new HashMap<>(database.settings());
            settings.put("gelato.home", home);
            try (SiteCe ce = new SiteCe("full-disk-start", "fork", JobAccount.name(), settings)) {
                assertThat(refusal(ce)).contains(home).contains("No space left on device");
                assertThat(disk.directory().resolve("state/delegation.key")).doesNotExist();
                disk.empty();
                ce.start();
                SiteUser user = ce.user("Alice");
                user.must("", "delegate", "d");
            }
        }
    }

    /** The one line that a start prints when it is refused. */
    private static String refusal(SiteCe ce) {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(err, true));
        assertThat(line.execute("run", "--config", ce.configuration().toString()))
                .isEqualTo(1);
        assertThat(err.toString().strip().lines()).hasSize(1);
        return err.toString();
    }

    private static String witnessed(String line, Path witness, String more) {
        return "[ Executable = \"/bin/bash\"; Arguments = \"-c '" + line + "; echo $CREAM_JOBID >> " + witness + "'\"; "
                + more + " ]";
    }

    private static List<String> ran(Path witness) throws IOException {
        return Files.readAllLines(witness);
    }

    private static String page(SiteCe ce) throws IOException {
        try (InputStream in = ce.get("/health/ready")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
