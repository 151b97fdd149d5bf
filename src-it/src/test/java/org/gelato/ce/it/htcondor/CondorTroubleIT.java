package org.gelato.ce.it.htcondor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.lrms.condor.CondorConfig;
import org.gelato.ce.lrms.condor.CondorLrms;
import org.gelato.ce.lrms.condor.CondorSite;
import org.gelato.ce.lrms.condor.SubmitLine;
import org.junit.jupiter.api.Test;

/** The adapter against a real HTCondor that is away, refuses, forgets, or that an administrator had his hands in. */
class CondorTroubleIT extends CondorAdapter {
    @Test
    void aScheddThatTakesNothingFromTheAccountIsNamed() {
        assertThat(new CondorSite(config)
                        .unsupported(accounts, CondorSlots.DENIED)
                        .join())
                .hasValueSatisfying(found -> assertThat(found.what()).contains(CondorSlots.DENIED, "DENIED"));
        Submission job = never();
        Submission foreign = new Submission(
                job.id(),
                1,
                CondorSlots.DENIED,
                "long",
                layout.sandbox(
                        layout.home(new Owner("/C=IT/CN=user", "/dteam", "dteam"), CondorSlots.DENIED), job.id()),
                job.wrapper(),
                job.request());
        assertThat(lrms.submit(List.of(foreign)).get(0).join())
                .isInstanceOfSatisfying(
                        SubmitResult.Unavailable.class,
                        closed -> assertThat(closed.scope()).isEqualTo(SubmitResult.Scope.ACCOUNT));
    }

    @Test
    void nodesWithAnotherUidDomainThanThisHostAreNamed() throws IOException {
        Path other = Files.writeString(
                folder.resolve("other_config"),
                Files.readString(pool.config()) + "UID_DOMAIN = elsewhere.example.org\n");
        assertThat(new CondorSite(Records.with(config, "configFile", other))
                        .unsupported(accounts, ACCOUNT)
                        .join())
                .hasValueSatisfying(
                        found -> assertThat(found.what()).contains("UID_DOMAIN localhost", "'elsewhere.example.org'"));
    }

    @Test
    void anEndedJobThatAnEarlierProcessLeftIsTakenOutOfTheQueue() {
        String id = accepted(submission("true"));
        awaitState(id, State.DONE);
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        Clock clock = ((InstantSource) () -> Instant.now().plus(ahead.get())).withZone(ZoneOffset.UTC);
        CondorLrms later = new CondorLrms(config, accounts, ForkJoinPool.commonPool(), clock);
        later.endsStored(List.of(id));
        later.poll(List.of()).join();
        ahead.set(Duration.ofMinutes(6));
        later.poll(List.of()).join();
        await("out of the queue")
                .atMost(PATIENCE)
                .until(() -> lrms.stillOwned(List.of(new Lookup("x", ACCOUNT, id)))
                        .join()
                        .isEmpty());
    }

    @Test
    void aScheddThatHangsOrIsAwayLosesNothing() {
        String before = accepted(never());
        Submission during = never();
        CondorLrms hasty = lrms(Records.with(config, "timeout", Duration.ofSeconds(2)));
        pool.stopSchedd();
        try {
            CompletableFuture<SubmitResult> submitted =
                    hasty.submit(List.of(during)).get(0);
            assertThat(hasty.health().join().up()).isFalse();
            assertThat(hasty.poll()).failsWithin(PATIENCE);
            assertThat(hasty.find(Submissions.sought(ACCOUNT, during.id().tag())))
                    .failsWithin(PATIENCE);
            assertThat(hasty.cancel(ACCOUNT, List.of(before))).failsWithin(PATIENCE);
            assertThat(submitted.join()).isInstanceOf(SubmitResult.Unclear.class);
        } finally {
            pool.continueSchedd();
        }
        assertThat(lrms.find(Submissions.sought(ACCOUNT, during.id().tag())).join())
                .isEmpty();
        assertThat(seen(List.of(before)).get(before).state()).isEqualTo(State.QUEUED);
        lrms.cancel(ACCOUNT, List.of(before, accepted(during))).join();
    }

    @Test
    void aQueueThatCountsFromOneAgainIsNotMistaken() {
        String before = accepted(never());
        Submission old = never();
        String oldId = accepted(old);
        pool.newQueue();
        // as many as make the old numbers come again
        int most = Integer.parseInt(oldId.substring(0, oldId.indexOf('.')));
        List<String> ids = new ArrayList<>();
        while (ids.isEmpty() || Integer.parseInt(ids.get(ids.size() - 1).split("\\.")[0]) < most) {
            ids.add(accepted(never()));
        }
        String same = ids.get(ids.size() - 1);
        assertThat(same.split("#")[0]).isEqualTo(oldId.split("#")[0]);
        assertThat(lrms.stillOwned(List.of(
                                new Lookup(old.id().tag(), ACCOUNT, oldId),
                                new Lookup("cream_000000001", ACCOUNT, same)))
                        .join())
                .isEqualTo(Set.of(same));
        assertThat(seen(List.of(before, oldId))).isEmpty();
        lrms.cancel(ACCOUNT, ids).join();
    }

