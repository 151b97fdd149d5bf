package org.gelato.ce.ws.tls.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ClockDoubtsTest {
    private static final Duration BEHIND = Duration.ofMinutes(10);

    private Instant now = Instant.parse("2026-11-27T14:00:00Z");
    private final ClockDoubts doubts = new ClockDoubts(new Clock() {
        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    });

    private void contradict(String... users) {
        for (String user : users) {
            doubts.saw(user, now.plus(BEHIND));
        }
    }

    @Test
    void threeUsersWhoseProxiesBeginLaterPutTheClockInDoubt() {
        contradict("a", "b");
        assertThat(doubts.doubt()).isEmpty();
        contradict("c");
        assertThat(doubts.doubt())
                .get()
                .asString()
                .contains("shows 2026-11-27T14:00:00Z", "3 users begin up to 10 min later", "set the clock");
    }

    @Test
    void oneUserAloneDoesNotHoweverOften() {
        for (int i = 0; i < 1000; i++) {
            contradict("a");
        }
        assertThat(doubts.doubt()).isEmpty();
    }

    @Test
    void usersWhoseFreshProxiesAgreeOutweighThoseWithAWrongClockOfTheirOwn() {
        contradict("a", "b", "c");
        for (String user : new String[] {"d", "e", "f"}) {
            doubts.saw(user, now.minus(Duration.ofMinutes(5)));
        }
        assertThat(doubts.doubt()).isEmpty();
        contradict("g");
        assertThat(doubts.doubt()).isPresent();
        doubts.saw("a", now);
        assertThat(doubts.doubt()).as("the latest of each user counts").isEmpty();
    }

    @Test
    void whatIsOldOrBeginsTomorrowSaysNothing() {
        contradict("a", "b", "c");
        doubts.saw("d", now.minus(Duration.ofHours(6)));
        doubts.saw("e", now.minus(Duration.ofHours(6)));
        doubts.saw("f", now.minus(Duration.ofHours(6)));
        assertThat(doubts.doubt()).isPresent();
        now = now.plus(Duration.ofHours(1)).plusSeconds(1);
        assertThat(doubts.doubt()).as("an hour later").isEmpty();
        for (String user : new String[] {"a", "b", "c"}) {
            doubts.saw(user, now.plus(Duration.ofDays(2)));
        }
        assertThat(doubts.doubt()).isEmpty();
    }

    @Test
    void moreUsersThanAreRememberedGiveWayToTheLatest() {
        for (int i = 0; i < 10 * ClockDoubts.MAX; i++) {
            doubts.saw("u" + i, now);
        }
        for (int i = 0; i < ClockDoubts.MAX / 2 + 1; i++) {
            contradict("v" + i);
        }
        assertThat(doubts.doubt()).isPresent();
    }

    @Test
    void bothTimesAreNamed() {
        assertThat(doubts.notYet("the proxy", now.plus(BEHIND)))
                .contains("the proxy is valid from 2026-11-27T14:10:00Z", "shows 2026-11-27T14:00:00Z");
    }
}
