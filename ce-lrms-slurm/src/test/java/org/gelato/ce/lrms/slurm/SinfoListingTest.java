package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.ClusterStatus.Queue;
import org.gelato.ce.core.lrms.LrmsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SinfoListingTest {
    private static ClusterStatus status(String output) {
        SinfoListing listing = new SinfoListing();
        listing.take(output.getBytes(StandardCharsets.UTF_8));
        return listing.status();
    }

    @Test
    void aNodeInTwoPartitionsCountsOnceForTheWhole() {
        ClusterStatus status = status("wn0|long|up|3-00:00:00|10/480/10/500|22.05.8\n"
                + "wn1|long|up|3-00:00:00|0/0/8/8|unknown\n"
                + "wn0|short|up|1:00:00|10/480/10/500|22.05.8\n");
        assertThat(status)
                .isEqualTo(new ClusterStatus(
                        "22.05.8",
                        OptionalInt.of(508),
                        OptionalInt.of(480),
                        List.of(
                                queue("long", true, true, 508, 480, Duration.ofDays(3)),
                                queue("short", true, true, 500, 480, Duration.ofHours(1)))));
    }

    private static Queue queue(String name, boolean accepts, boolean starts, int slots, int free, Duration limit) {
        return new Queue(
                name, accepts, starts, OptionalInt.of(slots), OptionalInt.of(free), limit, OptionalInt.empty());
    }

    @ParameterizedTest
    @CsvSource({"up,true,true", "down,true,false", "drain,false,true", "inact,false,false"})
    void statesOfAPartition(String state, boolean accepts, boolean starts) {
        assertThat(status("n|p|" + state + "|infinite|0/1/0/1|23.11.4\n").queues())
                .containsExactly(queue("p", accepts, starts, 1, 1, null));
    }

    @Test
    void theVersionIsThatOfMostNodes() {
        assertThat(status("a|p|up|1:00|0/1/0/1|23.11.4\nb|p|up|1:00|0/1/0/1|24.05.1\nc|p|up|1:00|0/1/0/1|24.05.1\n")
                        .version())
                .isEqualTo("24.05.1");
    }

    @Test
    void aSiteWithoutNodesHasNothing() {
        assertThat(status("")).isEqualTo(ClusterStatus.UNKNOWN);
    }

    @Test
    void manyCpusDoNotOverflow() {
        assertThat(status("a|p|up|1:00|0/999999999/0/999999999|1\n".repeat(1)
                                + "b|p|up|1:00|0/999999999/0/999999999|1\nc|p|up|1:00|0/999999999/0/999999999|1\n")
                        .slots())
                .hasValue(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"slurm is ill\n", "a|p|up|1:00|1/2/3|1\n", "a|p|up|1:00|0/-1/0/1|1\n", "a|p|up|1:00|0/1/0/1|1"})
    void whatIsNotWholeOrOfAnotherFormIsNoStatus(String output) {
        assertThatThrownBy(() -> status(output))
                .isInstanceOf(LrmsException.class)
                .hasMessageContaining("sinfo");
    }
}
