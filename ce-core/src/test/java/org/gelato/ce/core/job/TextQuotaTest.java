package org.gelato.ce.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobRegistration;
import org.gelato.ce.core.service.RegisterRequest;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No user stores more text than the quota. Every test has callers of its own. */
class TextQuotaTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final AtomicInteger CALLERS = new AtomicInteger();
    private static final long ONE = TestCe.JDL.length();
    private static final long QUOTA = 100 * ONE;

    private final AtomicLong now = new AtomicLong(1);
    private final ExecutorService threads = Executors.newFixedThreadPool(20);
    private Database own;
    private TestCe ce;
    private Caller alice;

    @BeforeEach
    void open() {
        own = new Database(DB.config());
        ce = ce("h");
        alice = TestCe.caller("Alice " + CALLERS.incrementAndGet());
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        ce.close();
        own.close();
    }

    private TestCe ce(String host) {
        return new TestCe(own, new FakeLrms(), host, new TextQuota(own, QUOTA, now::get));
    }

    private List<RegisterResult> register(TestCe at, Caller caller, int jobs, String key) {
        List<JobDescription> descriptions =
                Stream.generate(() -> TestCe.description(false)).limit(jobs).toList();
        return at.jobs.registration().register(caller, new RegisterRequest(descriptions, null, key));
    }

    private long used(Caller caller) {
        int subject = new OwnerStore(own).subject(caller.identity());
        return own.read(h -> h.createQuery(TextQuota.USED)
                .bind("subject", subject)
                .mapTo(Long.class)
                .one());
    }

    @Test
    void whatIsOverTheQuotaIsRefusedByNameAndNotStored() {
        register(ce, alice, 90, null);
        assertThat(used(alice)).isEqualTo(90 * ONE);
        assertThatThrownBy(() -> register(ce, alice, 11, null))
                .hasFieldOrPropertyWithValue("code", FaultCode.OVER_QUOTA)
                .hasMessageContaining("purge jobs that have ended")
                .extracting(e -> ((ServiceException) e).faultCause())
                .asString()
                .contains("take " + 90 * ONE + " of the " + QUOTA + " bytes", "those of this call " + 11 * ONE);
        assertThat(ce.jobs.queries().list(alice)).hasSize(90);
        register(ce, TestCe.caller("Bob"), 11, null);
        register(ce, alice, 10, null);
        assertThat(used(alice)).isEqualTo(QUOTA);
        assertThatThrownBy(() -> register(ce, alice, 1, null))
                .hasFieldOrPropertyWithValue("code", FaultCode.OVER_QUOTA);
    }

    @Test
    void purgedJobsMakeRoomAtOnce() {
        List<RegisterResult> jobs = register(ce, alice, 100, null);
        assertThatThrownBy(() -> register(ce, alice, 1, null))
                .hasFieldOrPropertyWithValue("code", FaultCode.OVER_QUOTA);
        own.inTransaction(h -> h.execute(
                JobRegistration.DELETE.replace(":id", "?"),
                ce.numbers.row(jobs.get(0).id())));
        assertThat(register(ce, alice, 1, null)).hasSize(1);
    }

    @Test
    void allFqansOfAUserCountTogether() {
        GridIdentity identity = alice.certificate();
        Caller inAnotherRole = new Caller(
                new GridIdentity(
                        identity.dn(),
                        List.of("/dteam/Role=production"),
                        "dteam",
                        false,
                        identity.notAfter(),
                        List.of()),
                alice.account(),
                false);
        register(ce, alice, 60, null);
        assertThatThrownBy(() -> register(ce, inAnotherRole, 60, null))
                .hasFieldOrPropertyWithValue("code", FaultCode.OVER_QUOTA);
    }

    @Test
    void aRepetitionReturnsWhatWasStoredThoughTheQuotaIsUsedUp() {
        List<RegisterResult> first = register(ce, alice, 100, "key");
        assertThat(register(ce, alice, 100, "key")).isEqualTo(first);
        assertThatThrownBy(() -> register(ce, alice, 1, "another"))
                .hasFieldOrPropertyWithValue("code", FaultCode.OVER_QUOTA);
        assertThat(used(alice)).isEqualTo(QUOTA);
    }

    @Test
    void callsAtTheSameTimeDoNotGetTheSameRoom() throws Exception {
        List<Future<List<RegisterResult>>> calls = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            calls.add(threads.submit(() -> register(ce, alice, 1, null)));
        }
        int stored = 0;
        for (Future<List<RegisterResult>> call : calls) {
            try {
                call.get();
                stored++;
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(ServiceException.class);
            }
        }
        assertThat(used(alice)).isEqualTo(stored * ONE).isLessThanOrEqualTo(QUOTA);
        while (used(alice) < QUOTA) {
            register(ce, alice, 1, null);
        }
    }

    @Test
    void farFromTheQuotaTheSumIsReadOnceAMinute() {
        register(ce, alice, 1, null);
        long before = own.statements();
        register(ce, alice, 1, null);
        long usual = own.statements() - before;
        now.addAndGet(60_000_000_000L);
        before = own.statements();
        register(ce, alice, 1, null);
        assertThat(own.statements() - before).isEqualTo(usual + 1);
    }

    @Test
    void twoNodesTogetherAreOverByLessThanAQuarter() {
        try (TestCe other = ce("h2")) {
            register(ce, alice, 1, null);
            register(other, alice, 1, null);
            for (TestCe at : List.of(ce, other)) {
                assertThatThrownBy(() -> {
                            while (true) {
                                register(at, alice, 1, null);
                            }
                        })
                        .hasFieldOrPropertyWithValue("code", FaultCode.OVER_QUOTA);
            }
            assertThat(used(alice)).isBetween(QUOTA, QUOTA + QUOTA / 4);
        }
    }

    @Test
    void textsCountAsTheDatabaseCountsThem() {
        for (String text : List.of("", "a", "\u007f\u0080\u07ff\u0800\uffff", "\ud83d\ude00x")) {
            assertThat(TextQuota.bytes(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        }
        String odd = TestCe.JDL.replace(" ]", "; Note = \"\u00e4\u20ac\ud83d\ude00\" ]");
        ce.jobs
                .registration()
                .register(alice, List.of(new JobDescription("a", Jdl.LANGUAGE, odd, "d1", null, null, false)), null);
        assertThat(used(alice)).isEqualTo(TextQuota.bytes(odd));
    }
}
