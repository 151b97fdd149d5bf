package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our states as ARC's. */
class ArcStateTest {
    /** docs/protocol/arc-rest.md, trap 11; a name that is not among them ends a DIRAC pilot director. */
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
    void each_state_of_a_job_has_its_name(JobState state, ArcState arc) {
        assertThat(ArcState.of(state)).isEqualTo(arc);
        assertThat(arc.states()).contains(state);
    }

    @Test
    void clients_know_every_name() {
        assertThat(KNOWN_TO_CLIENTS)
                .containsAll(Arrays.stream(ArcState.values()).map(Enum::name).toList());
    }

    @Test
    void a_state_is_final_exactly_where_the_job_has_ended() {
        for (JobState state : JobState.values()) {
            assertThat(ArcState.of(state).isFinal()).as(state.name()).isEqualTo(state.isFinal());
        }
    }

    @Test
    void the_states_of_all_names_are_all_states_once() {
        List<JobState> all = Arrays.stream(ArcState.values())
                .flatMap(arc -> arc.states().stream())
                .toList();
        assertThat(all).doesNotHaveDuplicates().containsAll(EnumSet.allOf(JobState.class));
    }

    @Test
    void names_of_a_filter_are_read_in_any_case_with_spaces() {
        assertThat(ArcState.ofName(" finished ")).contains(ArcState.FINISHED);
        assertThat(ArcState.ofName("Running")).contains(ArcState.RUNNING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ACCEPTING", "None", "DONE-OK", "RUNNING\u0000", "RUNN\u0130NG", "*"})
    void other_names_are_no_states(String name) {
        assertThat(ArcState.ofName(name)).isEmpty();
    }

    @Test
    void names_of_a_filter_that_no_job_here_has_are_known_and_match_nothing() {
        Set<String> ours = Arrays.stream(ArcState.values()).map(Enum::name).collect(Collectors.toSet());
        for (String name : KNOWN_TO_CLIENTS) {
            assertThat(ArcState.ofName(name).isPresent()).as(name).isEqualTo(ours.contains(name));
        }
    }
}
