package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.account.ScriptedAccounts.Call;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Scope;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CondorLrmsTest {
    private static final String ID = "83.4#" + Ads.ROUND;
    private static final String AWAY =
            "\n-- Failed to fetch ads from: <127.0.0.1:1?x> : vm\nSECMAN:2007:Read failure.\n";

    private Instant now = Instant.parse("2026-11-27T12:00:00Z");

    private CondorLrms lrms(AccountCommands accounts) {
        return lrms(CondorConfig.DEFAULT, accounts);
    }

    private CondorLrms lrms(CondorConfig config, AccountCommands accounts) {
        return new CondorLrms(config, accounts, Runnable::run, new Clock() {
            @Override
            public Instant instant() {
                return now;
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        });
    }

    private static Submission job(int number) {
        return job(number, Submissions.ONE_CPU);
    }

    private static Submission job(int number, NodeRequest nodes) {
        return new Submission(
                new JobId(number),
                1,
                "dteam001",
                "long",
                Path.of("/sandboxes/vo/ab/job" + number),
                "#!/bin/bash\ntrue\n",
                JobRequest.of(
                        new JobRequest.Executable("/bin/true", ""), new JobRequest.Resources("condor", "long", nodes)));
    }

    private static String stdin(Run run) {
        return new String(run.stdin(), StandardCharsets.UTF_8);
    }

    private static List<SubmitResult> joined(List<CompletableFuture<SubmitResult>> futures) {
        return futures.stream().map(CompletableFuture::join).toList();
    }

    private static String idOf(SubmitResult result) {
        return ((SubmitResult.Accepted) result).lrmsId();
    }

    /** As condor_submit reports so many rows. */
    private static CompletableFuture<Completed> taken(Call call, int cluster) {
        long rows = stdin(call.run())
                .lines()
                .filter(line -> line.startsWith("cream_"))
                .count();
        return ScriptedAccounts.done(0, cluster + ".0 - " + cluster + "." + (rows - 1) + "\n", "");
    }

    @Test
    void jobsThatComeTogetherAreOneProcessWithAllTheirWrappers() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> taken(call, 83));
        List<SubmitResult> results = joined(lrms(accounts).submit(List.of(job(1), job(2), job(3))));
        assertThat(results).extracting(CondorLrmsTest::idOf).allMatch(id -> id.matches("83\\.[0-2]#[0-9a-f]{12}"));
        assertThat(results).extracting(result -> idOf(result).substring(0, 4)).containsExactly("83.0", "83.1", "83.2");
        assertThat(accounts.calls).hasSize(1);
        Run run = accounts.calls.get(0).run();
        assertThat(accounts.calls.get(0).account()).isEqualTo("dteam001");
        assertThat(run.argv()).containsExactly("/usr/bin/condor_submit", "-terse", "-");
        assertThat(run.files())
                .extracting(file -> file.path().toString())
                .containsExactly(
                        "/sandboxes/vo/ab/job1/CREAM000000001_jobWrapper.sh",
                        "/sandboxes/vo/ab/job2/CREAM000000002_jobWrapper.sh",
                        "/sandboxes/vo/ab/job3/CREAM000000003_jobWrapper.sh");
        assertThat(run.files()).allMatch(file -> file.mode() == 0700);
        String round = idOf(results.get(0)).substring(5);
        assertThat(stdin(run)).contains("+GelatoRound = \"" + round + "\"\n");
    }

    @Test
    void whatComesMeanwhileIsTheNextRoundAndOtherRequestsAndAccountsWaitForNobody() {
        List<CompletableFuture<Completed>> open = new ArrayList<>();
        ScriptedAccounts accounts = new ScriptedAccounts(call -> {
            CompletableFuture<Completed> future = new CompletableFuture<>();
            open.add(future);
            return future;
        });
        CondorLrms lrms = lrms(accounts);
        List<CompletableFuture<SubmitResult>> first = lrms.submit(List.of(job(1)));
        List<CompletableFuture<SubmitResult>> second = IntStream.range(2, 402)
                .mapToObj(i -> lrms.submit(List.of(job(i))).get(0))
                .toList();
        assertThat(accounts.calls).as("one under way").hasSize(1);
        lrms.submit(List.of(job(500, new NodeRequest(4, null, null, false))));
        assertThat(accounts.calls).as("of another shape").hasSize(2);
        open.get(0).complete(new Completed(0, false, "1.0 - 1.0\n", ""));
        assertThat(first.get(0)).isCompleted();
        assertThat(accounts.calls).hasSize(3);
        open.get(2).complete(taken(accounts.calls.get(2), 2).join());
        open.get(3).complete(taken(accounts.calls.get(3), 3).join());
        open.get(4).complete(taken(accounts.calls.get(4), 4).join());
        assertThat(joined(second)).extracting(CondorLrmsTest::idOf).hasSize(400).doesNotHaveDuplicates();
        assertThat(accounts.calls).as("400 jobs").hasSize(5);
        // the helper takes no more words
        assertThat(accounts.calls).allMatch(call -> 3 * call.run().files().size() + 8 <= 512);
        lrms.submit(List.of(job(501)));
        assertThat(accounts.calls).as("nothing is under way any more").hasSize(6);
    }

    @Test
    void whatIsNotClearIsUnclearForAllOfARound() {
        for (Function<Call, CompletableFuture<Completed>> answer :
                List.<Function<Call, CompletableFuture<Completed>>>of(
                        call -> CompletableFuture.completedFuture(new Completed(137, true, "", "")),
                        call -> ScriptedAccounts.done(137, "", ""),
                        call -> ScriptedAccounts.done(0, "", ""),
                        call -> ScriptedAccounts.done(0, "83.0 - 83.0\n", ""),
                        call -> ScriptedAccounts.done(0, "83.0 - 84.1\n", ""),
                        call -> ScriptedAccounts.done(0, "83.1 - 83.2\n", ""),
                        call -> ScriptedAccounts.done(1, "", ""),
                        call -> ScriptedAccounts.done(
                                1, "", "ERROR: Failed to commit job submission into the queue.\n"),
                        // the schedd was killed in the midst of it
                        call -> ScriptedAccounts.done(1, "", "ERROR: Failed to create cluster\n"),
                        call -> ScriptedAccounts.done(
                                1, "", "ERROR: Failed to set X=authentication failed for job 5.0 (110)\n"),
                        call -> ScriptedAccounts.done(1, "", "ERROR: Failed to create proc\n"),
                        call -> ScriptedAccounts.done(
                                1,
                                "",
                                "ERROR: Failed submission for job 5.-1 - aborting entire submit\n\nERROR: Failed to queue job.\n"),
                        call -> ScriptedAccounts.done(
                                1,
                                "",
                                "ERROR: Failed set Args=\"max_jobs_submitted\" cluster 5 - aborting entire submit\n\nERROR: Failed to queue job.\n"),
                        call -> CompletableFuture.failedFuture(new ChannelLostException("gone")))) {
            ScriptedAccounts accounts = new ScriptedAccounts(answer);
            assertThat(joined(lrms(accounts).submit(List.of(job(1), job(2)))))
                    .hasSize(2)
                    .allMatch(result -> result instanceof SubmitResult.Unclear);
            assertThat(accounts.calls).hasSize(1);
        }
    }

    @Test
    void whatSurelyHadNoEffectIsNotLookedUp() {
        Map<String, Scope> unavailable = Map.of(
                "ERROR: Can't find address of local schedd\n", Scope.LRMS,
                "ERROR: Failed to connect to local queue manager\nSECMAN:2007:Failed to end classad message.\n",
                        Scope.LRMS,
                "ERROR: Failed to connect to local queue manager\nSECMAN:2010:Received \"DENIED\" from server for user bob@x using method FS.\n",
                        Scope.ACCOUNT,
                "ERROR: Failed to connect to local queue manager\nAUTHENTICATE:1003:Failed to authenticate with any method\n",
                        Scope.ACCOUNT,
                "ERROR: Failed to create proc\nNumber of submitted jobs would exceed MAX_JOBS_PER_OWNER\n",
                        Scope.ACCOUNT,
                "ERROR: Failed to create proc\nNumber of submitted jobs would exceed MAX_JOBS_SUBMITTED\n", Scope.LRMS);
        unavailable.forEach((text, scope) -> assertThat(
                        joined(lrms(ScriptedAccounts.answering(1, "", text)).submit(List.of(job(1)))))
                .as(text)
                .first()
                .isInstanceOfSatisfying(
                        SubmitResult.Unavailable.class,
                        u -> assertThat(u.scope()).isEqualTo(scope)));
        for (String text : List.of(
                "ERROR: Parse error in expression: RequestCpus = abc def\n",
                "ERROR: Failed to commit job submission into the queue.\nERROR: only with a group\n",
                "ERROR: Cannot allocate a cluster id\n")) {
            assertThat(joined(lrms(ScriptedAccounts.answering(1, "", text)).submit(List.of(job(1)))))
                    .as(text)
                    .first()
                    .isInstanceOf(SubmitResult.Refused.class);
        }
    }

    @Test
    void oneThatIsNamedInARefusalCostsTheOthersNothing() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> stdin(call.run())
                        .contains("/job1\n")
                ? ScriptedAccounts.done(1, "", "ERROR: No such directory: /sandboxes/vo/ab/job1\n")
                : call.run().files().stream()
                                .anyMatch(file -> file.path().toString().contains("/job12/"))
                        ? CompletableFuture.failedFuture(new AccountCommandException(
                                Code.FAILED, "not started: /sandboxes/vo/ab/job12/CREAM000000012_jobWrapper.sh"))
                        : taken(call, 7));
        List<SubmitResult> results = joined(lrms(accounts).submit(List.of(job(1), job(12), job(13), job(14))));
        assertThat(results.get(0)).isInstanceOf(SubmitResult.Refused.class);
        assertThat(results.get(1)).isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(idOf(results.get(2))).startsWith("7.0#");
        assertThat(idOf(results.get(3))).startsWith("7.1#");
        assertThat(accounts.calls).hasSize(3);
    }

    @Test
    void aRefusalThatNamesNoneIsOfTheJobsThatAreRefusedAlone() {
        ScriptedAccounts accounts =
                new ScriptedAccounts(call -> stdin(call.run()).contains("/job2\n")
                        ? ScriptedAccounts.done(1, "", "ERROR: Parse error in expression: x\n")
                        : taken(call, 7));
        List<SubmitResult> results = joined(lrms(accounts).submit(List.of(job(1), job(2), job(3))));
        assertThat(results.get(1)).isInstanceOf(SubmitResult.Refused.class);
        assertThat(List.of(results.get(0), results.get(2))).allMatch(r -> r instanceof SubmitResult.Accepted);
        assertThat(accounts.calls).hasSize(4);
    }

    /** The reasons of SUBMIT_REQUIREMENT are the site's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Batch = never asks for an unknown host class",
                "You are not authorized to use queue unauth at this site",
                "SECMAN: failed to connect to, can't find address, connection refused, unable to locate",
                "AUTHENTICATE: authentication failed, received \"DENIED\"",
                "MAX_JOBS_PER_OWNER, MAX_JOBS_SUBMITTED, MAX_JOBS_PER_SUBMISSION",
                "Failed to queue job: use a group",
            })
    void theWordsOfASiteDecideNothingAboutOthers(String words) {
        ScriptedAccounts accounts = ScriptedAccounts.answering(
                1, "", "ERROR: Failed to commit job submission into the queue.\nERROR: " + words + "\n");
        assertThat(joined(lrms(accounts).submit(List.of(job(1)))))
                .first()
                .isInstanceOfSatisfying(SubmitResult.Refused.class, r -> {
                    assertThat(r.again()).isTrue();
                    assertThat(r.reason()).contains(words);
                });
    }

    @Test
    void aLimitOnOneSubmissionMakesRoundsSmaller() {
        ScriptedAccounts accounts =
                new ScriptedAccounts(call -> call.run().files().size() > 10
                        ? ScriptedAccounts.done(
                                1,
                                "",
                                "ERROR: Failed to create proc\nNumber of submitted jobs would exceed MAX_JOBS_PER_SUBMISSION\n")
                        : taken(call, 7));
        CondorLrms lrms = lrms(accounts);
        List<Submission> jobs = IntStream.range(0, 30).mapToObj(i -> job(i + 1)).toList();
        assertThat(joined(lrms.submit(jobs))).allMatch(r -> r instanceof SubmitResult.Accepted);
        int calls = accounts.calls.size();
        assertThat(joined(lrms.submit(jobs))).allMatch(r -> r instanceof SubmitResult.Accepted);
        assertThat(accounts.calls.subList(calls, accounts.calls.size()))
                .as("the limit is known")
                .allMatch(call -> call.run().files().size() <= 10);
    }

    /** A larger round of another account is under way while the limit is found out. */
    @Test
    void aLimitOnOneSubmissionThatIsKnownIsNotForgottenForALargerRound() {
        CompletableFuture<Completed> large = new CompletableFuture<>();
        String refused =
                "ERROR: Failed to create proc\nERROR: Number of submitted jobs would exceed MAX_JOBS_PER_SUBMISSION\n";
        ScriptedAccounts accounts = new ScriptedAccounts(call -> {
            int jobs = call.run().files().size();
            return jobs == 100 ? large : jobs > 10 ? ScriptedAccounts.done(1, "", refused) : taken(call, 7);
        });
        CondorLrms lrms = lrms(accounts);
        List<CompletableFuture<SubmitResult>> first =
                lrms.submit(IntStream.range(0, 100).mapToObj(i -> job(i + 1)).toList());
        List<Submission> small = IntStream.range(0, 30)
                .mapToObj(i -> Records.with(job(200 + i), "account", "dteam002"))
                .toList();
        assertThat(joined(lrms.submit(small))).allMatch(r -> r instanceof SubmitResult.Accepted);
        accounts.calls.clear();
        large.complete(new Completed(1, false, "", refused));
        assertThat(joined(first)).allMatch(r -> r instanceof SubmitResult.Accepted);
        assertThat(accounts.calls).allMatch(call -> call.run().files().size() <= 10);
    }

    @Test
    void whatHTCondorCanNeverTakeNeedsNoProcess() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> taken(call, 1));
        List<SubmitResult> results =
                joined(lrms(accounts).submit(List.of(job(1, new NodeRequest(4, null, 2, false)), job(2))));
        assertThat(results.get(0)).isInstanceOf(SubmitResult.Refused.class);
        assertThat(idOf(results.get(1))).startsWith("1.0#");
    }

    @Test
    void theSitesScriptPrintsLinesOfTheDescription() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> call.program().equals("bash")
                ? ScriptedAccounts.done(0, "+Queue = \"long\"\n# comment\naccounting_group = x\n", "")
                : taken(call, 7));
        CondorConfig config = Records.with(CondorConfig.DEFAULT, "submitAttributes", Path.of("/etc/s.sh"));
        assertThat(joined(lrms(config, accounts).submit(List.of(job(1)))))
                .allMatch(r -> r instanceof SubmitResult.Accepted);
        assertThat(accounts.calls.get(0).run().environment()).containsEntry("GELATO_JOB_QUEUE", "long");
        assertThat(stdin(accounts.calls.get(1).run())).contains("\n+Queue = \"long\"\naccounting_group = x\n");
        ScriptedAccounts bad = ScriptedAccounts.answering(0, "queue 100\n", "");
        assertThat(joined(lrms(config, bad).submit(List.of(job(1)))))
                .allMatch(r -> r instanceof SubmitResult.Unavailable);
        assertThat(bad.calls).hasSize(1);
    }

    @Test
    void aPollIsOneListing() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(
                0,
                Ads.line("JobStatus = 2 RemoteHost = \"slot1@wn1\"") + "\n"
                        + Ads.line("JobStatus = 1 GelatoTag = \"other\" ClusterId = 9") + "\n"
                        + Ads.line("JobStatus = 99 ClusterId = 10") + "\n",
                "");
        assertThat(lrms(accounts).poll().join())
                .containsExactly(
                        new LrmsJob(ID, "cream_000000042", State.RUNNING, null, null, "wn1"),
                        new LrmsJob(
                                "10.4#" + Ads.ROUND,
                                "cream_000000042",
                                State.UNKNOWN,
                                null,
                                "HTCondor shows what may be this job in a form that can't be read",
                                null));
        assertThat(accounts.calls.get(0).account()).isEqualTo(AccountCommands.SELF);
        assertThat(accounts.calls.get(0).line())
                .startsWith("/usr/bin/condor_q -all -nobatch -constraint GelatoTag=!=undefined -af:Vt GelatoTag ");
    }

    @Test
    void aListingThatFailsIsCutOrStrangeShowsNothing() {
        String line = Ads.line("JobStatus = 2");
        for (Completed bad : List.of(
                new Completed(1, false, "", AWAY),
                new Completed(0, true, line + "\n", ""),
                new Completed(0, false, line, ""),
                new Completed(0, false, "Extra words\n", ""))) {
            assertThat(lrms(new ScriptedAccounts(call -> CompletableFuture.completedFuture(bad)))
                            .poll())
                    .as(bad.stdout())
                    .isCompletedExceptionally();
        }
        assertThat(lrms(ScriptedAccounts.answering(0, "", "")).poll().join()).isEmpty();
    }

    @Test
    void aJobThatIsNotInTheQueueIsSoughtInTheHistoryAndInTheQueueAgain() {
        List<String> programs = new ArrayList<>();
        ScriptedAccounts accounts = new ScriptedAccounts(call -> {
            programs.add(call.program());
            // it goes to the history while the history is read
            return ScriptedAccounts.done(
                    0, programs.size() == 3 ? Ads.line("JobStatus = 4 ExitCode = 3") + "\n" : "", "");
        });
        Map<String, LrmsJob> found = lrms(accounts)
                .find(Submissions.sought("dteam001", "cream_000000042", "cream_000000043"))
                .join();
        assertThat(programs).containsExactly("condor_q", "condor_history", "condor_q");
        assertThat(found).containsOnlyKeys("cream_000000042");
        assertThat(accounts.calls.get(0).line())
                .contains(" stringListMember(GelatoTag,\"cream_000000042,cream_000000043\") ");
        assertThat(accounts.calls.get(1).line())
                .as("one's job that left late ends no search for others")
                .contains("condor_history -scanlimit 500000 -constraint ")
                .doesNotContain("-since");
        ScriptedAccounts foreign =
                ScriptedAccounts.answering(0, Ads.line("JobStatus = 1 Owner = \"mallory\"") + "\n", "");
        assertThat(lrms(foreign)
                        .find(Submissions.sought("dteam001", "cream_000000042"))
                        .join())
                .isEmpty();
        ScriptedAccounts unreadable = ScriptedAccounts.answering(0, Ads.line("GelatoRound = \"?\"") + "\n", "");
        assertThat(lrms(unreadable)
                        .find(Submissions.sought("dteam001", "cream_000000042"))
                        .join()
                        .get("cream_000000042")
                        .isUnreadable())
                .isTrue();
    }

    @Test
    void aJobWhoseNameAnAdministratorChangedIsFoundByItsId() {
        Lookup sought = new Lookup("cream_000000042", "dteam001", ID);
        Lookup other = new Lookup("cream_000000043", "dteam001", "83.5#" + Ads.ROUND);
        for (String name : List.of("undefined", "\"an administrator's\"", "\"cream_000000043\"")) {
            ScriptedAccounts accounts = ScriptedAccounts.answering(
                    0,
                    Ads.line("JobStatus = 2 GelatoTag = " + name) + "\n" + Ads.line("JobStatus = 4 ProcId = 6") + "\n",
                    "");
            Map<String, LrmsJob> found =
                    lrms(accounts).find(List.of(sought, other)).join();
            assertThat(found).as(name).containsOnlyKeys("cream_000000042");
            assertThat(found.get("cream_000000042").state()).isEqualTo(State.RUNNING);
            assertThat(found.get("cream_000000042").tag()).isEqualTo("cream_000000042");
            assertThat(accounts.calls.get(0).line())
                    .as("the name does not matter where the id is known")
                    .contains(" stringListMember(strcat(ClusterId,\".\",ProcId),\"83.4,83.5\") ")
                    .doesNotContain("cream_");
        }
        ScriptedAccounts renamed = ScriptedAccounts.answering(
                0, Ads.line("JobStatus = 5 HoldReason = \"why\" GelatoTag = \"x\"") + "\n", "");
        assertThat(lrms(renamed).poll().join()).isEmpty();
        assertThat(lrms(renamed).poll(List.of(ID)).join()).singleElement().satisfies(job -> {
            assertThat(job.lrmsId()).isEqualTo(ID);
            assertThat(job.state()).isEqualTo(State.HELD);
            assertThat(job.tag()).as("the id alone counts").isNull();
        });
        ScriptedAccounts foreign = ScriptedAccounts.answering(
                0, Ads.line("JobStatus = 2 GelatoTag = \"x\" Owner = \"mallory\"") + "\n", "");
        assertThat(lrms(foreign).find(List.of(sought)).join()).isEmpty();
    }

    /** As a JOB_TRANSFORM of the site may do with what it does not know; where its files are it leaves. */
    @Test
    void aJobWhoseAttributesOfOursTheSiteReplacesIsKnownByNumberAccountAndDirectory() {
        Lookup sought = new Lookup("cream_000000042", "dteam001", ID);
        String iwd = " Iwd = \"/sandboxes/vo/ab/00/00/CREAM000000042\"";
        for (String ours : List.of(
                "GelatoTag = undefined GelatoRound = undefined",
                "GelatoTag = \"the site's\" GelatoRound = undefined",
                "GelatoTag = \"cream_000000043\"",
                "GelatoTag = undefined")) {
            CondorLrms lrms = lrms(ScriptedAccounts.answering(0, Ads.line("JobStatus = 2 " + ours + iwd) + "\n", ""));
            assertThat(lrms.poll(List.of(ID)).join()).as(ours).singleElement().satisfies(job -> {
                assertThat(job.lrmsId()).isEqualTo(ID);
                assertThat(job.tag()).isEqualTo("cream_000000042");
                assertThat(job.state()).isEqualTo(State.RUNNING);
            });
            assertThat(lrms.find(List.of(sought)).join().get("cream_000000042").state())
                    .as(ours)
                    .isEqualTo(State.RUNNING);
            assertThat(lrms.stillOwned(List.of(sought)).join()).as(ours).containsExactly(ID);
        }
        for (String other : List.of(
                "GelatoRound = undefined Iwd = \"/sandboxes/vo/ab/00/00/CREAM000000043\"",
                "GelatoRound = undefined Iwd = \"/home/mallory\" GelatoTag = undefined",
                "GelatoRound = undefined Owner = \"mallory\"" + iwd,
                "GelatoRound = \"ba9876543210\"" + iwd)) {
            CondorLrms lrms = lrms(ScriptedAccounts.answering(0, Ads.line("JobStatus = 2 " + other) + "\n", ""));
            assertThat(lrms.find(List.of(sought)).join()).as(other).isEmpty();
            assertThat(lrms.stillOwned(List.of(sought)).join()).as(other).isEmpty();
        }
    }

    /** Two jobs of one name are one that was handed over twice: the one whose id is known is not the other. */
    @Test
    void aJobWhoseIdIsKnownIsNotAnotherOfItsName() {
        CondorLrms lrms = lrms(ScriptedAccounts.answering(0, Ads.line("JobStatus = 2 ClusterId = 90") + "\n", ""));
        assertThat(lrms.find(List.of(new Lookup("cream_000000042", "dteam001", ID)))
                        .join())
                .isEmpty();
        assertThat(lrms.find(Submissions.sought("dteam001", "cream_000000042")).join())
                .containsOnlyKeys("cream_000000042");
    }

    @Test
    void everyCommandOfTheHelpersOwnAccountIsListedForIt() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "", "");
        CondorLrms lrms = lrms(accounts);
        lrms.poll();
        now = now.plusSeconds(1);
        lrms.poll();
        lrms.find(Submissions.sought("dteam001", "cream_000000042"));
        lrms.find(List.of(new Lookup("cream_000000042", "dteam001", ID)));
        lrms.stillOwned(List.of(new Lookup("cream_000000042", "dteam001", ID)));
        lrms.health();
        lrms.status();
        List<Pattern> listed = CondorOwnAccountCommands.lines(CondorConfig.DEFAULT).stream()
                .map(line -> Pattern.compile("\\Q" + line.replaceAll("\\*( |$)", "\\\\E[^\\\\x00]*?\\\\Q$1") + "\\E"))
                .toList();
        assertThat(accounts.calls)
                .hasSize(11)
                .filteredOn(call -> call.account().equals(AccountCommands.SELF))
                .hasSize(11)
                .allMatch(call -> listed.stream()
                        .anyMatch(line -> line.matcher(call.line()).matches()));
    }

    @Test
    void anIdThatAnotherJobHasNowIsNotTheirs() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, Ads.line("JobStatus = 1") + "\n", "");
        assertThat(lrms(accounts)
                        .stillOwned(List.of(
                                new Lookup("cream_000000042", "dteam001", ID),
                                new Lookup("cream_000000041", "dteam001", "83.4#ba9876543210")))
                        .join())
                .isEqualTo(Set.of(ID));
        assertThat(accounts.calls.get(0).line()).contains("stringListMember(strcat(ClusterId,\".\",ProcId),\"83.4\")");
    }

    /** A site took name and directory of ours from the job; its id with our random number is left. */
    @Test
    void aJobWithoutANameIsKnownByItsIdItsAccountAndWhenItWasSubmitted() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(
                0, Ads.line("JobStatus = 2 GelatoTag = undefined QDate = 1795213716") + "\n", "");
        Instant submitted = Instant.ofEpochSecond(1795213716);
        Lookup sought = new Lookup("cream_000000042", "dteam001", ID, submitted.plusSeconds(1));
        assertThat(lrms(accounts).poll(List.of(ID)).join()).singleElement().matches(job -> job.isOf(sought));
        assertThat(lrms(accounts).find(List.of(sought)).join()).containsOnlyKeys(sought.tag());
        assertThat(lrms(accounts).stillOwned(List.of(sought)).join()).containsExactly(ID);
        Lookup earlier = new Lookup("cream_000000042", "dteam001", ID, submitted.minusSeconds(3600));
        assertThat(lrms(accounts).poll(List.of(ID)).join()).singleElement().matches(job -> !job.isOf(earlier));
        assertThat(lrms(accounts).find(List.of(earlier)).join()).isEmpty();
        assertThat(lrms(accounts).stillOwned(List.of(earlier)).join()).isEmpty();
    }
}