    @Test
    void whatTheSiteRefusesIsRefusedWithItsReason() {
        CondorLrms unwanted =
                lrms(Records.with(config, "queues", Map.of("long", List.of(new SubmitLine("+Unwanted", "true")))));
        assertThat(unwanted.submit(List.of(submission("true"))).get(0).join())
                .isInstanceOfSatisfying(
                        SubmitResult.Refused.class,
                        refused -> assertThat(refused.reason()).contains("this site takes no unwanted jobs"));
    }

    /** The pool refuses requests without a unit. */
    @Test
    void whatAJobRequestsOfMemoryHasItsUnit() {
        CondorLrms bare =
                lrms(Records.with(config, "queues", Map.of("long", List.of(new SubmitLine("request_memory", "150")))));
        assertThat(bare.submit(List.of(submission("true"))).get(0).join()).isInstanceOf(SubmitResult.Refused.class);
        String id = accepted(submission("true", "long", nodes(1000), new Limits(null, null, 150L << 20)));
        assertThat(pool.command("condor_q", "-all", id.substring(0, id.indexOf('#')), "-af", "RequestMemory"))
                .isEqualToIgnoringWhitespace("150000");
        lrms.cancel(ACCOUNT, List.of(id)).join();
    }

    @Test
    void aJobForcedOutOfTheQueueIsFoundInTheHistoryAndWithoutThatIsUnknown() {
        Submission running = submission("exec sleep 600");
        String id = accepted(running);
        awaitState(id, State.RUNNING);
        String number = id.substring(0, id.indexOf('#'));
        pool.command("condor_rm", number);
        pool.command("condor_rm", "-forcex", number);
        await().atMost(PATIENCE)
                .until(() -> lrms.stillOwned(List.of(new Lookup("x", ACCOUNT, id)))
                        .join()
                        .isEmpty());
        List<Lookup> sought = Submissions.sought(ACCOUNT, running.id().tag());
        assertThat(lrms.find(sought).join().get(running.id().tag()).state()).isEqualTo(State.CANCELLED);
        pool.loseHistory();
        assertThat(lrms.find(sought).join()).isEmpty();
        assertThat(lrms.cancel(ACCOUNT, List.of(id)).join()).containsEntry(id, null);
    }

    @Test
    void attributesThatAnAdministratorEditedCostTheirJobsAlone() {
        List<Submission> jobs = IntStream.range(0, 5).mapToObj(i -> never()).toList();
        List<String> ids = accepted(jobs);
        List<String> numbers =
                ids.stream().map(id -> id.substring(0, id.indexOf('#'))).toList();
        pool.command("condor_qedit", numbers.get(0), "GelatoTag", "\"two\\nlines\\t\\\"and quotes\"");
        pool.command("condor_qedit", numbers.get(1), "GelatoRound", "undefined");
        pool.command("condor_qedit", numbers.get(2), "GelatoTag", "{1,2}");
        pool.command(
                "condor_qedit",
                numbers.get(3),
                "GelatoTag",
                '"' + jobs.get(4).id().tag() + '"');
        assertThat(seen(ids))
                .as("by their directories")
                .containsOnlyKeys(ids.get(0), ids.get(2), ids.get(3), ids.get(4));
        List<String> tags = jobs.stream().map(job -> job.id().tag()).toList();
        Map<String, LrmsJob> found =
                lrms.find(Submissions.sought(ACCOUNT, tags)).join();
        assertThat(found).containsOnlyKeys(tags.get(1), tags.get(3), tags.get(4));
        assertThat(found.get(tags.get(1)).isUnreadable()).isTrue();
        List<Lookup> known = List.of(0, 1, 2, 3).stream()
                .map(i -> new Lookup(tags.get(i), ACCOUNT, ids.get(i)))
                .toList();
        assertThat(lrms.find(known).join())
                .as("by their ids")
                .containsOnlyKeys(tags.subList(0, 4).toArray(String[]::new));
        assertThat(lrms.stillOwned(known).join()).containsExactlyInAnyOrderElementsOf(ids.subList(0, 4));
        assertThat(lrms.poll(ids).join()).extracting(LrmsJob::lrmsId).contains(ids.get(1));
        pool.command("condor_rm", "-all");
    }

    @Test
    void aJobThatIsHeldBeforeItRanMayBeReleasedAndRuns() throws IOException {
        Submission job = submission("exit 3");
        Path aside = job.sandbox().resolveSibling("aside");
        pool.command("condor_off", "-fast", "-startd");
        String id;
        try {
            await().atMost(PATIENCE).until(() -> lrms.status().join().slots().getAsInt() == 0);
            id = accepted(job);
            Files.move(job.sandbox(), aside);
        } finally {
            pool.command("condor_on", "-startd");
        }
        assertThat(awaitState(id, State.HELD).reason()).contains("hold code");
        Files.move(aside, job.sandbox());
        assertThat(lrms.release(ACCOUNT, List.of(id)).join()).containsEntry(id, null);
        assertThat(awaitState(id, State.DONE).exitCode()).isEqualTo(3);
    }

