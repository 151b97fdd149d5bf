package org.gelato.ce.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An administrator opens and closes the CE; and what service-info reports about the limits. */
class SubmissionSwitchTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private static void register(TestCe ce) {
        ce.jobs.registration().register(ALICE, List.of(TestCe.description(false)), null);
    }

    @Test
    void aClosedCeStaysClosedOverARestart() {
        try (TestCe ce = new TestCe(DB.database(), new FakeLrms(), "host1")) {
            ce.admission.open(TestCe.admin(), false);
            assertThat(ce.admission.state().accepting()).isFalse();
            assertThat(ce.admission.state().message()).isEqualTo("Submissions are disabled!");
            assertRefused(ce);
        }
        try (TestCe restarted = new TestCe(DB.database(), new FakeLrms(), "host1")) {
            assertRefused(restarted);
            assertThat(restarted.jobs.queries().list(ALICE))
                    .as("the rest continues")
                    .isEmpty();
            restarted.admission.open(TestCe.admin(), true);
            assertThat(restarted.admission.state().accepting()).isTrue();
            register(restarted);
        }
    }

    private static void assertRefused(TestCe ce) {
        assertThatThrownBy(() -> register(ce)).isInstanceOfSatisfying(ServiceException.class, e -> {
            assertThat(e).hasMessage("no new jobs are accepted now");
            assertThat(e.faultCause()).isEqualTo("Submissions are disabled!");
        });
    }

    @Test
    void onlyAdministratorsMay() {
        try (TestCe ce = new TestCe(DB.database(), new FakeLrms(), "host1")) {
            assertThatThrownBy(() -> ce.admission.open(ALICE, false))
                    .isInstanceOfSatisfying(ServiceException.NotAuthorized.class, e -> {
                        assertThat(e).hasMessage("Operation reserved only to administrator!");
                        assertThat(e.faultCause()).isEqualTo("Operation reserved only to administrator!");
                    });
            assertThat(ce.admission.state().accepting()).isTrue();
        }
    }

    @Test
    void theSwitchIsAuditedAndARefusedOneIsNot() {
        try (TestCe ce = new TestCe(DB.database(), new FakeLrms(), "host1")) {
            ce.admission.open(TestCe.admin(), false);
            ce.admission.open(TestCe.admin(), true);
            assertThatThrownBy(() -> ce.admission.open(ALICE, false))
                    .isInstanceOf(ServiceException.NotAuthorized.class);
            assertThat(ce.trail.texts()).containsExactly("submission-disabled {}", "submission-enabled {}");
        }
    }

    @Test
    void theLimitsStandInTheOrderProbesExpect() {
        try (TestCe ce = new TestCe(DB.database(), new FakeLrms(), "host1")) {
            String[] lines = ce.admission.state().thresholds().split("\n", -1);
            assertThat(lines).hasSize(11);
            List<String> patterns = List.of(
                    "Threshold for Load Average\\(1 min\\): -1 => Detected value for Load Average\\(1 min\\): [0-9.]+",
                    "Threshold for Load Average\\(5 min\\): -1 => Detected value for Load Average\\(5 min\\): [0-9.]+",
                    "Threshold for Load Average\\(15 min\\): -1 => Detected value for Load Average\\(15 min\\): [0-9.]+",
                    "Threshold for Memory Usage: -1 => Detected value for Memory Usage: [0-9.]+%",
                    "Threshold for Swap Usage: -1 => Detected value for Swap Usage: [0-9.]+%",
                    "Threshold for Free FD: -1 => Detected value for Free FD: [0-9]+",
                    "Threshold for tomcat FD: -1 => Detected value for Tomcat FD: [0-9]+",
                    "Threshold for FTP Connection: -1 => Detected value for FTP Connection: [0-9]+",
                    "Threshold for Number of active jobs: -1 => Detected value for Number of active jobs: [0-9]+",
                    "Threshold for Number of pending commands: -1 => Detected value for Number of pending commands: [0-9]+",
                    "Threshold for Disk Usage\\(tmp\\): -1 => Detected value for Disk Usage\\(tmp\\): [0-9.]+%");
            for (int i = 0; i < lines.length; i++) {
                assertThat(lines[i]).matches(patterns.get(i));
            }
        }
    }
}
