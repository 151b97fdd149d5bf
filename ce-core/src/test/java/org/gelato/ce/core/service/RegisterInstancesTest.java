package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionLanguage;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.xrsl.Xrsl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls whose descriptions have many instances, or expand to more than they are. */
class RegisterInstancesTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ANN = TestCe.caller("Ann");
    private static final Caller BOB = TestCe.caller("Bob");
    private static final String SMALL = "&(executable=/bin/true)(inputfiles=(a \"\"))";

    private final AtomicInteger reads = new AtomicInteger();
    private TestCe ce;

    /** Counts what is read, and may wait in it. */
    private final class Counted implements DescriptionLanguage {
        private final CountDownLatch go;
        private final long characters;

        Counted(CountDownLatch go, long characters) {
            this.go = go;
            this.characters = characters;
        }

        @Override
        public int code() {
            return Xrsl.LANGUAGE.code();
        }

        @Override
        public JobRequest read(String text, ReadingBudget budget) throws DescriptionException {
            budget.expand(characters);
            reads.incrementAndGet();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Xrsl.LANGUAGE.read(text, budget);
        }
    }

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private static JobDescription job(DescriptionLanguage language, String text) {
        return new JobDescription(null, language, text, null, null, null, true);
    }

    private static int jobs() {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM job")
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void aDescriptionIsReadOnceForAllItsInstances() {
        DescriptionLanguage counted = new Counted(new CountDownLatch(0), 0);
        List<RegisterResult> results = ce.jobs
                .registration()
                .register(
                        ANN,
                        RegisterRequest.arc(
                                List.of(job(counted, SMALL), job(counted, "(a)"), job(counted, SMALL)), null, 50));
        assertThat(reads).hasValue(3);
        assertThat(results).hasSize(150);
        assertThat(results.subList(50, 100))
                .allMatch(r -> r.fault().cause().startsWith("a: unexpected ')', expected '='"));
        assertThat(results.subList(0, 50)).allMatch(r -> r.fault() == null);
        assertThat(results.stream().map(RegisterResult::id).distinct()).hasSize(101);
    }

    @Test
    void descriptionsTimesInstancesAreCountedBeforeAnythingIsMadeOfThem() {
        int before = jobs();
        List<JobDescription> many = Collections.nCopies(10_000, job(Xrsl.LANGUAGE, "(a)"));
        assertThatThrownBy(() -> ce.jobs.registration().register(ANN, RegisterRequest.arc(many, null, 10_000)))
                .hasFieldOrPropertyWithValue("code", FaultCode.TOO_LARGE)
                .hasMessageContaining("with all instances")
                .hasMessageContaining("nothing was registered");
        assertThat(jobs()).isEqualTo(before);
    }

    @Test
    void theTextOfManyInstancesCountsAsOften() {
        String text = SMALL + "(arguments=" + "x".repeat(1 << 19) + ")";
        int tooMany = (int) (Runtime.getRuntime().maxMemory() >> 22) + 100;
        assertThatThrownBy(() -> ce.jobs
                        .registration()
                        .register(ANN, RegisterRequest.arc(List.of(job(Xrsl.LANGUAGE, text)), null, tooMany)))
                .hasFieldOrPropertyWithValue("code", FaultCode.TOO_LARGE);
    }

    @Test
    void callsOfOneUserThatHoldTheMemoryRefuseThatUserAndNobodyElse() {
        long share = Math.max(Runtime.getRuntime().maxMemory() / 16 / 4, 8 << 20);
        CountDownLatch go = new CountDownLatch(1);
        DescriptionLanguage large = new Counted(go, share - (1 << 20));
        CompletableFuture<List<RegisterResult>> first = CompletableFuture.supplyAsync(() ->
                ce.jobs.registration().register(ANN, RegisterRequest.arc(List.of(job(large, SMALL)), null)));
        try {
            await().until(() -> reads.get() == 1);
            assertThatThrownBy(() ->
                            ce.jobs.registration().register(ANN, RegisterRequest.arc(List.of(job(large, SMALL)), null)))
                    .isInstanceOfSatisfying(
                            ServiceException.class,
                            e -> assertThat(e.faultCause())
                                    .contains("job descriptions of this caller hold")
                                    .contains("try again"));
            assertThat(ce.jobs
                            .registration()
                            .register(BOB, RegisterRequest.arc(List.of(job(Xrsl.LANGUAGE, SMALL)), null)))
                    .allMatch(r -> r.fault() == null);
        } finally {
            go.countDown();
        }
        assertThat(first.join()).allMatch(r -> r.fault() == null);
        assertThat(ce.jobs.registration().register(ANN, RegisterRequest.arc(List.of(job(large, SMALL)), null)))
                .allMatch(r -> r.fault() == null);
    }

    @Test
    void descriptionsOfOneCallAreLetGoOneAfterAnother() {
        long share = Math.max(Runtime.getRuntime().maxMemory() / 16 / 4, 8 << 20);
        DescriptionLanguage large = new Counted(new CountDownLatch(0), share / 2);
        assertThat(ce.jobs
                        .registration()
                        .register(ANN, RegisterRequest.arc(Collections.nCopies(20, job(large, SMALL)), null)))
                .hasSize(20)
                .allMatch(r -> r.fault() == null);
    }
}
