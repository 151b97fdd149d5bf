package org.gelato.ce.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobDetailTest {
    @Test
    void noTwoHaveOneName() {
        assertThat(Stream.of(JobDetail.values()).map(JobDetail::label)).doesNotHaveDuplicates();
        assertThat(Stream.of(JobDetail.values()).map(JobDetail::property).filter(Objects::nonNull))
                .doesNotHaveDuplicates();
        assertThat(Stream.of(JobDetail.values()).map(JobDetail::element).filter(Objects::nonNull))
                .doesNotHaveDuplicates();
    }

    @Test
    void aCopyIsInOrderAndWithoutWhatIsNotKnown() {
        Map<JobDetail, String> details = new HashMap<>(Map.of(JobDetail.CORES, "4", JobDetail.QUEUE, "long"));
        details.put(JobDetail.WALL_TIME, null);
        assertThat(JobDetail.copy(details))
                .containsExactly(entry(JobDetail.QUEUE, "long"), entry(JobDetail.CORES, "4"));
    }

    @Test
    void numbersAreNumbersInJson() {
        Map<JobDetail, String> details = Map.of(JobDetail.CPU_TIME, "61.020", JobDetail.QUEUE, "7");
        assertThat(JobDetail.members(details, JobDetail.USAGE))
                .containsExactly(entry("cpuSeconds", new BigDecimal("61.020")));
        assertThat(JobDetail.members(details, JobDetail.PLAIN)).containsExactly(entry("queue", "7"));
    }

    @Test
    void whatCannotBeReadOrSaysNothingIsAbsent() {
        assertThat(JobDetail.ofProperties(Map.of("USAGE_CORES", "four", "USAGE_SOURCE", "job wrapper")))
                .isEmpty();
        assertThat(JobDetail.ofProperties(Map.of("USAGE_CORES", "4", "USAGE_SOURCE", "N/A")))
                .containsOnlyKeys(JobDetail.CORES);
    }
}
