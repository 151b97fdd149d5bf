package org.gelato.ce.it.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.it.torque.TorqueSamples.Sample;
import org.gelato.ce.it.torque.TorqueUser.Outcome;
import org.gelato.ce.testkit.torque.TorqueStandIn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plays the recorded commands again and compares byte for byte, apart from times, process numbers, sizes and accounts. */
class TorqueSamplesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String[] FORMS = {"", "-f ", "-x ", "-f -x "};

    private Path folder;
    private Path work;
    private TorqueStandIn torque;
    private TorqueUser user;

    @BeforeEach
    void start() throws IOException {
        TorqueStandIn.missing().ifPresent(reason -> Skipped.because("Torque", reason));
        folder = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-torque-");
        work = Files.createDirectories(folder.resolve("home"));
        torque = new TorqueStandIn(folder, "vm", List.of("dteam"));
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));
        torque.settings().ownerHost("localhost");
        script("sleep.sh", "#!/bin/bash\n#PBS -o /dev/null\n#PBS -e /dev/null\nsleep ${T:-60}\nexit ${X:-0}\n");
        script("j0.sh", "#!/bin/bash\nsleep ${T:-0}\n");
        user = TorqueUser.ordinary(torque, work);
    }

    @AfterEach
    void stop() {
        if (torque != null) {
            torque.wipe();
        }
    }

    @Test
    void queuedHeldAndWaitingJobs() throws IOException {
        startAt(10);
        torque.settings().slots(0);
        threeThatDoNotRun();
        TorqueSamples states = TorqueSamples.of("qstat_states.txt");
        for (int id = 10; id <= 12; id++) {
            for (String form : FORMS) {
                same(states.of("qstat " + form + id + ".vm", 0));
            }
        }
        TorqueSamples hold = TorqueSamples.of("qdel_qhold.txt");
        for (Sample sample : hold.all()) {
            if (sample.command().endsWith(" 17.vm")) {
                break;
            }
            if (sample.command().matches("(qhold|qrls|qdel|qstat) 1[01]\\.vm")) {
                same(sample);
            }
        }
        same(states.of("qstat 10.vm", 1));
        same(states.of("qstat -f 10.vm", 1));
        same(states.of("qstat -f -x 10.vm", 1));
        must("qdel", "12.vm");
        for (Sample sample : TorqueSamples.of("unknown_job.txt").all()) {
            if (sample.command().equals("qstat dteam")) {
                // the order within a queue was that of a hash table; and there was one more job
                assertThat(lines(plain(run(sample).out(), user.name())))
                        .containsExactlyInAnyOrderElementsOf(
                                lines(plain(sample.out().replaceAll("(?m)^0\\.vm.*\\n", ""), "dteam001")));
            } else if (sample.command().startsWith("qstat -Q")) {
                assertThat(run(sample).out())
                        .isEqualTo(
                                sample.out().replaceAll(" 4   yes", " 3   yes").replaceAll("4\\n$", "3\n"));
            } else if (sample.command().matches("(qstat|qdel|qhold|qrls) .*")) {
                same(sample);
            }
        }
    }

    @Test
    void runningAndEndedJobs() throws IOException {
        startAt(13);
        for (String line : List.of(
                "-q dteam -N okjob -v T=1,X=0 sleep.sh",
                "-q dteam -N exit3job -v T=1,X=3 sleep.sh",
                "-q dteam -N killedjob -v T=300 sleep.sh",
                "-q dteam -N walltimejob -l walltime=00:00:05 -v T=300 sleep.sh",
                "-q dteam -N runjob -v T=300 sleep.sh",
                "-q dteam -N rerunjob -v T=300 sleep.sh",
                "-q dteam -N nobindir -o /nonexistent/dir/x -v T=1 j0.sh")) {
            submit(line);
        }
        awaitState("R", 15, 17);
        TorqueSamples states = TorqueSamples.of("qstat_states.txt");
        for (String form : FORMS) {
            same(states.of("qstat " + form + "17.vm", 0));
        }
        TorqueSamples hold = TorqueSamples.of("qdel_qhold.txt");
        same(hold.of("qhold 17.vm", 0));
        same(hold.of("qstat 17.vm", 0));
        same(hold.of("qrls 17.vm", 0));
        same(hold.of("qdel 15.vm", 0));
        awaitState("C", 13, 14, 15, 16, 19);
        same(hold.of("qdel 15.vm", 1));
        for (int id : new int[] {13, 14, 15, 16, 19}) {
            for (String form : FORMS) {
                String command = "qstat " + form + id + ".vm";
                if (states.all().stream().anyMatch(sample -> sample.command().equals(command))) {
                    same(states.of(command, 0));
                }
            }
        }
        must("qdel", "17.vm", "18.vm");
        awaitState("C", 17, 18);
        accountingIsAsRecorded();
    }

    private void accountingIsAsRecorded() throws IOException {
        Map<String, String> recorded = records(TorqueSamples.text("accounting_lifecycle.txt"), "dteam001");
        StringBuilder written = new StringBuilder();
        try (Stream<Path> files = Files.list(torque.accountingDirectory())) {
            for (Path file : files.sorted().toList()) {
                assertThat(file.getFileName().toString()).matches("20\\d{6}");
                written.append(Files.readString(file));
            }
        }
        Map<String, String> ours = records(written.toString(), user.name());
        assertThat(ours).hasSize(7 * 3 + 3);
        // the rerun job's S and E record its second run, which is alike
        ours.forEach((key, line) -> assertThat(line).isEqualTo(recorded.get(key)));
    }

    private Map<String, String> records(String text, String name) {
        return lines(plain(text, name)).stream()
                .collect(Collectors.toMap(
                        line -> line.split(";", -1)[1] + line.split(";", -1)[2], line -> line, (a, b) -> b));
    }

    @Test
    void refusals() throws IOException {
        startAt(0);
        for (Sample sample : TorqueSamples.of("qsub_errors.txt").all()) {
            if (sample.user().equals("root") && !TorqueUser.isRoot()) {
                continue;
            }
            torque.settings().disabledQueue(sample.exit() == 175 ? "dteam" : null);
            torque.settings().queueFull(sample.exit() == 200 ? 0 : -1);
            torque.settings().longestWalltime(Duration.ofHours(sample.command().contains("24:00:00") ? 2 : 100));
            torque.settings().onlyUser("dteam", sample.exit() == 159 ? "somebody" : user.name());
            same(sample);
        }
        // refused by the server each but for the mistakes qsub itself sees: numbers are used up
        torque.settings().onlyUser("dteam", user.name());
        torque.settings().longestWalltime(Duration.ZERO);
        assertThat(submit("-q dteam j0.sh")).isEqualTo("9.vm");
        TorqueSamples.of("qsub_ok.txt")
                .all()
                .forEach(sample -> assertThat(sample.out()).isEqualTo("0.vm\n"));
    }

    @Test
    void longLinesAreFoldedWhereTorqueFoldsThem() throws IOException {
        startAt(10);
        torque.settings().slots(0);
        threeThatDoNotRun();
        String ours = run("qstat", "-f", "10.vm").out();
        String recorded =
                TorqueSamples.of("qstat_states.txt").of("qstat -f 10.vm", 0).out();
        // lines that were not shortened
        for (String line : List.of(
                "    Variable_List = PBS_O_QUEUE=dteam,PBS_O_HOME=/home/dteam001,\n\tPBS_O_LOGNAME=",
                "    submit_args = -q dteam -N queuedjob -l walltime=01:00:00 -l mem=100mb -l n\n\todes=1:ppn=2 -v FOO=bar,",
                ",\n\tPBS_O_PATH=")) {
            assertThat(recorded).contains(line);
            assertThat(ours).contains(line);
        }
        assertThat(ours.lines().filter(line -> line.startsWith("\t") && line.contains("pyenv") && !line.endsWith(",")))
                .isNotEmpty()
                .allMatch(line -> line.length() == 71);
        assertThat(recorded).contains("\n\tnv/plugins/pyenv-virtualenv/shims:/root/.pyenv/shims:/root/.pyenv/bin:\n");
    }

    private void threeThatDoNotRun() {
        submit("-q dteam -N queuedjob -l walltime=01:00:00 -l mem=100mb -l nodes=1:ppn=2 -v FOO=bar,BAZ=2 sleep.sh");
        submit("-q dteam -N heldjob -h sleep.sh");
        submit("-q dteam -N waitjob -a 203612312359 sleep.sh");
    }

    private void startAt(int number) throws IOException {
        Files.writeString(folder.resolve("next"), number + "\n");
        torque.start();
    }

    private String submit(String line) {
        String[] words = line.split(" ", -1);
        words[words.length - 1] = work.resolve(words[words.length - 1]).toString();
        return run("qsub", words).id();
    }

    private void same(Sample sample) {
        Outcome outcome = run(sample);
        assertThat(plain(outcome.err(), user.name())).as(sample.command()).isEqualTo(recorded(sample.err()));
        assertThat(plain(outcome.out(), user.name())).as(sample.command()).isEqualTo(recorded(sample.out()));
        assertThat(outcome.exit()).as(sample.command()).isEqualTo(sample.exit());
    }

    /** The sample's command; a job's owner or another account as it was. */
    private Outcome run(Sample sample) {
        String[] words = Arrays.stream(sample.command().split(" (?=(?:[^']*'[^']*')*[^']*$)", -1))
                .map(word -> word.replace("'", "").replace("/home/dteam001", work.toString()))
                .toArray(String[]::new);
        String[] arguments = Arrays.copyOfRange(words, 1, words.length);
        boolean other = sample.user().equals("dteam002") && !sample.err().contains("ACL");
        if (other && !TorqueUser.isRoot()) {
            return new Outcome(sample.exit(), sample.out(), sample.err()); // only root can query as another account
        }
        TorqueUser who = sample.user().equals("root")
                ? new TorqueUser(torque, work, "root")
                : other ? new TorqueUser(torque, work, "daemon") : user;
        return who.run(words[0], arguments);
    }

    private Outcome run(String command, String... arguments) {
        return user.run(command, arguments);
    }

    private void must(String command, String... arguments) {
        assertThat(run(command, arguments)).isEqualTo(new Outcome(0, "", ""));
    }

    private void awaitState(String state, int... ids) {
        for (int id : ids) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(run("qstat", "-f", id + ".vm").out())
                                    .contains("    job_state = " + state + "\n"));
        }
    }

    private String plain(String text, String name) {
        return TorqueSamples.plain(text, name, work.toString());
    }

    private String recorded(String text) {
        return plain(text.replace("dteam002", "dteam001"), "dteam001");
    }

    private static List<String> lines(String text) {
        return text.lines().toList();
    }

    private void script(String name, String text) throws IOException {
        Path path = Files.writeString(work.resolve(name), text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
