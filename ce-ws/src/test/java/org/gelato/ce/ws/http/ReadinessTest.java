package org.gelato.ce.ws.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.gelato.ce.ws.http.HealthCheck.Outcome;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private Instant now = Instant.EPOCH;
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private final AtomicInteger rounds = new AtomicInteger();

    @Test
    void isReadyWhenAllChecksAreOk() {
        Readiness readiness = new Readiness(List.of(check("a", true), check("b", true)), clock);

        assertThat(readiness.report().join())
                .isEqualTo(new Readiness.Report(
                        true,
                        false,
                        List.of(
                                new Readiness.Line("a", true, false, "a says"),
                                new Readiness.Line("b", true, false, "b says"))));
    }

    @Test
    void whatSomeUsersLackMakesTheServiceDegradedAndNotUnready() {
        HealthCheck some =
                check("some", () -> CompletableFuture.completedFuture(HealthCheck.Outcome.degraded("one CA's users")));
        Readiness readiness = new Readiness(List.of(check("a", true), some), clock);

        Readiness.Report report = readiness.report().join();

        assertThat(report.ready()).isTrue();
        assertThat(report.degraded()).isTrue();
        assertThat(report.checks()).contains(new Readiness.Line("some", true, true, "one CA's users"));
    }

    @Test
    void namesTheCheckThatIsNotOkOrFailsOrThrows() {
        HealthCheck fails = check("fails", () -> CompletableFuture.failedFuture(new IllegalStateException("secret")));
        HealthCheck throwing = check("throws", () -> {
            throw new IllegalStateException("secret");
        });
        Readiness readiness = new Readiness(List.of(check("good", true), check("bad", false), fails, throwing), clock);

        Readiness.Report report = readiness.report().join();

        assertThat(report.ready()).isFalse();
        assertThat(report.checks())
                .containsExactly(
                        new Readiness.Line("good", true, false, "good says"),
                        new Readiness.Line("bad", false, false, "bad says"),
                        new Readiness.Line("fails", false, false, "failed: IllegalStateException"),
                        new Readiness.Line("throws", false, false, "failed: IllegalStateException"));
    }

    @Test
    void oneRoundOfChecksServesAllWhoAskWithinSomeSeconds() {
        Readiness readiness = new Readiness(List.of(check("a", true)), clock);

        readiness.report().join();
        now = now.plusSeconds(4);
        readiness.report().join();
        assertThat(rounds).hasValue(1);

        now = now.plusSeconds(2);
        readiness.report().join();
        assertThat(rounds).hasValue(2);
    }

    @Test
    void anOutcomeIsOfWhenItWasFoundFirst() {
        AtomicBoolean well = new AtomicBoolean(true);
        Readiness readiness = new Readiness(
                List.of(check("a", () -> CompletableFuture.completedFuture(new Outcome(well.get(), "at " + now)))),
                clock);
        assertThat(readiness.last()).isNull();
        assertThat(readiness.since("a")).isNull();

        for (boolean next : List.of(true, false)) {
            well.set(next);
            now = now.plusSeconds(60);
            Instant first = now;
            readiness.report().join();
            now = now.plusSeconds(60);
            readiness.report().join();
            assertThat(readiness.since("a")).isEqualTo(first);
            assertThat(readiness.last().ready()).isEqualTo(next);
        }
    }

    @Test
    void aRoundUnderWayIsNotStartedAgain() {
        CompletableFuture<Outcome> slow = new CompletableFuture<>();
        Readiness readiness = new Readiness(List.of(check("slow", () -> slow)), clock);

        CompletableFuture<Readiness.Report> first = readiness.report();
        now = now.plusSeconds(60);
        CompletableFuture<Readiness.Report> second = readiness.report();
        slow.complete(new Outcome(true, "late"));

        assertThat(first.join()).isEqualTo(second.join());
        assertThat(rounds).hasValue(1);
    }

    private HealthCheck check(String name, boolean ok) {
        return check(name, () -> CompletableFuture.completedFuture(new Outcome(ok, name + " says")));
    }

    private HealthCheck check(String name, Supplier<CompletableFuture<Outcome>> look) {
        return HealthCheck.of(name, () -> {
            rounds.incrementAndGet();
            return look.get();
        });
    }
}
