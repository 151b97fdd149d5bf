package org.gelato.ce.blahbridge.blahp;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Accepted;
import org.gelato.ce.core.lrms.SubmitResult.Refused;
import org.gelato.ce.core.lrms.SubmitResult.Unavailable;
import org.gelato.ce.core.lrms.SubmitResult.Unclear;
import org.gelato.ce.core.lrms.type.LrmsSite.Unsupported;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job's way through a blahpd that replays a real one's recorded results. */
class BlahpLrmsTest {
    @TempDir
    Path base;

    private final List<Path> written = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-20T12:00:00Z"));
    private final Clock clock = ((InstantSource) () -> now.get()).withZone(ZoneOffset.UTC);

    private String gridType = "lsf";
    private String schedd = "";
    private AccountCommandException writeFault;
    private BlahpLrms lrms;

    @BeforeEach
    void unpack() throws IOException {
        try (InputStream double_ = getClass().getResourceAsStream("/blahp/blahpd.pl")) {
            Files.copy(double_, base.resolve("blahpd.pl"));
        }
    }

    @AfterEach
    void close() {
        if (lrms != null) {
            lrms.close();
        }
    }

    private BlahpLrms open(boolean sudo, Duration timeout, String... responses) throws IOException {
        Files.write(base.resolve("answers"), List.of(responses));
        AccountCommands accounts = (AccountCommands) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {AccountCommands.class}, (proxy, method, args) -> {
                    assertThat(method.getName()).isEqualTo("put");
                    written.add(((FileContent) args[1]).path());
                    return writeFault == null
                            ? CompletableFuture.completedFuture(null)
                            : CompletableFuture.failedFuture(writeFault);
                });
        lrms = BlahpLrms.open(config(sudo, timeout), accounts, Runnable::run, clock);
        return lrms;
    }

    private BlahpConfig config(boolean sudo, Duration timeout) {
        return new BlahpConfig(
                List.of(
                        "/usr/bin/perl",
                        base.resolve("blahpd.pl").toString(),
                        base.resolve("answers").toString(),
                        base.resolve("journal").toString()),
                gridType,
                schedd,
                sudo,
                "dteam001",
                8,
                base.resolve("log/accounting"),
                timeout);
    }

    private Optional<Unsupported> checked(boolean sudo, Duration timeout, String... responses) throws IOException {
        Files.write(base.resolve("answers"), List.of(responses));
        return new BlahpSite(config(sudo, timeout))
                .unsupported(null, "dteam001")
                .join();
    }

    private static Submission job() {
        return SubmitAdTest.job("", SubmitAdTest.ALICE);
    }

    private SubmitResult submit() throws Exception {
        return lrms.submit(List.of(job())).get(0).get(5, MINUTES);
    }

    private List<String> commands() throws IOException {
        return Files.readAllLines(base.resolve("journal")).stream()
                .filter(l -> !l.equals("RESULTS") && !l.equals("ASYNC_MODE_ON"))
                .toList();
    }

    /** What an earlier blahpd was doing is over now. */
    private void settle() {
        now.updateAndGet(t -> t.plus(Duration.ofHours(2)));
    }

    private void logged(String day, String... lines) throws IOException {
        Files.createDirectories(base.resolve("log"));
        Files.writeString(base.resolve("log/accounting-" + day), String.join("\n", lines));
    }

    private static String line(String lrmsId, String tag) {
        return "\"timestamp=2026-11-20 03:04:05\" \"userDN=/O=T/CN=A\" \"ceID=ce:8443/cream-lsf-long\" \"jobID=x\" \"lrmsID="
                + lrmsId + "\" \"localUser=10001\" \"clientID=" + tag + "\"";
    }

    @Test
    void aJobIsHandedOverInOneCommandAfterItsWrapperWasWritten() throws Exception {
        open(false, Duration.ofMinutes(1), "BLAH_JOB_SUBMIT *\t0 No\\ error lsf/20261120/42");
        assertThat(submit()).isEqualTo(new Accepted("lsf/20261120/42"));
        assertThat(written).containsExactly(job().wrapperFile());
        assertThat(commands()).hasSize(1);
        assertThat(commands().get(0))
                .startsWith("BLAH_JOB_SUBMIT 1 [Cmd=\"/sandbox/")
                .contains("CN=Alice\\ One");
    }

    @Test
    void inSudoModeEveryCommandIsForTheAccountNamedBefore() throws Exception {
        open(
                true,
                Duration.ofMinutes(1),
                "BLAH_JOB_SUBMIT *\t0 No\\ error lsf/20261120/42",
                "BLAH_JOB_CANCEL *\t0 No\\ error",
                "BLAH_JOB_STATUS *\t0 No\\ Error 1 [\\ JobStatus\\ =\\ 1;\\ BatchJobId\\ =\\ \"42\"\\ ]");
        submit();
        submit();
        lrms.cancel("dteam002", List.of("lsf/20261120/42")).get(5, MINUTES);
        lrms.poll(List.of("lsf/20261120/42")).get(5, MINUTES);
        assertThat(commands().stream().map(c -> c.split(" ")[0] + (c.contains("SUDO_ID") ? " " + c.split(" ")[1] : "")))
                .containsExactly(
                        "BLAH_SET_SUDO_ID dteam001",
                        "BLAH_JOB_SUBMIT",
                        "BLAH_JOB_SUBMIT",
                        "BLAH_SET_SUDO_ID dteam002",
                        "BLAH_JOB_CANCEL",
                        "BLAH_SET_SUDO_OFF",
                        "BLAH_JOB_STATUS");
    }

    @Test
    void nothingIsSentForAnAccountThatBlahpdDidNotConfirm() throws Exception {
        open(
                true,
                Duration.ofMinutes(1),
                "BLAH_SET_SUDO_ID dteam001\tF Error",
                "BLAH_JOB_SUBMIT *\t0 No\\ error lsf/20261120/42");
        assertThat(submit())
                .isInstanceOfSatisfying(
                        Unavailable.class, u -> assertThat(u.reason()).contains("does not serve the account dteam001"));
        assertThat(commands()).containsExactly("BLAH_SET_SUDO_ID dteam001");
    }

    @Test
    void withoutSudoAForeignAccountsJobIsRefused() throws Exception {
        open(false, Duration.ofMinutes(1), "BLAH_JOB_SUBMIT *\t0 No\\ error lsf/20261120/42");
        Submission s = job();
        Submission foreign =
                new Submission(s.id(), 1, "dteam002", s.queue(), s.sandbox(), s.wrapper(), s.request(), s.origin());
        assertThat(lrms.submit(List.of(foreign)).get(0).get(5, MINUTES))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.reason()).contains("gelato.lrms.blahp.sudo"));
    }

    @Test
    void aWrapperThatCannotBeWrittenIsNoJob() throws Exception {
        open(false, Duration.ofMinutes(1), "BLAH_JOB_SUBMIT *\t0 No\\ error lsf/20261120/42");
        writeFault = new AccountCommandException(Code.FAILED, "no space");
        assertThat(submit()).isInstanceOf(Unavailable.class);
        assertThat(commands()).isEmpty();
    }

    @Test
    void aBlahpdThatDiesIsUnclearAndIsRestarted() throws Exception {
        open(false, Duration.ofMinutes(1), "BLAH_JOB_SUBMIT *\tDIE");
        assertThat(submit()).isInstanceOf(Unclear.class);
        await().untilAsserted(
                        () -> assertThat(lrms.health().get(5, MINUTES).up()).isTrue());
        assertThat(Files.readAllLines(base.resolve("journal")))
                .filteredOn("ASYNC_MODE_ON"::equals)
                .hasSize(2);
    }

    @Test
    void itsHealthIsThatOfTheBatchSystemBehindIt() throws Exception {
        open(false, Duration.ofMinutes(1), "BLAH_PING *\t1 condor_q:\\ cannot\\ connect");
        assertThat(lrms.health().get(5, MINUTES)).isEqualTo(new Lrms.Health(false, "condor_q: cannot connect"));
    }

    @Test
    void afterARestartNothingIsReportedAbsentUntilOldScriptsMustHaveEnded() throws Exception {
        open(false, Duration.ofMinutes(1));
        logged("20261120", "");
        assertThatThrownBy(() -> lrms.find(Submissions.sought("dteam001", "cream_000000042"))
                        .get(5, MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("may not be over");
    }

    @Test
    void aSubmissionWithoutResultIsNotReportedAbsent() throws Exception {
        open(false, Duration.ofMillis(1), "BLAH_JOB_SUBMIT *\tHANG");
        logged("20261120", "");
        assertThat(submit()).isInstanceOf(Unclear.class);
        settle();
        Map<String, LrmsJob> found = lrms.find(Submissions.sought("dteam001", "cream_000000042", "cream_000000043"))
                .get(5, MINUTES);
        assertThat(found).as("and hides no other").containsOnlyKeys("cream_000000042");
        assertThat(found.get("cream_000000042").isUnreadable()).isTrue();
        assertThat(found.get("cream_000000042").reason()).contains("has not returned");
    }

    @Test
    void aLineOfTheLogWithoutAReadableIdIsNoAbsence() throws Exception {
        open(false, Duration.ofMinutes(1), "BLAH_JOB_STATUS *\t0 No\\ Error 1 [\\ JobStatus\\ =\\ 1;\\ X\\ =\\ 1\\ ]");
        logged(
                "20261120",
                line("4 1", "cream_000000041"),
                line("42", "cream_000000042").replace("lrmsID", "lrms"),
                line("43", "cream_000000043"),
                "");
        settle();
        Map<String, LrmsJob> found = lrms.find(Submissions.sought(
                        "dteam001", "cream_000000041", "cream_000000042", "cream_000000043", "cream_000000044"))
                .get(5, MINUTES);
        assertThat(found).containsOnlyKeys("cream_000000041", "cream_000000042", "cream_000000043");
        assertThat(found.get("cream_000000041").isUnreadable()).isTrue();
        assertThat(found.get("cream_000000042").isUnreadable()).isTrue();
        assertThat(found.get("cream_000000043").state()).isEqualTo(LrmsJob.State.QUEUED);
    }

    @Test
    void theLogOfSubmissionsResolvesALostResult() throws Exception {
        open(
                false,
                Duration.ofMinutes(1),
                "BLAH_JOB_STATUS lsf/20261119/41\t0 No\\ Error 2 [\\ JobStatus\\ =\\ 2;\\ WorkerNode\\ =\\ \"vm\"\\ ]");
        logged("20261119", line("40", "cream_000000041"), line("41", "cream_000000042"), "");
        logged("20261120", line("50", "cream_000000050"), line("51", "cream_000000051")); // the last is being written
        settle();
        Map<String, LrmsJob> found = lrms.find(Submissions.sought("dteam001", "cream_000000042", "cream_000000051"))
                .get(5, MINUTES);
        assertThat(found.keySet()).containsExactly("cream_000000042");
        assertThat(found.get("cream_000000042").lrmsId()).isEqualTo("lsf/20261119/41");
    }

    @Test
    void withoutThatLogNothingIsReportedAbsent() throws Exception {
        open(false, Duration.ofMinutes(1));
        settle();
        assertThatThrownBy(() -> lrms.find(Submissions.sought("dteam001", "cream_000000042"))
                        .get(5, MINUTES))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void aUsersOwnTextInTheLogNamesNoJob() throws Exception {
        open(false, Duration.ofMinutes(1), "BLAH_JOB_STATUS *\t0 No\\ Error 1 [\\ JobStatus\\ =\\ 1;\\ X\\ =\\ 1\\ ]");
        logged(
                "20261120",
                "\"userDN=/CN=x\" \"lrmsID=13\" \"clientID=cream_000000042\" " + line("14", "cream_000000043"),
                "");
        settle();
        assertThat(lrms.find(Submissions.sought("dteam001", "cream_000000042")).get(5, MINUTES))
                .isEmpty();
    }

    @Test
    void oneRoundQueriesEachJobOnce() throws Exception {
        open(
                false,
                Duration.ofMinutes(1),
                "BLAH_JOB_STATUS *\t0 No\\ Error 2 [\\ JobStatus\\ =\\ 2;\\ WorkerNode\\ =\\ \"vm\"\\ ]");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            ids.add("lsf/20261120/" + i);
        }
        List<LrmsJob> first = lrms.poll(ids).get(5, MINUTES);
        assertThat(first).hasSize(150);
        assertThat(first).filteredOn(j -> j.state() == State.RUNNING).hasSize(StatusRounds.MAX_ASKED);
        assertThat(first).filteredOn(j -> j.state() == State.UNKNOWN).hasSize(50);
        List<LrmsJob> second = lrms.poll(ids).get(5, MINUTES);
        assertThat(second)
                .as("those of the round before, no more")
                .filteredOn(j -> j.state() == State.UNKNOWN)
                .hasSize(50)
                .allMatch(j ->
                        first.stream().anyMatch(f -> f.lrmsId().equals(j.lrmsId()) && f.state() == State.RUNNING));
        assertThat(commands()).hasSize(2 * StatusRounds.MAX_ASKED);
    }

    /** Its files may be older than the start of a job. */
    @Test
    void aJobIsInTheQueueAgainByTheSecondResult() throws Exception {
        String running = "BLAH_JOB_STATUS *\t0 No\\ Error 2 [\\ JobStatus\\ =\\ 2;\\ WorkerNode\\ =\\ \"vm\"\\ ]";
        String queued = "BLAH_JOB_STATUS *\t0 No\\ Error 1 [\\ JobStatus\\ =\\ 1;\\ BatchJobId\\ =\\ \"4\"\\ ]";
        open(false, Duration.ofMinutes(1), queued, running, queued, queued, running);
        List<State> shown = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            shown.add(
                    lrms.poll(List.of("lsf/20261120/4")).get(5, MINUTES).get(0).state());
        }
        assertThat(shown).containsExactly(State.UNKNOWN, State.RUNNING, State.UNKNOWN, State.QUEUED, State.RUNNING);
    }

    /** As pbs_status.sh, slurm_status.sh and lsf_status.sh fail when the batch system does not respond. */
    @ParameterizedTest
    @ValueSource(strings = {"1 ERROR:\\ Job\\ not\\ found 0 N/A", "1 Error\\ allocating\\ memory 0 N/A"})
    void aStatusThatFailsIsNoEndHoweverOftenItDoes(String response) throws Exception {
        open(
                false,
                Duration.ofMinutes(1),
                "BLAH_JOB_CANCEL *\t1 cannot\\ connect\\ to\\ server\\ pbs\\ (errno=111)",
                "BLAH_JOB_STATUS *\t" + response);
        List<String> ids = List.of("lsf/20261120/4");
        for (int round = 0; round <= StatusRounds.GONE_AFTER; round++) {
            assertThat(lrms.poll(ids).get(5, MINUTES)).allMatch(j -> j.state() == State.UNKNOWN);
            assertThat(lrms.cancel("dteam001", ids).get(5, MINUTES).get(ids.get(0)))
                    .contains("cannot connect");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 No\\ error", "153 qdel:\\ nonexistent\\ job\\ id:\\ 99999.vm"})
    void aJobOfWhichTheBatchSystemTookTheCancelHasEndedWhenItsStatusFails(String response) throws Exception {
        open(
                false,
                Duration.ofMinutes(1),
                "BLAH_JOB_CANCEL *\t" + response,
                "BLAH_JOB_STATUS *\t1 Error\\ allocating\\ memory 0 N/A");
        List<String> ids = List.of("lsf/20261120/4");
        lrms.poll(ids).get(5, MINUTES);
        lrms.cancel("dteam001", ids).get(5, MINUTES);
        for (int round = 1; round < StatusRounds.GONE_AFTER; round++) {
            assertThat(lrms.poll(ids).get(5, MINUTES)).allMatch(j -> j.state() == State.UNKNOWN);
        }
        assertThat(lrms.poll(ids).get(5, MINUTES)).allMatch(j -> j.state() == State.CANCELLED);
    }

    /** blahpd says so of each job that the batch system does not know, and one that has just been started may know none. */
    @Test
    void aJobThatBlahpdDoesNotKnowHasEndedByTheThirdResult() throws Exception {
        String unknown =
                "BLAH_JOB_STATUS *\t0 No\\ Error 4 [\\ ExitCode\\ =\\ 0;\\ JobStatus\\ =\\ 4;\\ BatchJobId\\ =\\ \"4\"\\ ]";
        String running = "BLAH_JOB_STATUS *\t0 No\\ Error 2 [\\ JobStatus\\ =\\ 2;\\ WorkerNode\\ =\\ \"vm\"\\ ]";
        open(false, Duration.ofMinutes(1), unknown, unknown, running, unknown, unknown, unknown);
        List<State> shown = new ArrayList<>();
        for (int round = 0; round < 6; round++) {
            shown.add(
                    lrms.poll(List.of("lsf/20261120/4")).get(5, MINUTES).get(0).state());
        }
        assertThat(shown)
                .containsExactly(State.UNKNOWN, State.UNKNOWN, State.RUNNING, State.UNKNOWN, State.UNKNOWN, State.DONE);
    }

    /** HTCondor's scripts fail in the same words for a job that is gone, and when the schedd is away; its check tells the one from the other. */
    @Test
    void aJobThatHTCondorsBlahpdDoesNotFindIsCancelledOnlyWhereTheScheddResponds() throws Exception {
        gridType = "condor";
        open(
                false,
                Duration.ofMinutes(1),
                "BLAH_JOB_STATUS *\t255 status\\ command\\ failed:\\  0 N/A",
                "BLAH_JOB_CANCEL *\t1 Cancellation\\ command\\ failed\\ (stdout:\\ 1\\ Error)\\ (stderr:)",
                "BLAH_PING *\t1 Error:\\ no\\ schedd",
                "BLAH_PING *\t0 No\\ error");
        List<String> ids = List.of("condor/5//");
        assertThat(lrms.cancel("dteam001", ids).get(5, MINUTES).get(ids.get(0))).contains("Cancellation");
        assertThat(lrms.cancel("dteam001", ids).get(5, MINUTES)).containsEntry(ids.get(0), null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 No\\ Error 7 [\\ JobStatus\\ =\\ 7;\\ BatchJobId\\ =\\ \"4\"\\ ]",
                "0 No\\ Error 2 [\\ JobStat",
                "0 No\\ Error 2",
            })
    void aStatusThatCannotBeReadIsNoDeletionHoweverOftenItComes(String response) throws Exception {
        open(false, Duration.ofMinutes(1), "BLAH_JOB_STATUS *\t" + response);
        List<String> ids = List.of("lsf/20261120/4");
        for (int round = 0; round <= StatusRounds.GONE_AFTER; round++) {
            assertThat(lrms.poll(ids).get(5, MINUTES)).allMatch(j -> j.state() == State.UNKNOWN);
        }
    }

    @Test
    void aJobKnownByItsOwnReportOnlyIsQueriedUnderTheBatchSystemsId() throws Exception {
        open(false, Duration.ofMinutes(1), "BLAH_JOB_HOLD *\t0 No\\ error");
        assertThat(lrms.hold("dteam001", List.of("42.server", "rm -rf /")).get(5, MINUTES))
                .containsEntry("42.server", null)
                .containsEntry("rm -rf /", "not the id of a job of blahpd's");
        assertThat(commands().get(0)).matches("BLAH_JOB_HOLD 1 lsf/[0-9]{8}/42\\.server");
        assertThat(lrms.isSame("lsf/20261120/42", "42.server")).isTrue();
        assertThat(lrms.isSame("lsf/20261120/42", "43.server")).isFalse();
    }

    /** As HTCondor's own blahpd 23.9 gives and takes them. */
    @Test
    void idsOfHTCondorHaveTheirSlashesAndItsQueueIsTheSchedd() throws Exception {
        gridType = "condor";
        open(
                false,
                Duration.ofMinutes(1),
                "BLAH_JOB_SUBMIT *\t0 No\\ error condor/307//",
                "BLAH_JOB_STATUS condor/307//\t0 No\\ Error 2 [\\ JobStatus\\ =\\ 2;\\ BatchjobId\\ =\\ \"307//\"\\ ]",
                "BLAH_JOB_RESUME condor/307//\t0 No\\ error");
        logged("20261120", line("307", "cream_000000042"), "");
        assertThat(submit()).isEqualTo(new Accepted("condor/307//"));
        assertThat(commands().get(0)).doesNotContainIgnoringCase("queue=");
        assertThat(lrms.poll(List.of("condor/307//")).get(5, MINUTES))
                .singleElement()
                .satisfies(job -> assertThat(job.state()).isEqualTo(State.RUNNING));
        assertThat(lrms.release("dteam001", List.of("condor/307//", "307.0", "condor/307/a b/", "condor/x//"))
                        .get(5, MINUTES))
                .containsEntry("condor/307//", null)
                .containsEntry("307.0", null)
                .containsEntry("condor/307/a b/", "not the id of a job of blahpd's")
                .containsEntry("condor/x//", "not the id of a job of blahpd's");
        assertThat(lrms.isSame("condor/307//", "307.0")).isTrue();
        assertThat(lrms.isSame("condor/307/vm.local/", "condor/308/vm.local/")).isFalse();
        settle();
        assertThat(lrms.find(Submissions.sought("dteam001", "cream_000000042")).get(5, MINUTES))
                .hasEntrySatisfying(
                        "cream_000000042", job -> assertThat(job.lrmsId()).isEqualTo("condor/307//"));
    }

    /** HTCondor's hold of a running job ends its run, and its scripts say the same of all that they cannot cancel. */
    @Test
    void jobsOfHTCondorThatRunAreNotHeldAndThoseThatEndedAreCancelled() throws Exception {
        gridType = "condor";
        String ad = "\\ BatchjobId\\ =\\ \"1//\"\\ ]";
        open(
                false,
                Duration.ofMinutes(1),
                "BLAH_JOB_STATUS condor/1//\t0 No\\ Error 1 [\\ JobStatus\\ =\\ 1;" + ad,
                "BLAH_JOB_STATUS condor/2//\t0 No\\ Error 2 [\\ JobStatus\\ =\\ 2;" + ad,
                "BLAH_JOB_STATUS condor/3//\t0 No\\ Error 4 [\\ ExitCode\\ =\\ 3;\\ JobStatus\\ =\\ 4;\\ ExitBySignal\\ =\\ false;"
                        + ad,
                "BLAH_JOB_STATUS condor/4//\t0 No\\ Error 4 [\\ ExitSignal\\ =\\ 9;\\ JobStatus\\ =\\ 4;\\ ExitBySignal\\ =\\ true;"
                        + ad,
                "BLAH_JOB_STATUS condor/5//\t255 status\\ command\\ failed:\\  0 N/A",
                "BLAH_JOB_HOLD condor/1//\t0 No\\ error",
                "BLAH_JOB_CANCEL condor/1//\t0 No\\ error",
                "BLAH_JOB_CANCEL *\t1 Cancellation\\ command\\ failed\\ (stdout:\\ 1\\ Error)\\ (stderr:)");
        List<String> ids = List.of("condor/1//", "condor/2//", "condor/3//", "condor/4//", "condor/5//");
        Map<String, String> held = lrms.hold("dteam001", ids).get(5, MINUTES);
        assertThat(held).containsEntry("condor/1//", null);
        assertThat(held.get("condor/2//")).contains("waiting jobs of HTCondor only");
        assertThat(commands()).filteredOn(line -> line.contains("HOLD")).hasSize(1);
        Map<String, String> cancelled = lrms.cancel("dteam001", ids).get(5, MINUTES);
        for (int i : new int[] {0, 2, 3}) {
            assertThat(cancelled).containsEntry(ids.get(i), null);
        }
        assertThat(cancelled.get("condor/2//")).contains("Cancellation command failed");
        assertThat(lrms.poll(List.of("condor/3//", "condor/4//")).get(5, MINUTES))
                .extracting(LrmsJob::exitCode)
                .containsExactly(3, 137);
    }

    @Test
    void aScheddThatIsNamedIsTheQueueAndAPartOfTheId() throws Exception {
        gridType = "condor";
        schedd = "s.example";
        open(
                false,
                Duration.ofMinutes(1),
                "BLAH_JOB_SUBMIT *\t0 No\\ error condor/307/s.example/p.example:9618",
                "BLAH_JOB_STATUS condor/308/s.example/\t0 No\\ Error 1 [\\ JobStatus\\ =\\ 1;\\ X\\ =\\ 1\\ ]");
        logged("20261120", line("308", "cream_000000043"), "");
        assertThat(submit()).isEqualTo(new Accepted("condor/307/s.example/p.example:9618"));
        assertThat(commands().get(0)).contains(";queue=\"s.example\"]");
        settle();
        assertThat(lrms.find(Submissions.sought("dteam001", "cream_000000043")).get(5, MINUTES))
                .hasEntrySatisfying(
                        "cream_000000043", job -> assertThat(job.lrmsId()).isEqualTo("condor/308/s.example/"));
    }

    @Test
    void theCheckNamesWhatBlahpdDoesNotServe() throws Exception {
        Duration minute = Duration.ofMinutes(1);
        assertThat(checked(true, minute, "BLAH_PING *\t0 No\\ error")).isEmpty();
        assertThat(checked(true, minute, "BLAH_JOB_SUBMIT *\tRUN"))
                .as("an older one, without BLAH_PING")
                .isEmpty();
        assertThat(checked(true, minute, "BLAH_SET_SUDO_ID dteam001\tF not\\ in\\ sudoers"))
                .hasValueSatisfying(found -> {
                    assertThat(found.key()).isEqualTo("gelato.lrms.blahp.sudo");
                    assertThat(found.what()).contains("dteam001", "not in sudoers");
                });
        assertThat(checked(
                        true,
                        minute,
                        "BLAH_PING *\t1 Ping\\ command\\ failed\\ (stderr:sudo:\\ unknown\\ user)",
                        "BLAH_PING *\t0 No\\ error"))
                .as("an account that it takes, and then fails for")
                .hasValueSatisfying(found -> {
                    assertThat(found.key()).isEqualTo("gelato.lrms.blahp.sudo");
                    assertThat(found.what()).contains("dteam001", "unknown user");
                });
        assertThat(checked(false, minute, "BLAH_PING *\t1 Error:\\ no\\ schedd"))
                .hasValueSatisfying(found -> {
                    assertThat(found.key()).isEqualTo("gelato.lrms.blahp.command");
                    assertThat(found.what()).contains("BLAH_PING", "no schedd");
                });
        assertThat(checked(false, Duration.ofMillis(300), "BLAH_PING *\tHANG"))
                .hasValueSatisfying(found -> assertThat(found.what()).contains("no result within"));
    }
}
