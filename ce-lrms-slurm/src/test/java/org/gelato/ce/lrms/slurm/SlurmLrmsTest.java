package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.Lrms.Health;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmLrmsTest {
    private static final String DISABLED = "Slurm accounting storage is disabled\n";

    @TempDir
    Path dir;

    @Test
    void oneProcessHandsAJobOverWithAllItNeeds() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17\n", "");
        SlurmConfig config = Records.with(SlurmConfig.DEFAULT, "confFile", Path.of("/etc/slurm/slurm.conf"));
        assertThat(new SlurmLrms(config, accounts, Runnable::run)
                        .submit(List.of(Submissions.plain()))
                        .get(0))
                .isCompletedWithValue(new SubmitResult.Accepted("17"));

        assertThat(accounts.calls).hasSize(1);
        assertThat(accounts.calls.get(0).account()).isEqualTo("dteam001");
        Run run = accounts.calls.get(0).run();
        String sandbox = "/sandboxes/vo/ab/00/00/CREAM000000042";
        assertThat(run.argv())
                .containsExactly(
                        "/usr/bin/sbatch",
                        "--parsable",
                        "--job-name=cream_000000042",
                        "--chdir=" + sandbox,
                        "--output=" + sandbox + "/StandardOutput",
                        "--error=" + sandbox + "/StandardError",
                        "--no-requeue",
                        "--comment=cream_000000042",
                        "--partition=long",
                        "--ntasks=1",
                        "--propagate=NONE",
                        "--export=ALL",
                        sandbox + "/CREAM000000042_jobWrapper.sh");
        assertThat(run.cwd()).isEqualTo(Path.of(sandbox));
        assertThat(run.environment())
                .isEqualTo(Map.of(
                        "PATH", "/usr/local/bin:/usr/bin:/bin",
                        "LANG", "C",
                        "SLURM_CONF", "/etc/slurm/slurm.conf",
                        "HOME", sandbox,
                        "USER", "dteam001",
                        "LOGNAME", "dteam001"));
        FileContent wrapper = run.files().get(0);
        assertThat(run.files()).hasSize(1);
        assertThat(wrapper.path()).isEqualTo(Path.of(sandbox, "CREAM000000042_jobWrapper.sh"));
        assertThat(wrapper.mode()).isEqualTo(0700);
        assertThat(new String(wrapper.content(), StandardCharsets.UTF_8)).startsWith("#!/bin/bash -l\n");
    }

    @Test
    void theSitesScriptIsOneMoreProcessAndItsWordCounts() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> call.program().equals("bash")
                ? ScriptedAccounts.done(
                        1, "#SBATCH --mem=2000 --account=x\n# comment\n#SBATCH -p other\nmodule load x\n", "")
                : ScriptedAccounts.done(0, "17\n", ""));
        NodeRequest nodes = new NodeRequest(
                4, null, null, false, null, null, null, null, "other.GlueHostMainMemoryRAMSize >= 2000");
        Submission job = Submissions.with(nodes, new Limits(Duration.ofHours(1), null, null, 2000L << 20, null));
        SlurmConfig config = Records.with(SlurmConfig.DEFAULT, "submitAttributes", Path.of("/etc/it's.sh"));
        assertThat(new SlurmLrms(config, accounts, Runnable::run)
                        .submit(List.of(job))
                        .get(0))
                .isCompletedWithValue(new SubmitResult.Accepted("17"));
        assertThat(accounts.calls)
                .extracting(ScriptedAccounts.Call::account, ScriptedAccounts.Call::program)
                .containsExactly(tuple("dteam001", "bash"), tuple("dteam001", "sbatch"));
        assertThat(new String(accounts.calls.get(0).run().stdin(), StandardCharsets.UTF_8))
                .isEqualTo("""
                GlueHostMainMemoryRAMSize_Min='2000'
                blah_opt_mpinodes='4'
                [ -r '/etc/it'\\''s.sh' ] || exit 97
                . '/etc/it'\\''s.sh' </dev/null
                """);
        assertThat(accounts.calls.get(0).run().environment())
                .containsEntry("GELATO_JOB_QUEUE", "long")
                .containsEntry("USER", "dteam001");
        assertThat(accounts.calls.get(1).line()).doesNotContain("--partition", "--mem", "--ntasks", "--time");
        assertThat(new String(accounts.calls.get(1).run().files().get(0).content(), StandardCharsets.UTF_8))
                .isEqualTo("""
                #!/bin/bash -l
                #SBATCH --propagate=NONE
                #SBATCH --comment=cream_000000042
                #SBATCH --partition=long
                #SBATCH --ntasks=4
                #SBATCH --time=60
                #SBATCH --mem=2000 --account=x
                #SBATCH -p other
                :
                module load x
                /bin/sleep 3
                """);
    }

    @Test
    void aScriptThatPrintsNothingLeavesTheJobAsItIs() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> call.program().equals("bash")
                ? ScriptedAccounts.done(0, "# nothing\n", "")
                : ScriptedAccounts.done(0, "17\n", ""));
        SlurmConfig config = Records.with(SlurmConfig.DEFAULT, "submitAttributes", Path.of("/etc/s.sh"));
        new SlurmLrms(config, accounts, Runnable::run).submit(List.of(Submissions.plain()));
        assertThat(accounts.calls.get(1).line()).contains("--partition=long --ntasks=1");
        assertThat(new String(accounts.calls.get(1).run().files().get(0).content(), StandardCharsets.UTF_8))
                .isEqualTo(Submissions.plain().wrapper());
    }

    @Test
    void withoutTheSitesScriptNothingIsSubmitted() {
        for (Completed bad : List.of(
                new Completed(97, false, "", ""),
                new Completed(137, true, "", ""),
                new Completed(0, false, "#SBATCH -n \u0007\n", ""),
                new Completed(0, false, "x".repeat(70_000), ""))) {
            ScriptedAccounts accounts = new ScriptedAccounts(call -> CompletableFuture.completedFuture(bad));
            SlurmConfig config = Records.with(SlurmConfig.DEFAULT, "submitAttributes", Path.of("/etc/s.sh"));
            assertThat(new SlurmLrms(config, accounts, Runnable::run)
                            .submit(List.of(Submissions.plain()))
                            .get(0)
                            .join())
                    .isInstanceOf(SubmitResult.Unavailable.class);
            assertThat(accounts.calls).hasSize(1);
        }
    }

    @Test
    void aNodeThatDoesNotSeeTheSandboxGetsNoPathOfIt() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17\n", "");
        SlurmConfig config =
                Records.with(SlurmConfig.DEFAULT, "nodesSeeSandboxes", false, "nodeOutput", "/var/tmp/%j.out");
        new SlurmLrms(config, accounts, Runnable::run).submit(List.of(Submissions.plain()));
        Run run = accounts.calls.get(0).run();
        assertThat(run.argv()).contains("--chdir=/", "--output=/var/tmp/%j.out");
        assertThat(run.argv().subList(0, run.argv().size() - 1)).noneMatch(word -> word.contains("/sandboxes/"));
        assertThat(run.environment()).containsEntry("HOME", "/nonexistent");
    }

    @Test
    void aPercentInAPathIsNoPattern() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17\n", "");
        lrms(accounts).submit(List.of(Submissions.of("long", Path.of("/s/%j"), Submissions.ONE_CPU)));
        assertThat(accounts.calls.get(0).run().argv())
                .contains("--output=/s/%%j/StandardOutput", "--error=/s/%%j/StandardError", "--chdir=/s/%j");
    }

    @Test
    void aQueueThatCannotBeAPartitionIsRefusedWithoutACall() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17\n", "");
        for (String queue : List.of("", "a,b", "long short", "-x", "a\nb", "%j")) {
            assertThat(lrms(accounts)
                            .submit(List.of(Submissions.of(queue, Path.of("/s"), Submissions.ONE_CPU)))
                            .get(0)
                            .join())
                    .isInstanceOf(SubmitResult.Refused.class);
        }
        assertThat(accounts.calls).isEmpty();
    }

    @Test
    void oneInvalidSubmissionDoesNotAffectTheOthers() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> {
            if (call.line().contains("--partition=lost")) {
                return CompletableFuture.failedFuture(new ChannelLostException("helper died"));
            }
            if (call.line().contains("--partition=odd")) {
                throw new IllegalStateException("must not escape");
            }
            return ScriptedAccounts.done(0, "5\n", "");
        });
        assertThat(lrms(accounts)
                        .submit(List.of(
                                Submissions.of("lost", Path.of("/s"), Submissions.ONE_CPU),
                                Submissions.of("odd", Path.of("/s"), Submissions.ONE_CPU),
                                Submissions.of("a,b", Path.of("/s"), Submissions.ONE_CPU),
                                Submissions.plain()))
                        .stream()
                        .map(CompletableFuture::join))
                .extracting(result -> (Object) result.getClass())
                .containsExactly(
                        SubmitResult.Unclear.class,
                        SubmitResult.Unclear.class,
                        SubmitResult.Refused.class,
                        SubmitResult.Accepted.class);
    }

    @Test
    void aPollIsOneProcessOfTheHelpersOwnAccount() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
                0,
                IntStream.range(0, 3000)
                        .mapToObj(i -> line(mark, i, "RUNNING", "0", "cream_" + String.format("%09d", i)))
                        .reduce("", String::concat),
                ""));
        assertThat(lrms(accounts).poll().join()).hasSize(3000);
        assertThat(accounts.calls).hasSize(1);
        assertThat(accounts.calls.get(0).account()).isEqualTo(AccountCommands.SELF);
        assertThat(accounts.calls.get(0).run().argv()).contains("/usr/bin/squeue", "--states=all", "--noheader");
    }

    @Test
    void theMarkIsNewForEachCall() {
        Map<String, Integer> marks = new HashMap<>();
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> {
            marks.merge(mark, 1, Integer::sum);
            return ScriptedAccounts.done(0, "", "");
        });
        SlurmLrms lrms = lrms(accounts);
        for (int i = 0; i < 5; i++) {
            assertThat(lrms.poll().join()).isEmpty();
        }
        assertThat(marks).hasSize(5).doesNotContainKey("");
    }

    @Test
    void incompleteOutputIsAnError() {
        assertPollFails(new Completed(1, false, "", "slurm_load_jobs error: Unable to contact slurm controller\n"));
        assertPollFails(new Completed(137, true, "", ""));
        assertPollFails(new Completed(0, false, "1|x|RUNNING|0|0:00|1|wn0|N/A||None|cream_000000001", ""));
        assertPollFails(new Completed(0, false, "JOBID PARTITION NAME\n", ""));
        assertPollFails(new Completed(0, false, "x".repeat(4 * 1024 * 1024 - 1), ""));
    }

    @Test
    void aTagIsSoughtInTheQueueThenInHistory() throws IOException {
        Path log = Files.writeString(
                dir.resolve("jobcomp.log"),
                "JobId=33 UserId=dteam001(1) GroupId=d(1) Name=cream_000000003 JobState=FAILED NodeList=wn0 ExitCode=7:0 \n");
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> switch (call.program()) {
            case "squeue" -> ScriptedAccounts.done(0, line(mark, 31, "PENDING", "0", "cream_000000001"), "");
            case "sacct" ->
                ScriptedAccounts.done(
                        0,
                        String.join(
                                        "|" + mark + "|",
                                        "32",
                                        "dteam001",
                                        "COMPLETED",
                                        "0:0",
                                        "00:00:00",
                                        "1",
                                        "wn0",
                                        "Unknown",
                                        "",
                                        "00:00:00",
                                        "cream_000000002")
                                + "\n",
                        "");
            default -> throw new AssertionError(call.line());
        });
        SlurmLrms lrms =
                new SlurmLrms(Records.with(SlurmConfig.DEFAULT, "jobCompletionLog", log), accounts, Runnable::run);
        Map<String, LrmsJob> found = lrms.find(Submissions.sought(
                        "dteam001", "cream_000000001", "cream_000000002", "cream_000000003", "cream_000000004"))
                .join();
        assertThat(found)
                .containsOnlyKeys("cream_000000001", "cream_000000002", "cream_000000003")
                .containsEntry("cream_000000003", new LrmsJob("33", "cream_000000003", State.DONE, 7, null, "wn0"));
        assertThat(accounts.calls).hasSize(3);
        assertThat(accounts.calls.get(0).line())
                .contains("--name=")
                .contains("cream_000000001", "cream_000000002", "cream_000000003", "cream_000000004");
        assertThat(accounts.calls.get(2).line()).doesNotContain("cream_000000001");
    }

    @Test
    void aJobWhoseNameWasChangedIsFoundByItsIdAndComment() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
                call.program().equals("squeue") ? 0 : 1,
                call.line().contains("--name=")
                        ? line(mark, 9, "RUNNING", "0", "cream_000000005|")
                        : line(mark, 5, "RUNNING", "0", "mine|cream_000000001")
                                + line(mark, 6, "RUNNING", "0", "mine|cream_000000002")
                                + line(mark, 8, "RUNNING", "0", "mine|cream_000000004")
                                + line(mark, 10, "FAILED", "256", "mine|cream_000000005")
                                + line(mark, 9, "RUNNING", "0", "cream_000000005|"),
                call.program().equals("squeue") ? "" : DISABLED));
        Lookup renamed = new Lookup("cream_000000001", "dteam001", "5");
        List<Lookup> lookups = List.of(
                renamed,
                new Lookup("cream_000000002", "dteam001", "7"),
                new Lookup("cream_000000003", "dteam001", null),
                new Lookup("cream_000000004", "dteam002", "8"),
                new Lookup("cream_000000005", "dteam001", "10"));
        assertThat(lrms(accounts).find(lookups).join())
                .containsOnlyKeys("cream_000000001", "cream_000000005")
                .containsEntry("cream_000000001", new LrmsJob("5", "cream_000000001", State.RUNNING, null, null, "wn0"))
                .hasEntrySatisfying(
                        "cream_000000005", job -> assertThat(job.lrmsId()).isEqualTo("10"));
        assertThat(accounts.calls).hasSize(4);
        assertThat(accounts.calls.get(2).line())
                .as("by ids where they are known")
                .contains("--jobs=7,8 ");
        assertThat(accounts.calls.get(3).line()).contains("--name=cream_000000003 ");
        assertThat(lrms(accounts).stillOwned(lookups.subList(0, 2)).join()).containsExactly("5");
        assertThat(lrms(accounts).poll().join()).extracting(LrmsJob::lrmsId).contains("5");
    }

    @Test
    void withoutHistoryTheQueueDecides() {
        ScriptedAccounts accounts =
                SlurmScript.accounts((call, mark) -> call.program().equals("squeue")
                        ? ScriptedAccounts.done(0, "", "")
                        : ScriptedAccounts.done(1, "", DISABLED));
        assertThat(lrms(accounts)
                        .find(Submissions.sought("dteam001", "cream_000000001"))
                        .join())
                .isEmpty();
        assertThat(lrms(accounts).find(List.of()).join()).isEmpty();
    }

    @Test
    void anErrorAnywhereInTheSearchIsNotAbsence() {
        ScriptedAccounts noQueue = ScriptedAccounts.answering(1, "", "slurm_load_jobs error: Socket timed out\n");
        assertFindFails(lrms(noQueue));
        ScriptedAccounts noDatabase = SlurmScript.accounts((call, mark) -> call.program()
                        .equals("squeue")
                ? ScriptedAccounts.done(0, "", "")
                : ScriptedAccounts.done(1, "", "sacct: error: Problem talking to the database: Connection refused\n"));
        assertFindFails(lrms(noDatabase));
        ScriptedAccounts noLog =
                SlurmScript.accounts((call, mark) -> call.program().equals("squeue")
                        ? ScriptedAccounts.done(0, "", "")
                        : ScriptedAccounts.done(1, "", DISABLED));
        assertFindFails(new SlurmLrms(
                Records.with(SlurmConfig.DEFAULT, "jobCompletionLog", dir.resolve("absent")), noLog, Runnable::run));
        ScriptedAccounts strange = SlurmScript.accounts(
                (call, mark) -> ScriptedAccounts.done(0, line(mark, 5, "GLOWING", "0", "cream_000000001"), ""));
        assertThat(lrms(strange)
                        .find(Submissions.sought("dteam001", "cream_000000001"))
                        .join()
                        .get("cream_000000001")
                        .state())
                .isEqualTo(State.UNKNOWN);
    }

    @Test
    void aRowThatCannotBeReadCostsNoOtherJobItsLookUpOrPoll() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
                call.program().equals("squeue") ? 0 : 1,
                line(mark, 5, "GLOWING", "0", "cream_000000001")
                        + "6_1|" + mark + "|dteam001|RUNNING|cream_000000002\n"
                        + line(mark, 7, "RUNNING", "0", "cream_000000003"),
                call.program().equals("squeue") ? "" : DISABLED));
        assertThat(lrms(accounts)
                        .find(Submissions.sought(
                                "dteam001", "cream_000000001", "cream_000000002", "cream_000000003", "cream_000000004"))
                        .join())
                .containsOnlyKeys("cream_000000001", "cream_000000002", "cream_000000003")
                .hasEntrySatisfying(
                        "cream_000000001", job -> assertThat(job.lrmsId()).isEqualTo("5"))
                .hasEntrySatisfying(
                        "cream_000000002", job -> assertThat(job.isUnreadable()).isTrue())
                .hasEntrySatisfying(
                        "cream_000000003", job -> assertThat(job.state()).isEqualTo(State.RUNNING));
        assertThat(lrms(accounts).poll().join())
                .as("not ended for a poll")
                .extracting(LrmsJob::lrmsId, LrmsJob::state)
                .containsExactly(tuple("5", State.UNKNOWN), tuple("7", State.RUNNING));
        assertThat(lrms(accounts)
                        .stillOwned(List.of(new Lookup("cream_000000001", "dteam001", "5")))
                        .join())
                .as("it can be cancelled")
                .containsExactly("5");
    }

    @Test
    void ofTwoJobsWithOneTagTheLiveOneCounts() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
                0,
                line(mark, 9, "RUNNING", "0", "cream_000000001")
                        + line(mark, 5, "COMPLETED", "0", "cream_000000001")
                        + line(mark, 8, "COMPLETED", "0", "cream_000000002")
                        + line(mark, 10, "COMPLETED", "0", "cream_000000002"),
                ""));
        assertThat(lrms(accounts)
                        .find(Submissions.sought("dteam001", "cream_000000001", "cream_000000002"))
                        .join())
                .extractingFromEntries(entry -> entry.getValue().lrmsId())
                .containsExactlyInAnyOrder("9", "8");
    }

    @Test
    void manyTagsAreSoughtByNameInFewCalls() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
                call.program().equals("squeue") ? 0 : 1, "", call.program().equals("squeue") ? "" : DISABLED));
        List<String> tags = IntStream.range(0, 450)
                .mapToObj(i -> String.format("cream_%09d", i))
                .toList();
        assertThat(lrms(accounts).find(Submissions.sought("dteam001", tags)).join())
                .isEmpty();
        assertThat(accounts.calls)
                .filteredOn(call -> call.program().equals("squeue"))
                .as("by name, and all by directory")
                .hasSize(4);
    }

    @Test
    void oneScancelForMany() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(210, "", """
                scancel: error: Kill job error on job id 14: Access/permission denied
                scancel: error: Kill job error on job id 15: Invalid job id specified
                scancel: error: Kill job error on job id 16: Job/step already completing or completed
                """);
        Map<String, String> results = new HashMap<>();
        results.put("13", null);
        results.put("14", "Access/permission denied");
        results.put("15", null);
        results.put("16", null);
        results.put("--all", "not the id of a Slurm job");
        assertThat(lrms(accounts)
                        .cancel("dteam001", List.of("13", "14", "15", "16", "--all"))
                        .join())
                .isEqualTo(results);
        assertThat(accounts.calls).hasSize(1);
        assertThat(accounts.calls.get(0).run().argv()).containsExactly("/usr/bin/scancel", "13", "14", "15", "16");
        assertThat(accounts.calls.get(0).account()).isEqualTo("dteam001");
    }

    @Test
    void aCancelThatReachedNoControllerFails() {
        assertCancelFails(new Completed(
                8,
                false,
                "",
                "scancel: error: Kill job error on job id 18: Unable to contact slurm controller (connect failure)\n"));
        assertCancelFails(new Completed(137, true, "", ""));
    }

    @Test
    void anErrorWithoutAnIdIsAboutAll() {
        assertThat(lrms(ScriptedAccounts.answering(1, "", "scancel: error: no such luck\n"))
                        .cancel("dteam001", List.of("1", "2"))
                        .join())
                .containsEntry("1", "no such luck")
                .containsEntry("2", "no such luck");
        assertThat(lrms(ScriptedAccounts.answering(3, "", ""))
                        .cancel("dteam001", List.of("1"))
                        .join())
                .containsEntry("1", "scancel ended with status 3");
    }

    @Test
    void theHelpersRefusalIsReportedForEachJob() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> CompletableFuture.failedFuture(
                new AccountCommandException(AccountCommandException.Code.REFUSED, "account root is not allowed")));
        assertThat(lrms(accounts).cancel("root", List.of("1", "2")).join())
                .containsEntry("1", "account root is not allowed")
                .containsEntry("2", "account root is not allowed");
    }

    @Test
    void holdAndReleaseNameTheJobsThatCouldNot() {
        ScriptedAccounts accounts = new ScriptedAccounts(call ->
                call.program().equals("squeue") ? ScriptedAccounts.done(0, "", "") : ScriptedAccounts.done(1, "", """
                        Job has already finished for job 2
                        Invalid job id specified for job 3
                        slurm_suspend error: Job has already finished
                        """));
        Map<String, String> results = new HashMap<>();
        results.put("1", null);
        results.put("2", "Job has already finished");
        results.put("3", "Invalid job id specified");
        SlurmLrms lrms = lrms(accounts);
        assertThat(lrms.hold("dteam001", List.of("1", "2", "3")).join()).isEqualTo(results);
        assertThat(lrms.release("dteam001", List.of("1", "2", "3")).join()).isEqualTo(results);
        assertThat(accounts.calls)
                .filteredOn(call -> call.program().equals("scontrol"))
                .extracting(ScriptedAccounts.Call::line)
                .containsExactly("/usr/bin/scontrol hold 1,2,3", "/usr/bin/scontrol release 1,2,3");
    }

    @Test
    void manyIdsGoInChunksTheHelperTakes() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "", "");
        List<String> ids = IntStream.range(0, 450).mapToObj(Integer::toString).toList();
        assertThat(lrms(accounts).cancel("dteam001", ids).join()).hasSize(450).containsOnlyKeys(ids);
        assertThat(accounts.calls).hasSize(3).allMatch(call -> call.run().argv().size() <= 201);
    }

    @Test
    void healthIsTheControllersReport() {
        assertThat(lrms(ScriptedAccounts.answering(0, "Slurmctld(primary) at ce is UP\n", ""))
                        .health()
                        .join())
                .isEqualTo(new Health(true, "Slurmctld(primary) at ce is UP"));
        assertThat(lrms(ScriptedAccounts.answering(
                                1, "Slurmctld(primary) at a is DOWN\nSlurmctld(backup) at b is UP\n", ""))
                        .health()
                        .join()
                        .up())
                .isTrue();
        assertThat(lrms(ScriptedAccounts.answering(1, "Slurmctld(primary) at a is DOWN\n", ""))
                        .health()
                        .join())
                .isEqualTo(new Health(false, "Slurmctld(primary) at a is DOWN"));
        ScriptedAccounts lost = SlurmScript.accounts(
                (call, mark) -> CompletableFuture.failedFuture(new ChannelLostException("helper died")));
        assertThat(lrms(lost).health().join()).isEqualTo(new Health(false, "helper died"));
    }

    private static SlurmLrms lrms(AccountCommands accounts) {
        return new SlurmLrms(SlurmConfig.DEFAULT, accounts, Runnable::run);
    }

    private static String line(String mark, int id, String state, String exit, String name) {
        return id + "|" + mark + "|dteam001|" + state + "|" + exit + "|0:00|1|wn0|N/A||None|" + name + "\n";
    }

    private static void assertPollFails(Completed response) {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> CompletableFuture.completedFuture(response));
        assertThatThrownBy(() -> lrms(accounts).poll().join()).hasCauseInstanceOf(LrmsException.class);
    }

    private static void assertFindFails(SlurmLrms lrms) {
        assertThatThrownBy(() -> lrms.find(Submissions.sought("dteam001", "cream_000000001"))
                        .join())
                .hasCauseInstanceOf(LrmsException.class);
    }

    private static void assertCancelFails(Completed response) {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> CompletableFuture.completedFuture(response));
        assertThatThrownBy(
                        () -> lrms(accounts).cancel("dteam001", List.of("18")).join())
                .hasCauseInstanceOf(LrmsException.class);
    }
}
