package org.gelato.ce.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RatesTest {
    private static final double EXACT = 1e-9;

    /** 50 events one second apart, then 50 two seconds apart. */
    private static long[] slowingDown() {
        return LongStream.concat(
                        LongStream.rangeClosed(1, 50),
                        LongStream.rangeClosed(1, 50).map(i -> 50 + 2 * i))
                .map(TimeUnit.SECONDS::toNanos)
                .toArray();
    }

    @Test
    void rateOfTheFirstIsCountedFromTheBegin() {
        assertThat(Rates.first(slowingDown(), 0.2)).isCloseTo(1, within(EXACT));
    }

    @Test
    void rateOfTheLastIsCountedFromTheEventBefore() {
        assertThat(Rates.last(slowingDown(), 0.2)).isCloseTo(0.5, within(EXACT));
        assertThat(Rates.last(slowingDown(), 1)).isCloseTo(100.0 / 150, within(EXACT));
    }

    @Test
    void noEventsHaveNoRate() {
        assertThat(Rates.first(new long[0], 0.2)).isZero();
        assertThat(Rates.last(new long[0], 0.2)).isZero();
        assertThat(Rates.perSecond(0, 0)).isZero();
    }

    @Test
    void aSmallShareIsAtLeastOneEvent() {
        long[] two = {TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(5)};
        assertThat(Rates.first(two, 0.2)).isCloseTo(1, within(EXACT));
        assertThat(Rates.last(two, 0.2)).isCloseTo(0.25, within(EXACT));
    }

    @Test
    void eventsAtOnceAreNoInfiniteRate() {
        assertThat(Rates.perSecond(3, 0)).isFinite();
    }

    @Test
    void sharesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> Rates.first(slowingDown(), 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Rates.last(slowingDown(), 1.1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ratioToNothingIsFiniteAndBreaksEveryBound() {
        assertThat(Rates.ratio(3, 2)).isCloseTo(1.5, within(EXACT));
        assertThat(Rates.ratio(0, 0)).isZero();
        assertThat(Rates.ratio(1, 0)).isFinite().isGreaterThan(1e100);
    }

    @Test
    void medianIsTheMiddleOrTheMeanOfBothMiddles() {
        assertThat(Rates.median(List.of(9, 1, 5))).isEqualTo(5);
        assertThat(Rates.median(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(3);
        assertThat(Rates.median(List.of())).isZero();
    }

    @Test
    void laterTimesAreLeftOutAndTheRestSorted() {
        assertThat(Rates.upTo(new long[] {7, 3, 9, 1}, 7)).containsExactly(1, 3, 7);
    }
}
