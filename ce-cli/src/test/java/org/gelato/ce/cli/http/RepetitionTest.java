package org.gelato.ce.cli.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.ServiceFault;
import org.junit.jupiter.api.Test;

/** How often a call is made, and what is known after the last try. */
class RepetitionTest {
    private static final Endpoint CE = new Endpoint("ce", 8443);
    private final CliException lost = new ConnectionFailure("lost", null);
    private final CliException busy = TransportErrors.of(CE, 503, "busy", null);
    private final CliException refused = TransportErrors.of(CE, 403, "no", null);
    private final CliException error = TransportErrors.of(CE, 500, "error", null);

    private final List<Duration> pauses = new ArrayList<>();

    /** The failure of a call whose tries fail so, the last one again and again. */
    private CliException after(CliException... failures) {
        return catchThrowableOfType(
                CliException.class,
                () -> new Repetition(pauses::add).of(5, attempt -> {
                    throw failures[Math.min(attempt, failures.length) - 1];
                }));
    }

    @Test
    void triesAndPausesAreBounded() {
        assertThat(after(lost)).isSameAs(lost);
        assertThat(pauses).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 8L);
        pauses.clear();
        assertThat(after(error)).isSameAs(error);
        assertThat(pauses).hasSize(2);
        pauses.clear();
        assertThat(after(refused)).isSameAs(refused).isInstanceOf(ServiceFault.class);
        assertThat(pauses).isEmpty();
    }

    @Test
    void oneTryThatMayHaveBeenDoneIsEnoughHoweverTheLastOneFails() {
        for (CliException first : List.of(lost, error)) {
            for (CliException last : List.of(busy, refused)) {
                assertThat(last.mayHaveBeenDone()).isFalse();
                assertThat(after(first, last))
                        .hasMessage(last.getMessage())
                        .matches(CliException::mayHaveBeenDone, "may have been done");
            }
        }
    }
}
