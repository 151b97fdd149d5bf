package org.gelato.ce.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.TestClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReceiverCursorsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final TestClock clock = new TestClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final ReceiverCursors first = node("first");
    private final ReceiverCursors second = node("second");

    private ReceiverCursors node(String name) {
        return new ReceiverCursors(DB.database(), clock, name, Duration.ofMinutes(1));
    }

    @Test
    void aReceiverBeginsOnce() {
        assertThat(first.lastEvent("new")).isEmpty();
        first.begin("new", 5);
        second.begin("new", 9);
        assertThat(second.lastEvent("new")).hasValue(5);
    }

    @Test
    void oneNodeSendsUntilItsClaimRunsOut() {
        first.begin("claimed", 0);
        assertThat(first.claim("claimed")).isTrue();
        assertThat(second.claim("claimed")).isFalse();
        clock.advance(Duration.ofSeconds(50));
        assertThat(first.confirmed("claimed", 7)).isTrue();
        clock.advance(Duration.ofSeconds(50));
        assertThat(second.claim("claimed")).isFalse();
        clock.advance(Duration.ofSeconds(11));
        assertThat(second.claim("claimed")).isTrue();
        assertThat(second.lastEvent("claimed")).hasValue(7);
    }

    /** The claim is a fence: a node that was away must not move the cursor back. */
    @Test
    void aConfirmationOfANodeThatLostItsClaimIsNotTaken() {
        first.begin("fenced", 0);
        first.claim("fenced");
        clock.advance(Duration.ofMinutes(2));
        second.claim("fenced");
        second.confirmed("fenced", 20);
        assertThat(first.confirmed("fenced", 10)).isFalse();
        assertThat(first.lastEvent("fenced")).hasValue(20);
    }
}
