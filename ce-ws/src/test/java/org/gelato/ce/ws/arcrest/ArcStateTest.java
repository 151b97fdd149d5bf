package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our states as ARC's. */
class ArcStateTest {
    /** docs/developer/protocol/arc-rest.md, trap 11; a name that is not among them ends a DIRAC pilot director. */
    private static final List<String> KNOWN_TO_CLIENTS = List.of(
            "ACCEPTING",
            "ACCEPTED",
            "PREPARING",
            "PREPARED",
            "SUBMITTING",
            "QUEUING",
            "RUNNING",
            "HELD",
            "EXITINGLRMS",
            "OTHER",
            "EXECUTED",
            "FINISHING",
            "FINISHED",
            "FAILED",
            "KILLING",
            "KILLED",
            "WIPED",
            "None");

    @ParameterizedTest
    @CsvSource({
        "REGISTERED, PREPARING",
        "PENDING, SUBMITTING",
        "IDLE, QUEUING",
        "RUNNING, RUNNING",
        "REALLY_RUNNING, RUNNING",
        "HELD, HELD",
        "DONE_OK, FINISHED",
        "DONE_FAILED, FAILED",
        "ABORTED, FAILED",
        "CANCELLED, KILLED"
    })
    void eachStateOfAJobHasItsName(JobState state, ArcState arc) {
        assertThat(ArcState.of(status(state, null, null))).isEqualTo(arc);
        assertThat(arc.states()).contains(state);
    }

    private static JobStatus status(JobState state, String exitCode, String reason) {
        return new JobStatus(state, Instant.EPOCH, exitCode, reason, null);
    }

    /** As A-REX 6.17 reports the same programs (docs/developer/protocol/arc-rest.md, How jobs end). */
    @ParameterizedTest
    @CsvSource({
        "DONE_OK, 0, , FINISHED, ",
        "DONE_OK, 3, , FAILED, LRMS error: (3) Job finished with wrong exit code - 3 != 0",
        "DONE_OK, 137, , FAILED, LRMS error: (137) Job finished with wrong exit code - 137 != 0",
        "DONE_OK, W, , FINISHED, ",
        "DONE_OK, N/A, , FINISHED, ",
        "DONE_FAILED, 3, slurm says: out of memory, FAILED, slurm says: out of memory",
        "DONE_FAILED, N/A, got SIGTERM, FAILED, got SIGTERM",
        "CANCELLED, 3, , KILLED, "
    })
    void aProgramThatEndedWithAnotherCodeThan0HasFailed(
            JobState state, String exitCode, String reason, ArcState arc, String error) {
        JobStatus status = status(state, exitCode, reason);
        assertThat(ArcState.of(status)).isEqualTo(arc);
        assertThat(ArcState.error(status)).isEqualTo(Optional.ofNullable(error));
        assertThat(arc.states()).as("found by its state").contains(state);
    }

    @Test
    void aKilledJobHasItsReasonAsItsError() {
        assertThat(ArcState.error(new JobStatus(JobState.CANCELLED, Instant.EPOCH, null, null, "Cancelled by user")))
                .contains("Cancelled by user");
        assertThat(ArcState.error(new JobStatus(JobState.DONE_OK, Instant.EPOCH, "0", null, "well")))
                .isEmpty();
    }

    @Test
    void clientsKnowEveryName() {
        assertThat(KNOWN_TO_CLIENTS)
                .containsAll(Arrays.stream(ArcState.values()).map(Enum::name).toList());
    }

    @Test
    void aStateIsFinalExactlyWhereTheJobHasEnded() {
        for (JobState state : JobState.values()) {
            assertThat(ArcState.of(status(state, "3", null)).isFinal())
                    .as(state.name())
                    .isEqualTo(state.isFinal());
        }
    }

    @Test
    void theStatesOfAllNamesAreAllStatesOnceButThatOfProgramsThatEnded() {
        List<JobState> all = Arrays.stream(ArcState.values())
                .flatMap(arc -> arc.states().stream())
                .toList();
        assertThat(all)
                .hasSize(JobState.values().length + 1)
                .containsAll(EnumSet.allOf(JobState.class))
                .filteredOn(state -> state == JobState.DONE_OK)
                .hasSize(2);
    }

    @Test
    void namesOfAFilterAreReadInAnyCaseWithSpaces() {
        assertThat(ArcState.ofName(" finished ")).contains(ArcState.FINISHED);
        assertThat(ArcState.ofName("Running")).contains(ArcState.RUNNING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ACCEPTING", "None", "DONE-OK", "RUNNING\u0000", "RUNN\u0130NG", "*"})
    void otherNamesAreNoStates(String name) {
        assertThat(ArcState.ofName(name)).isEmpty();
    }

    @Test
    void namesOfAFilterThatNoJobHereHasAreKnownAndMatchNothing() {
        Set<String> ours = Arrays.stream(ArcState.values()).map(Enum::name).collect(Collectors.toSet());
        for (String name : KNOWN_TO_CLIENTS) {
            assertThat(ArcState.ofName(name).isPresent()).as(name).isEqualTo(ours.contains(name));
        }
    }
}
