package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.account.ScriptedAccounts.done;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.lrms.torque.TorqueConfig.Dialect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TorqueLrmsTest {
    private static final String SANDBOX = "/sandboxes/vo/ab/00/00/CREAM000000042";

    private static TorqueConfig config(Dialect dialect, String attributes, String server) {
        return Records.with(
                TorqueConfig.DEFAULT,
                "dialect",
                dialect,
                "submitAttributes",
                attributes == null ? null : Path.of(attributes),
                "server",
                server == null ? "" : server);
    }

    private static TorqueLrms lrms(ScriptedAccounts accounts) {
        return new TorqueLrms(TorqueConfig.DEFAULT, accounts, Runnable::run);
    }

    private static TorqueLrms slurm(ScriptedAccounts accounts) {
        return new TorqueLrms(config(Dialect.SLURM, null, null), accounts, Runnable::run);
    }

    private static String script(ScriptedAccounts accounts, int call) {
        List<FileContent> files = accounts.calls.get(call).run().files();
        assertThat(files).hasSize(1);
        assertThat(files.get(0).path()).isEqualTo(Path.of(SANDBOX, "cream_000000042"));
        assertThat(files.get(0).mode()).isEqualTo(0700);
        return new String(files.get(0).content(), StandardCharsets.UTF_8);
    }

    private static SubmitResult submit(TorqueLrms lrms, Submission submission) {
        return lrms.submit(List.of(submission)).get(0).join();
    }

    @Test
    void oneProcessHandsAJobOverWithAllItNeeds() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17.t\n", "");
        assertThat(submit(lrms(accounts), Submissions.plain())).isEqualTo(new SubmitResult.Accepted("17.t"));
        assertThat(accounts.calls).hasSize(1);
        assertThat(accounts.calls.get(0).account()).isEqualTo("dteam001");
        assertThat(accounts.calls.get(0).line()).isEqualTo("/usr/bin/qsub " + SANDBOX + "/cream_000000042");
        assertThat(accounts.calls.get(0).run().cwd()).isEqualTo(Path.of(SANDBOX));
        assertThat(script(accounts, 0)).isEqualTo("""
                #!/bin/bash -l
                #PBS -S /bin/bash
                #PBS -o /dev/null
                #PBS -e /dev/null
                #PBS -q long
                #PBS -m n
                #PBS -r n
                #PBS -l nodes=1
                :
                export HOME='S'
                cd 'S' && exec >'S/StandardOutput' 2>'S/StandardError'
                /bin/sleep 3
                """.replace("'S", "'" + SANDBOX));
    }

    @Test
    void aPriorityIsADirectiveInTheTermsOfEach() {
        Submission high = Submissions.of("long", Path.of(SANDBOX), priority(60));
        Submission low = Submissions.of("long", Path.of(SANDBOX), priority(0));
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17.t\n", "");
        submit(lrms(accounts), high);
        assertThat(script(accounts, 0)).contains("\n#PBS -p 200\n");
        submit(lrms(accounts), low);
        assertThat(script(accounts, 1)).contains("\n#PBS -p -1000\n");
        submit(slurm(accounts), low);
        assertThat(script(accounts, 2)).contains("\n#SBATCH --nice=5000\n");
        submit(slurm(accounts), high);
        assertThat(script(accounts, 3)).doesNotContain("nice", "-p ");
    }

    private static JobRequest.Resources priority(int priority) {
        return new JobRequest.Resources(
                "torque",
                "long",
                Submissions.ONE_CPU,
                JobRequest.Limits.NONE,
                JobRequest.FurtherRequirements.NONE,
                priority);
    }

    @Test
    void theSitesScriptIsOneMoreProcessAndGetsTheRequirements() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> call.program().equals("bash")
                ? done(1, "#PBS -l mem=2000mb\n# comment\n#PBS -q other\nmodule load x\n", "")
                : done(0, "17.t\n", ""));
        TorqueLrms lrms = new TorqueLrms(config(Dialect.TORQUE, "/etc/it's.sh", null), accounts, Runnable::run);
        NodeRequest nodes = new NodeRequest(
                4,
                null,
                null,
                false,
                null,
                null,
                null,
                null,
                "other.GlueHostMainMemoryRAMSize >= 2000 && Member(\"a b\", other.Env)");
        assertThat(submit(lrms, Submissions.of("long", Path.of(SANDBOX), nodes)))
                .isEqualTo(new SubmitResult.Accepted("17.t"));
        assertThat(accounts.calls).extracting(ScriptedAccounts.Call::program).containsExactly("bash", "qsub");
        assertThat(accounts.calls.get(0).account()).isEqualTo("dteam001");
        assertThat(accounts.calls.get(0).run().environment()).containsEntry("GELATO_JOB_QUEUE", "long");
        assertThat(new String(accounts.calls.get(0).run().stdin(), StandardCharsets.UTF_8))
                .isEqualTo("""
                GlueHostMainMemoryRAMSize_Min='2000'
                Env[0]='"a b"'
                blah_opt_mpinodes='4'
                [ -r '/etc/it'\\''s.sh' ] || exit 97
                . '/etc/it'\\''s.sh' </dev/null
                """);
        assertThat(script(accounts, 1))
                .contains("#PBS -e /dev/null\n#PBS -l mem=2000mb\n#PBS -q other\n#PBS -m n\n", "\n:\nmodule load x\n")
                .doesNotContain("-q long", "# comment");
    }

    @Test
    void limitsAreResourcesUnlessTheSiteHasChosen() {
        Limits limits = new Limits(Duration.ofHours(1), Duration.ofMinutes(30), null, 3000L << 20, 8);
        Submission job = Submissions.with(new NodeRequest(4, null, 2, false), limits);
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17.t\n", "");
        submit(lrms(accounts), job);
        assertThat(script(accounts, 0))
                .contains("#PBS -l nodes=2:ppn=2\n#PBS -l walltime=3600\n#PBS -l cput=1800\n#PBS -l mem=6000mb\n:\n");
        ScriptedAccounts withScript =
                new ScriptedAccounts(call -> call.program().equals("bash")
                        ? done(0, "#PBS -l nice=1,mem=2gb\n#PBS -l walltime=60\n", "")
                        : done(0, "17.t\n", ""));
        submit(new TorqueLrms(config(Dialect.TORQUE, "/etc/s.sh", null), withScript, Runnable::run), job);
        assertThat(script(withScript, 1)).contains("#PBS -l cput=1800\n").doesNotContain("walltime=3600", "mem=6000mb");
        Submission slots = Submissions.with(new NodeRequest(8, 4, null, false), new Limits(null, null, 1L << 30));
        submit(lrms(accounts), slots);
        assertThat(script(accounts, 1)).contains("#PBS -l mem=8192mb\n");
    }

    @Test
    void slurmsQsubCountsTheMemoryOfOneNode() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17\n", "");
        submit(
                slurm(accounts),
                Submissions.with(new NodeRequest(8, 4, null, false), new Limits(Duration.ofHours(1), null, 1L << 30)));
        assertThat(accounts.calls.get(0).line()).contains("-l nodes=2,mppwidth=8,mppnppn=4,walltime=3600,mem=4096mb ");
        submit(
                slurm(accounts),
                Submissions.with(new NodeRequest(1, null, 2, false), new Limits(null, null, null, 3000L << 20, null)));
        assertThat(accounts.calls.get(1).line()).contains(",mem=3000mb ");
        submit(
                slurm(accounts),
                Submissions.with(
                        new NodeRequest(1, null, null, true), new Limits(null, null, null, 3000L << 20, null)));
        assertThat(accounts.calls.get(2).line()).doesNotContain("mem=");
        assertThat(script(accounts, 2)).contains("#SBATCH --exclusive\n#SBATCH --mem=0\n:\n");
    }

    @Test
    void withoutTheSitesScriptNothingIsSubmitted() {
        for (Completed bad : List.of(
                new Completed(97, false, "", ""),
                new Completed(137, true, "", ""),
                new Completed(0, false, "#PBS -l \u0007\n", ""),
                new Completed(0, false, "x".repeat(70_000), ""))) {
            ScriptedAccounts accounts = new ScriptedAccounts(call -> CompletableFuture.completedFuture(bad));
            TorqueLrms lrms = new TorqueLrms(config(Dialect.TORQUE, "/etc/s.sh", null), accounts, Runnable::run);
            assertThat(submit(lrms, Submissions.plain())).isInstanceOf(SubmitResult.Unavailable.class);
            assertThat(accounts.calls).hasSize(1);
        }
    }

    @Test
    void anInvalidQueueIsRefusedWithoutACall() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17.t\n", "");
        for (String queue : List.of("", "a b", "a\n#PBS -W x", "-x", "q@other")) {
            assertThat(submit(lrms(accounts), Submissions.of(queue, Path.of("/s"), Submissions.ONE_CPU)))
                    .isInstanceOf(SubmitResult.Refused.class);
        }
        assertThat(accounts.calls).isEmpty();
    }

    @Test
    void aServerOfItsOwnIsNamedEverywhere() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17.t\n", "");
        TorqueLrms lrms = new TorqueLrms(config(Dialect.TORQUE, null, "pbs.example"), accounts, Runnable::run);
        lrms.submit(List.of(Submissions.plain()));
        lrms.cancel("dteam001", List.of("5.t")).join();
        lrms.health().join();
        assertThat(script(accounts, 0)).contains("#PBS -q long@pbs.example\n");
        assertThat(accounts.calls.get(1).line()).isEqualTo("/usr/bin/qdel 5.t@pbs.example");
        assertThat(accounts.calls.get(2).line()).isEqualTo("/usr/bin/qstat -Q @pbs.example");
    }

    @Test
    void slurmsQsubGetsItsOptionsAsArguments() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "17\n", "");
        assertThat(submit(slurm(accounts), Submissions.plain())).isEqualTo(new SubmitResult.Accepted("17"));
        assertThat(accounts.calls.get(0).line())
                .isEqualTo("/usr/bin/qsub -N cream_000000042 -q long -o /dev/null -e /dev/null -m n -r n -l mppwidth=1 "
                        + SANDBOX + "/cream_000000042");
        assertThat(submit(slurm(accounts), Submissions.of("long", Path.of("/s/$(id)"), Submissions.ONE_CPU)))
                .isInstanceOf(SubmitResult.Refused.class);
    }

    @Test
    void onePollIsOneProcess() {
        ScriptedAccounts accounts =
                ScriptedAccounts.answering(0, Samples.text("alive.xml").replace("cream_000000017", "somebodys"), "");
        assertThat(lrms(accounts).poll().join())
                .extracting(LrmsJob::tag)
                .containsExactly("cream_000000010", "cream_000000011", "cream_000000012");
        assertThat(accounts.calls).hasSize(1);
        assertThat(accounts.calls.get(0).line()).isEqualTo("/usr/bin/qstat -f -x");
        assertThat(accounts.calls.get(0).account()).isEqualTo(AccountCommands.SELF);
    }

    private static TorqueConfig accounted(Path directory) {
        return Records.with(TorqueConfig.DEFAULT, "accountingDirectory", directory);
    }

    @Test
    void aPollDoesNotRequestEndedJobsWhereTheLogRecordsThem(@TempDir Path directory) {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, Samples.text("alive.xml"), "");
        lrms(accounts).poll().join();
        TorqueLrms lrms = new TorqueLrms(accounted(directory), accounts, Runnable::run);
        lrms.poll().join();
        lrms.find(Submissions.sought("dteam001", "cream_000000010")).join();
        assertThat(accounts.calls)
                .extracting(call -> call.run().environment().containsKey("PBS_QSTAT_NO_COMPLETE"))
                .containsExactly(false, true, false);
        assertThat(TorqueOwnAccountCommands.environment(accounted(directory))).contains("PBS_QSTAT_NO_COMPLETE=1");
        assertThat(TorqueOwnAccountCommands.environment(TorqueConfig.DEFAULT)).noneMatch(one -> one.startsWith("PBS"));
    }

    @Test
    void aJobDeletedInTheLogIsDeletedWhateverItsExitCode(@TempDir Path directory) throws IOException {
        Files.writeString(
                directory.resolve("20261120"),
                "11/20/2026 22:28:36;S;14.t;user=dteam001 jobname=cream_000000014 \n"
                        + "11/20/2026 22:29:13;D;14.t;requestor=root@t\n"
                        + "11/20/2026 22:29:13;E;14.t;user=dteam001 jobname=cream_000000014 Exit_status=1\n");
        String ended = "<Data><Job><Job_Id>14.t</Job_Id><Job_Name>cream_000000014</Job_Name>"
                + "<Job_Owner>dteam001@t</Job_Owner><job_state>C</job_state><exit_status>1</exit_status>"
                + "<start_time>1</start_time></Job></Data>\n";
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, ended, "");
        LrmsJob job = new TorqueLrms(accounted(directory), accounts, Runnable::run)
                .find(List.of(new Lookup("cream_000000014", "dteam001", "14.t")))
                .join()
                .get("cream_000000014");
        assertThat(job.state()).isEqualTo(State.CANCELLED);
        assertThat(job.reason()).isEqualTo("deleted");
    }

    @Test
    void anOldQstatIsReadAsTextFromThenOn() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> call.line().endsWith("-x")
                ? done(2, "", "qstat: invalid option -- 'x'\nusage:\n")
                : done(0, Samples.text("alive.txt"), ""));
        TorqueLrms lrms = lrms(accounts);
        assertThat(lrms.poll().join()).hasSize(5);
        assertThat(lrms.poll().join()).hasSize(5);
        assertThat(accounts.calls).hasSize(3);
    }

    @Test
    void anEmptyServerHasNoJobsAndASilentOneIsAnError() {
        assertThat(lrms(ScriptedAccounts.answering(0, "", "")).poll().join()).isEmpty();
        assertThat(slurm(ScriptedAccounts.answering(153, "", "")).poll().join()).isEmpty();
        String xml = Samples.text("alive.xml");
        for (Completed bad : List.of(
                new Completed(111, false, "", "qstat: cannot connect to server"),
                new Completed(137, true, xml, ""),
                new Completed(0, false, xml.substring(0, 3000), ""),
                new Completed(0, false, "hello\n", ""))) {
            ScriptedAccounts accounts = new ScriptedAccounts(call -> CompletableFuture.completedFuture(bad));
            assertThatThrownBy(() -> lrms(accounts).poll().join()).hasCauseInstanceOf(LrmsException.class);
            assertThatThrownBy(() -> lrms(accounts)
                            .find(Submissions.sought("dteam001", "cream_000000010"))
                            .join())
                    .hasCauseInstanceOf(LrmsException.class);
        }
    }

    @Test
    void aJobOfAnotherOwnerIsNotFound() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, Samples.text("alive.xml"), "");
        Map<String, LrmsJob> found = lrms(accounts)
                .find(List.of(
                        new Lookup("cream_000000010", "dteam001", null),
                        new Lookup("cream_000000011", "dteam002", null),
                        new Lookup("cream_000000099", "dteam001", null)))
                .join();
        assertThat(found).containsOnlyKeys("cream_000000010");
        assertThat(found.get("cream_000000010").state()).isEqualTo(State.QUEUED);
    }

    /** A plugin for submissions behind Slurm's qsub, or a filter that also hides the arguments of Torque's. */
    @Test
    void aJobIsKnownByItsDirectoryOrByIdAccountAndTime() {
        String listing = Samples.text("alive.xml").replace("cream_000000010", "site-job");
        Instant created = Instant.ofEpochSecond(1795213712);
        Lookup known = new Lookup("cream_000000010", "dteam001", "10.torque.example", created.plusSeconds(3));
        String placed = listing.replaceFirst(
                "<Job_Name>site-job</Job_Name>",
                "<Job_Name>site-job</Job_Name><init_work_dir>/sb/CREAM000000010</init_work_dir>");
        for (String text : List.of(listing, placed)) {
            ScriptedAccounts accounts = ScriptedAccounts.answering(0, text, "");
            assertThat(lrms(accounts).poll(List.of(known.lrmsId())).join())
                    .filteredOn(job -> job.isOf(known))
                    .hasSize(1);
            assertThat(lrms(accounts).find(List.of(known)).join()).containsOnlyKeys(known.tag());
            assertThat(lrms(accounts).stillOwned(List.of(known)).join()).containsExactly(known.lrmsId());
        }
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, listing, "");
        List<Lookup> others = List.of(
                new Lookup(known.tag(), "dteam001", known.lrmsId(), created.minusSeconds(3600)),
                new Lookup("cream_000000098", "dteam002", known.lrmsId(), created));
        assertThat(lrms(accounts).find(others).join())
                .as("the id was given again, or to another")
                .isEmpty();
        for (Lookup other : others) {
            assertThat(lrms(accounts).stillOwned(List.of(other)).join()).isEmpty();
        }
    }

    @Test
    void anIdThatAnotherJobOfOursHasNowIsNotTheirs() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, Samples.text("alive.xml"), "");
        Lookup first = new Lookup("cream_000000098", "dteam001", "10.torque.example", Instant.EPOCH);
        Lookup now = new Lookup("cream_000000010", "dteam001", "10.torque.example", Instant.EPOCH);
        assertThat(lrms(accounts).stillOwned(List.of(first)).join()).isEmpty();
        assertThat(lrms(accounts).stillOwned(List.of(now)).join()).containsExactly("10.torque.example");
        assertThat(lrms(accounts)
                        .stillOwned(List.of(new Lookup("cream_000000097", "dteam001", "97.torque.example")))
                        .join())
                .isEmpty();
        assertThat(lrms(ScriptedAccounts.answering(0, Samples.text("alive.xml").replaceFirst("</job_state>", ""), ""))
                        .stillOwned(List.of(now))
                        .join())
                .as("what can't be read is not another's")
                .containsExactly("10.torque.example");
    }

    @Test
    void aJobThatCannotBeReadIsNotAbsent() {
        ScriptedAccounts accounts =
                ScriptedAccounts.answering(0, Samples.text("alive.xml").replaceFirst("</job_state>", ""), "");
        assertThat(lrms(accounts)
                        .find(Submissions.sought("dteam001", "cream_000000011"))
                        .join())
                .hasSize(1);
        assertThat(lrms(accounts)
                        .find(Submissions.sought("dteam001", "cream_000000010"))
                        .join()
                        .get("cream_000000010")
                        .isUnreadable())
                .isTrue();
    }

    @Test
    void unknownAndEndedJobsCountAsCancelled() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> switch (call.line()) {
            case "/usr/bin/qdel 1.t" -> done(0, "", "");
            case "/usr/bin/qdel 2.t" -> done(153, "", "qdel: nonexistent job id: 2.t");
            case "/usr/bin/qdel 3.t" -> done(170, "", "qdel: Request invalid for state of job 3.t");
            case "/usr/bin/qdel 4.t" -> done(159, "", "qdel: Unauthorized Request  4.t");
            default -> done(159, "", "several");
        });
        Map<String, String> results = lrms(accounts)
                .cancel("dteam001", List.of("1.t", "2.t", "3.t", "4.t", "abc"))
                .join();
        assertThat(results)
                .containsEntry("1.t", null)
                .containsEntry("2.t", null)
                .containsEntry("3.t", null)
                .containsEntry("4.t", "Unauthorized Request  4.t");
        assertThat(results.get("abc")).isNotNull();
        assertThat(accounts.calls).hasSize(5);
    }

    @Test
    void manyAreCancelledByOneProcess() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "", "");
        assertThat(lrms(accounts).cancel("dteam001", List.of("1.t", "2.t")).join())
                .containsOnlyKeys("1.t", "2.t");
        assertThat(accounts.calls).hasSize(1);
    }

    @Test
    void anUnreachableServerIsAnError() {
        for (Completed bad :
                List.of(new Completed(111, false, "", "cannot connect"), new Completed(137, true, "", ""))) {
            ScriptedAccounts accounts = new ScriptedAccounts(call -> CompletableFuture.completedFuture(bad));
            assertThatThrownBy(() -> lrms(accounts)
                            .cancel("dteam001", List.of("1.t", "2.t"))
                            .join())
                    .hasCauseInstanceOf(LrmsException.class);
            assertThat(accounts.calls).hasSize(1);
        }
    }

    @Test
    void aRunningJobIsReportedAsNotHeldAndLosesItsHold() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> !call.program().equals("qstat")
                ? done(0, "", "")
                : done(153, Samples.text("alive.txt"), "qstat: Unknown Job Id Error 99.torque.example"));
        Map<String, String> results = lrms(accounts)
                .hold("dteam001", List.of("11.torque.example", "17.torque.example", "99.torque.example"))
                .join();
        assertThat(results).containsEntry("11.torque.example", null);
        assertThat(results.get("17.torque.example")).contains("running");
        assertThat(results.get("99.torque.example")).contains("unknown");
        assertThat(accounts.calls).hasSize(3);
        assertThat(accounts.calls.get(2).line()).isEqualTo("/usr/bin/qrls 17.torque.example");
    }

    @Test
    void aJobThatQstatShowsDamagedAfterAHoldIsNotCalledUnknownAndKeepsNoHold() {
        String damaged = Samples.text("alive.txt").replaceFirst("    job_state = .\n", "");
        ScriptedAccounts accounts =
                new ScriptedAccounts(call -> done(0, call.program().equals("qstat") ? damaged : "", ""));
        Map<String, String> results = lrms(accounts)
                .hold("dteam001", List.of("10.torque.example", "11.torque.example"))
                .join();
        assertThat(results.get("10.torque.example")).contains("readable form");
        assertThat(results).containsEntry("11.torque.example", null);
        assertThat(accounts.calls.get(2).line()).isEqualTo("/usr/bin/qrls 10.torque.example");
    }

    @Test
    void aJobThatIsNotHeldIsNotReleased() {
        assertThat(lrms(ScriptedAccounts.answering(53, "", ""))
                        .release("dteam001", List.of("1.t"))
                        .join())
                .containsEntry("1.t", "the job is not held");
    }

    @Test
    void slurmReportsNothingForAnUnknownJob() {
        assertThat(slurm(ScriptedAccounts.answering(1, "", ""))
                        .cancel("dteam001", List.of("7"))
                        .join())
                .containsEntry("7", null);
        assertThat(slurm(ScriptedAccounts.answering(
                                1, "qdel: Kill job error on job id 7: Access/permission denied\n", ""))
                        .cancel("dteam001", List.of("7"))
                        .join()
                        .get("7"))
                .contains("permission denied");
    }

    @Test
    void healthIsTheServersOwnReport() {
        assertThat(lrms(ScriptedAccounts.answering(0, "Queue\n", ""))
                        .health()
                        .join()
                        .up())
                .isTrue();
        assertThat(lrms(ScriptedAccounts.answering(111, "", "qstat: cannot connect to server t\n"))
                        .health()
                        .join())
                .satisfies(health -> assertThat(health.up()).isFalse())
                .satisfies(health -> assertThat(health.detail()).isEqualTo("cannot connect to server t"));
    }

    @Test
    void theHelpersConfigurationListsAllThatRunsAsItself() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(2, "", "usage");
        TorqueConfig config = config(Dialect.TORQUE, null, "pbs.example");
        TorqueLrms lrms = new TorqueLrms(config, accounts, Runnable::run);
        lrms.poll().exceptionally(e -> null).join();
        lrms.health().join();
        lrms.status().exceptionally(e -> null).join();
        assertThat(accounts.calls).hasSize(4).allSatisfy(call -> {
            assertThat(call.account()).isEqualTo(AccountCommands.SELF);
            assertThat(TorqueOwnAccountCommands.lines(config)).contains(call.line());
        });
    }

    @Test
    void theStatusIsTwoCommandsOfTheServerInUse() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "", "");
        TorqueConfig config = config(Dialect.TORQUE, null, "pbs.example");
        TorqueLrms lrms = new TorqueLrms(config, accounts, Runnable::run);
        lrms.status().join();
        assertThat(accounts.calls)
                .hasSize(lrms.statusCommands())
                .extracting(ScriptedAccounts.Call::line)
                .containsExactly("/usr/bin/qstat -Q -f @pbs.example", "/usr/bin/pbsnodes -a -s pbs.example");
        assertThat(TorqueOwnAccountCommands.lines(config))
                .containsAll(
                        accounts.calls.stream().map(ScriptedAccounts.Call::line).toList());
    }

    @Test
    void aStatusThatFailsSaysWhichCommandAndWhy() {
        assertThatThrownBy(() -> lrms(ScriptedAccounts.answering(111, "", "qstat: cannot connect to server t\n"))
                        .status()
                        .join())
                .hasRootCauseInstanceOf(LrmsException.class)
                .hasMessageContaining("qstat: cannot connect to server t (status 111)");
    }
}
