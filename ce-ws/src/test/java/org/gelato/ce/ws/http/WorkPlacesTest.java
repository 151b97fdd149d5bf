package org.gelato.ce.ws.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkPlacesTest {
    private final List<String> started = new ArrayList<>();
    private final WorkPlaces places = new WorkPlaces(10, 2);

    private boolean enter(String person, String call, int weight) {
        return places.enter(person, weight, () -> started.add(call));
    }

    @Test
    void calls_are_worked_on_up_to_a_weight_and_then_in_their_order() {
        assertThat(enter("a", "1", 6)).isTrue();
        assertThat(enter("a", "2", 6)).isFalse();
        assertThat(enter("a", "3", 1)).as("none overtakes").isFalse();
        assertThat(enter("b", "4", 10)).isTrue();
        assertThatThrownBy(() -> enter("a", "5", 1)).isInstanceOf(WorkPlaces.Full.class);
        places.leave("a", 6);
        assertThat(started).containsExactly("2", "3");
    }

    @Test
    void a_call_heavier_than_all_places_is_worked_on_alone() {
        assertThat(enter("a", "1", 1)).isTrue();
        assertThat(enter("a", "2", 100)).isFalse();
        places.leave("a", 1);
        assertThat(started).containsExactly("2");
        assertThat(enter("a", "3", 1)).isFalse();
        places.leave("a", 100);
        assertThat(started).containsExactly("2", "3");
        places.leave("a", 1);
        assertThat(enter("a", "4", 10)).isTrue();
    }
}
