package org.gelato.ce.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;

class ScenarioCommandTest {
    @ParameterizedTest
    @FieldSource("org.gelato.ce.perf.scenario.ScenarioCommand#ALL")
    void helpPrintsPerCentUnchanged(Scenario scenario) {
        CommandLine line = ScenarioCommand.of(scenario);

        // What picocli does with each; a text that is no format makes it print a warning above the help.
        assertThat(line.getCommandSpec().usageMessage().description())
                .extracting(String::format)
                .containsExactly(scenario.what(), "Must hold: " + scenario.holds());
    }
}
