package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pieces of responses. */
class PartTest {
    @Test
    void whatIsNotKnownIsLeftOut() {
        Part part = new Part.Builder("job")
                .with("id", "a")
                .with("reason", (Object) null)
                .with("status-code", 200)
                .build();
        assertThat(part.parts()).extracting(Part::name).containsExactly("id", "status-code");
        assertThat(part.text()).isNull();
    }

    @Test
    void aTextThatIsNotKnownIsEmpty() {
        assertThat(Part.of("id", (String) null).text()).isEmpty();
    }

    @Test
    void attributesAreAddedToACopyInTheirOrder() {
        Part plain = Part.of("file", "a");
        Part two = plain.withAttribute("size", "1").withAttribute("mode", "2");
        assertThat(plain.attributes()).isEmpty();
        assertThat(two.attributes().keySet()).containsExactly("size", "mode");
        assertThat(two.text()).isEqualTo("a");
    }

    @Test
    void aPieceDoesNotChangeWithTheListItWasMadeOf() {
        List<Part> parts = new ArrayList<>(List.of(Part.of("a", "1")));
        Part whole = Part.of("x", parts);
        parts.add(Part.of("b", "2"));
        assertThat(whole.parts()).hasSize(1);
        assertThatThrownBy(() -> whole.parts().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