    @Test
    void aJobThatAnAdministratorRemovesWithAReasonIsCancelled() {
        String id = accepted(never());
        pool.command("condor_rm", "-reason", "drain for maintenance", id.substring(0, id.indexOf('#')));
        assertThat(awaitState(id, State.CANCELLED).reason()).contains("drain for maintenance (by user ");
    }

    @Test
    void aPoolWithoutSlotsTakesJobsThatWait() {
        pool.command("condor_off", "-fast", "-startd");
        try {
            await().atMost(PATIENCE).until(() -> lrms.status().join().slots().getAsInt() == 0);
            String id = accepted(submission("true"));
            assertThat(seen(List.of(id)).get(id).state()).isEqualTo(State.QUEUED);
            assertThat(lrms.health().join().up()).isTrue();
            assertThat(new CondorSite(config).unsupported(accounts, ACCOUNT).join())
                    .isEmpty();
            lrms.cancel(ACCOUNT, List.of(id)).join();
        } finally {
            pool.command("condor_on", "-startd");
        }
        awaitState(accepted(submission("true")), State.DONE);
    }

    @Test
    void withItsEventLogPollsStartAProcessOnlyWhenSomethingChanged() {
        CondorConfig logged = Records.with(config, "eventLog", pool.eventLog());
        assertThat(new CondorSite(logged).unsupported(accounts, ACCOUNT).join()).isEmpty();
        AtomicInteger listings = new AtomicInteger();
        AccountCommands counted = (AccountCommands) Proxy.newProxyInstance(
                AccountCommands.class.getClassLoader(),
                new Class<?>[] {AccountCommands.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("stream")) {
                        listings.incrementAndGet();
                    }
                    try {
                        return method.invoke(accounts, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        lrms = new CondorLrms(logged, counted, ForkJoinPool.commonPool(), Clock.systemUTC());
        try {
            String id = accepted(submission("sleep 1"));
            awaitState(id, State.DONE);
            await("polls without a process").atMost(PATIENCE).until(() -> {
                int before = listings.get();
                return seen(List.of(id)).containsKey(id) && listings.get() == before;
            });
            int before = listings.get();
            String other =
                    lrms(config).submit(List.of(submission("exit 7"))).get(0).join()
                                    instanceof SubmitResult.Accepted accepted
                            ? accepted.lrmsId()
                            : null;
            assertThat(awaitState(other, State.DONE).exitCode()).isEqualTo(7);
            assertThat(listings.get()).isGreaterThan(before);
        } finally {
            lrms = lrms(config);
        }
    }

    @Test
    void killsOfHelperAndScheddInTheMiddleOfHandOversDoubleNothing() throws IOException {
        List<Submission> jobs = new ArrayList<>();
        Map<String, String> ids = new HashMap<>();
        for (int round = 0; round < 12; round++) {
            List<Submission> some =
                    IntStream.range(0, 10).mapToObj(i -> never()).toList();
            jobs.addAll(some);
            List<CompletableFuture<SubmitResult>> sent = lrms.submit(some);
            if (round % 3 == 0) {
                pool.killSchedd();
            } else if (round % 3 == 1) {
                // in the middle of it: the answer of the first would be there in some 40 ms
                sent.get(0)
                        .completeOnTimeout(null, 5L * round, java.util.concurrent.TimeUnit.MILLISECONDS)
                        .join();
                helper.close();
                startHelper();
            }
            List<Submission> open = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                SubmitResult result = sent.get(i).handle((r, e) -> r).join();
                if (result instanceof SubmitResult.Accepted accepted) {
                    ids.put(some.get(i).id().tag(), accepted.lrmsId());
                } else {
                    open.add(some.get(i));
                }
            }
            List<String> tags = open.stream().map(one -> one.id().tag()).toList();
            Map<String, LrmsJob> found = await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> lrms.find(Submissions.sought(ACCOUNT, tags)).join(), x -> true);
            found.forEach((tag, job) -> ids.put(tag, job.lrmsId()));
            List<Submission> absent = open.stream()
                    .filter(one -> !found.containsKey(one.id().tag()))
                    .toList();
            if (!absent.isEmpty()) {
                List<String> again = accepted(absent);
                for (int i = 0; i < again.size(); i++) {
                    ids.put(absent.get(i).id().tag(), again.get(i));
                }
            }
        }
        Map<String, Long> shown = lrms.poll().join().stream()
                .filter(job -> ids.containsKey(job.tag()))
                .collect(Collectors.groupingBy(LrmsJob::tag, Collectors.counting()));
        assertThat(shown).hasSize(jobs.size());
        assertThat(shown.values()).as("doubled").allMatch(count -> count == 1);
        assertThat(seen(ids.values())).hasSize(jobs.size());
        lrms.cancel(ACCOUNT, ids.values()).join();
    }
}
