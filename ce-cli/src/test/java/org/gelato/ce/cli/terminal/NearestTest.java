package org.gelato.ce.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void theNearestWordDiffersInFewLetters() {
        List<String> known = List.of("Executable", "Environment", "Epilogue");
        assertThat(Nearest.of("Exeuctable", known)).hasValue("Executable");
        assertThat(Nearest.of("enviroment", known)).hasValue("Environment");
        assertThat(Nearest.of("Rank", known)).isEmpty();
        assertThat(Nearest.of("x".repeat(1000), known)).isEmpty();
    }
}
