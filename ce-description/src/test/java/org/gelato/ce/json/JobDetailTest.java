package org.gelato.ce.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.math.BigDecimal;
import java.util.EnumMap;
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
    void noKeyIsThatOfAnother() {
        Map<JobDetail, String> all = new EnumMap<>(JobDetail.class);
        Stream.of(JobDetail.values()).forEach(detail -> all.put(detail, "1"));
        assertThat(JobDetail.members(all, JobDetail.USAGE)).hasSize(JobDetail.USAGE.size());
        assertThat(JobDetail.members(all, JobDetail.PLAIN)).hasSize(JobDetail.PLAIN.size());
    }

    @Test
    void whatGlue2HasIsReadAsItIsWritten() {
        Map<JobDetail, String> written =
                Map.of(JobDetail.QUEUE, "long", JobDetail.CPU_TIME, "61", JobDetail.PEAK_MEMORY, "2048");
        Map<String, String> elements = new HashMap<>();
        written.keySet().forEach(detail -> elements.put(detail.element(), detail.elementText(written)));
        assertThat(elements).containsEntry("UsedMainMemory", "2");
        assertThat(JobDetail.ofElements(elements::get)).isEqualTo(written);
        assertThat(JobDetail.CPU_TIME.elementText(Map.of(JobDetail.CPU_TIME, "61.5")))
                .isEqualTo("62");
    }

    @Test
    void aMemoryThatIsNoNumberOfMebibytesIsAbsent() {
        assertThat(JobDetail.ofElements(name -> name.equals("UsedMainMemory") ? "1099511627776" : null))
                .isEmpty();
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
