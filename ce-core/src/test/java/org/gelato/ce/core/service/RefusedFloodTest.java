package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.admission.AdmissionController;
import org.gelato.ce.core.admission.AdmissionLimits;
import org.gelato.ce.core.admission.HostLimits;
import org.gelato.ce.core.admission.HostReadings;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.base.ExpansionBudget;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.TextQuota;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.sandbox.NewSandboxes;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.TransferPrograms;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Descriptions that are refused take no place of jobs: thousands of them between two samples closed the CE for others. */
class RefusedFloodTest {
    private static final int ACTIVE_JOBS = 10;
    private static final Caller ALICE = TestCe.caller("Alice");

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static RegisterRequest call(JobDescription description, int times) {
        return new RegisterRequest(Collections.nCopies(times, description), null, null);
    }

    @Test
    void whatIsRefusedTakesNoPlaceOfOthers() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        try (TestCe ce = new TestCe(DB.database(), new FakeLrms(), "host1")) {
            AdmissionController admission = new AdmissionController(
                    DB.database(),
                    new JobStore(),
                    ce.commands,
                    new AdmissionLimits(HostLimits.NONE, -1, ACTIVE_JOBS, -1, 1000),
                    new HostReadings(Path.of("/proc"), 2811, Map.of("tmp", Path.of("/tmp"))),
                    "host1",
                    AuditTrail.NONE);
            admission.sample();
            JobRegistration registration = registration(ce, admission);
            JobDescription bad = new JobDescription("r", Jdl.LANGUAGE, "x", "no-such-delegation", null, null, true);
            for (int i = 0; i < 3; i++) {
                assertThat(registration
                                .register(TestCe.caller("Mallory"), call(bad, 20))
                                .results())
                        .allMatch(result -> result.fault() != null);
            }
            assertThatCode(() -> admission.admit(ALICE, 1)).doesNotThrowAnyException();

            JobDescription good = TestCe.description(false);
            for (int i = 0; i <= ACTIVE_JOBS; i++) {
                assertThat(registration.register(ALICE, call(good, 1)).results())
                        .allMatch(result -> result.fault() == null);
            }
            assertThatThrownBy(() -> admission.admit(ALICE, 1))
                    .as("what was stored counts")
                    .hasFieldOrPropertyWithValue("code", FaultCode.SUBMISSION_DISABLED);
        }
    }

    private static JobRegistration registration(TestCe ce, AdmissionController admission) {
        return new JobRegistration(
                DB.database(),
                new OwnerStore(DB.database()),
                new NewSandboxes(ce.numbers, ce.layout, ce.accounts),
                new DescriptionChecks(
                        Queues.of("fake", List.of("long", "short")),
                        new RuntimeEnvironments(List::of),
                        TransferPrograms.NONE,
                        ExpansionBudget.ofHeap(),
                        () -> Routes.NONE,
                        Clock.systemUTC()),
                new JobInserts(
                        DB.database(),
                        ce.commands,
                        new TextQuota(DB.database(), 1 << 30),
                        new JobStore().counts(),
                        JobInserts.Turns.USERS,
                        Clock.systemUTC()),
                new JobDelegations() {
                    @Override
                    public Map<String, Ref> find(Caller caller, Collection<String> ids) {
                        return ids.contains("d1")
                                ? Map.of(
                                        "d1",
                                        new Ref(
                                                ce.storeDelegation("d1"),
                                                Instant.now().plusSeconds(3600)))
                                : Map.of();
                    }

                    @Override
                    public void forget(Caller caller, Collection<String> ids) {}

                    @Override
                    public void putProxy(Caller caller, String id, String pemChain) {}
                },
                admission,
                Clock.systemUTC());
    }
}
