package org.gelato.ce.perf.budgets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.ArcClient;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.Metrics;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What requests over ARC REST cost a whole CE, counted. JobCostTest, DelegationCostTest and LongResponsesTest hold the core's
 * statements exactly; here the CE's own background is in the counts, and what servlets, authorization and tokens add. 300 jobs in each
 * run of the tests, 1000 with {@code -Dgelato.test.long=true}.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ArcBudgetsIT {
    /** Statements that the CE's background may send each second, whatever is requested, and some that come once in a minute. */
    private static final int EACH_SECOND = 4;

    private static final int ONCE = 20;

    private static final int MANY = Boolean.getBoolean("gelato.test.long") ? 1000 : 300;
    private static final int BUNCH = 100;

    private static PerfSite site;
    private static ArcClient user;
    private static String description;

    @BeforeAll
    static void start() {
        // No slots: what is handed over stays queued.
        site = PerfSite.start(SitePlan.of(BatchKind.STUB, 0).withTokens());
        GridPki pki = site.pki();
        user = new ArcClient(
                site.door().port(), pki, pki.proxy(pki.user("Ann of budgets")).make(), null);
        description = ArcClient.description(PerfSite.QUEUE, user.delegate());
        user.submit(description, 1);
        awaitQueued(1);
    }

    @AfterAll
    static void stop() {
        if (user != null) {
            user.close();
        }
        if (site != null) {
            site.close();
        }
    }

    private static void awaitQueued(long jobs) {
        Lives.await("all jobs to be queued", () -> jobs - site.store().inState(JobState.IDLE));
    }

    private static long background(Counters counted) {
        return ONCE + Math.round(EACH_SECOND * counted.seconds());
    }

    private static Counters counted(int times, IntConsumer work) {
        Counters before = Counters.of(site);
        for (int i = 0; i < times; i++) {
            work.accept(i);
        }
        return Counters.of(site).since(before);
    }

    @Test
    @Order(1)
    void aSubmissionOfOneJobIsAFewStatementsUpToTheBatchSystem() {
        int jobs = 100;
        long before = site.store().inState(JobState.IDLE);
        Counters counted = counted(jobs, i -> {
            user.submit(description, 1);
            if (i == jobs - 1) {
                awaitQueued(before + jobs);
            }
        });
        // Registration with its start 4, the name of the job 1, claim at most 4, hand-over 3.
        assertThat(counted.sql()).isBetween(5L * jobs, 12L * jobs + background(counted));
        assertThat(counted.commits()).isBetween((long) jobs, 3L * jobs + background(counted));
    }

    @Test
    @Order(2)
    void submissionsOfAHundredJobsCostHardlyMoreThanTheHandOver() {
        long before = site.store().inState(JobState.IDLE);
        int posts = MANY / BUNCH;
        Counters counted = counted(posts, i -> {
            assertThat(user.submit(description, BUNCH)).hasSize(BUNCH);
            if (i == posts - 1) {
                awaitQueued(before + MANY);
            }
        });
        // Hand-over 3 for each job, whoever registered it; registration and claim 4 each for a hundred.
        assertThat(counted.sql()).isBetween(4L * posts, 3L * MANY + 12L * posts + background(counted));
    }

    @Test
    @Order(3)
    void theStatesOfManyJobsAreThreeStatements() {
        String list = user.list();
        int times = 20;
        List<Integer> sizes = new ArrayList<>();
        Counters counted = counted(times, i -> sizes.add(user.states(list).size()));
        assertThat(sizes).allMatch(size -> size >= MANY);
        assertThat(counted.sql()).isBetween((long) times, 3L * times + background(counted));
    }

    @Test
    @Order(4)
    void aPingIsOneStatementAndADescriptionOfTheCeNone() {
        int times = 100;
        Counters pings = counted(times, i -> user.list());
        assertThat(pings.sql()).isBetween((long) times, times + background(pings));
        Counters infos = counted(times, i -> user.info());
        assertThat(infos.sql()).isLessThan(background(infos));
    }

    @Test
    @Order(5)
    void aDelegationIsAFewStatements() {
        int times = 20;
        Counters counted = counted(times, i -> user.delegate());
        assertThat(counted.sql()).isBetween(6L * times, 6L * times + background(counted));
    }

    @Test
    @Order(6)
    void aTokenIsVerifiedOnceAndCostsNoStatement() {
        String token = site.token("bob of budgets");
        try (ArcClient bob = new ArcClient(site.door().port(), site.pki(), null, token)) {
            long before = signatures();
            bob.info();
            assertThat(signatures() - before).isEqualTo(1);
            int times = 100;
            Counters counted = counted(times, i -> bob.info());
            assertThat(signatures() - before).isEqualTo(1);
            assertThat(counted.sql()).isLessThan(background(counted));
        }
    }

    private static long signatures() {
        return Math.round(new Metrics(site.page("/metrics")).of("ce_token_signatures_verified_total"));
    }
}
