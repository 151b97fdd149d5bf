package org.gelato.ce.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HintTest {
    @Test
    void whatCodesOfNewerCesMeanIsNotKnown() {
        assertThat(Hint.of("BANNED")).hasValue("only the site's administrators can lift a ban");
        assertThat(Hint.of("INTERNAL_TOO")).isEmpty();
        assertThat(Hint.of(null)).isEmpty();
        assertThat(Hint.of("GENERIC")).isEmpty();
    }

    @Test
    void theNearestWordDiffersInFewLetters() {
        List<String> known = List.of("Executable", "Environment", "Epilogue");
        assertThat(Nearest.of("Exeuctable", known)).hasValue("Executable");
        assertThat(Nearest.of("enviroment", known)).hasValue("Environment");
        assertThat(Nearest.of("Rank", known)).isEmpty();
        assertThat(Nearest.of("x".repeat(1000), known)).isEmpty();
    }
}
