package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WaitCommandTest {
    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void jobs() {
        ce.environment.put("CE_ENDPOINT", "ce:9443");
        job(1, "RUNNING", "RUNNING", "DONE-OK");
        job(2, "DONE-OK");
        job(3, "RUNNING", "RUNNING", "RUNNING", "DONE-OK");
    }

    private void job(int number, String... states) {
        ce.script.put("CREAM00000000" + number, new ArrayList<>(List.of(states)));
    }

    @Test
    void allHaveEndedWellWithZero() {
        assertThat(ce.run("wait", "--all")).isZero();
        assertThat(ce.out().lines().map(line -> line.replaceAll(" at .*| 20.*", "")))
                .hasSize(3)
                .allMatch(line -> line.contains("DONE-OK"));
        assertThat(ce.err()).endsWith("ce wait: 3 jobs ended: 3 DONE-OK\n");
    }

    @Test
    void oneThatDidNotEndsWithOne() {
        ce.exitCodes.put("CREAM000000003", "3");
        assertThat(ce.run("wait", "--all", "--json")).isEqualTo(1);
        assertThat(ce.out()).contains("\"id\":\"https://ce:9443/CREAM000000003\",\"status\":\"DONE-OK\"");
        assertThat(ce.err()).endsWith("ce wait: 3 jobs ended: 2 DONE-OK, 1 DONE-OK with exit 3\n");
        assertThat(ce.run("wait", "CREAM000000002", "CREAM000000099")).isEqualTo(1);
        ce.jdlOf.put("CREAM000000003", "[ Labels = { \"mass=7\", \"scan=higgs\" }; ]");
        assertThat(ce.run("wait", "--all")).isEqualTo(1);
        assertThat(ce.out().lines().filter(line -> line.contains(" labels=")))
                .singleElement()
                .asString()
                .startsWith("https://ce:9443/CREAM000000003 ")
                .endsWith(" labels=mass=7,scan=higgs");
    }

    @Test
    void anyReturnsWithTheFirst() {
        assertThat(ce.run("wait", "--any", "CREAM000000001", "CREAM000000003")).isZero();
        assertThat(ce.out()).contains("CREAM000000001 DONE-OK").hasLineCount(1);
        assertThat(ce.err()).endsWith("ce wait: 1 job ended: 1 DONE-OK\n");
        assertThat(ce.run("wait", "--any", "CREAM000000001", "https://other:8443/CREAM000000001"))
                .isEqualTo(2);
    }

    /** From how many have ended in the last minutes. */
    @Test
    void theTerminalShowsWhenTheLastWillHaveEnded() {
        ce.terminal = true;
        for (int i = 1; i <= 8; i++) {
            List<String> states = new ArrayList<>(java.util.Collections.nCopies(4 * i, "RUNNING"));
            states.add("DONE-OK");
            job(i, states.toArray(String[]::new));
        }
        assertThat(ce.run("wait", "--all")).isZero();
        assertThat(ce.err()).containsPattern("2 DONE-OK, 6 RUNNING; about [0-9]+s left");
    }

    @Test
    void aNameThatNoJobHasIsNothingToWaitFor() {
        assertThat(ce.run("wait", "--name", "nobody")).isEqualTo(1);
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err()).endsWith("ce wait: there is no job to wait for\n");
    }

    @Test
    void aJobThatWasNotStartedIsReportedAndNotWaitedFor() {
        job(2, "REGISTERED");
        assertThat(ce.run("wait", "--all")).isEqualTo(1);
        assertThat(ce.out()).hasLineCount(2);
        assertThat(ce.err()).contains("ce wait: https://ce:9443/CREAM000000002: is REGISTERED and not started");
        // There it is on its way.
        ce.startsWithRegistration = true;
        job(2, "REGISTERED", "DONE-OK");
        assertThat(ce.run("wait", "--all")).isZero();
    }
}
