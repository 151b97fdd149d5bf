package org.gelato.ce.core.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.monitoring.Measure.Chart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MeasureTest {
    private static final Path ROOT = Path.of("..");

    private static String text(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    /** The beginning of the name that Prometheus reads. */
    private static String metric(Measure measure) {
        return measure.meter().replaceFirst(" \\w+=[\\w-]+$", "").replace('.', '_');
    }

    /** What a running CE has is compared with the page by a test of the whole. */
    @ParameterizedTest
    @EnumSource(Measure.class)
    void theMeterThatIsRecordedIsOfTheMetricsThatAreDescribed(Measure measure) throws IOException {
        if (measure.meter() != null) {
            assertThat(text("docs/admin/metrics.md")).containsPattern("`" + metric(measure) + "[a-z_]*`");
        }
    }

    @ParameterizedTest
    @EnumSource(Measure.class)
    void eachHasALineOfAChartWithTitleAndUnit(Measure measure) {
        assertThat(measure.chart().title()).isNotBlank();
        assertThat(measure.chart().unit()).isNotNull();
        assertThat(measure.chart().lines().entrySet())
                .filteredOn(line -> line.getValue().contains(measure.series()))
                .singleElement()
                .satisfies(line -> assertThat(line.getKey()).isNotBlank());
    }

    /** Lines differ by their dashes, areas by their hatching. */
    @ParameterizedTest
    @EnumSource(Chart.class)
    void aChartHasNoMoreLinesThanThePageTellsApart(Chart chart) {
        assertThat(chart.lines()).hasSizeBetween(1, chart.unit() == Measure.Unit.STATES ? 5 : 6);
    }

    @Test
    void thePageHasNoNamesOfItsOwn() throws IOException {
        String script = text("ce-ws/src/main/resources/org/gelato/ce/ws/dashboard/charts.js");
        assertThat(script).contains("definition.title", "definition.unit", "definition.lines");
        for (Measure measure : Measure.values()) {
            assertThat(script).doesNotContainPattern("\\b" + measure.series() + "\\b");
        }
        for (Chart chart : Chart.values()) {
            assertThat(script).doesNotContain('"' + chart.title());
        }
    }

    @Test
    void grafanaHasAPanelForEachChartOfMeters() throws IOException {
        Map<String, String> panels = new HashMap<>();
        for (JsonNode panel : new ObjectMapper()
                .readTree(text("docs/admin/monitoring/gelato-dashboard.json"))
                .path("panels")) {
            panels.put(
                    panel.path("title").asText(),
                    panel.path("targets").findValuesAsText("expr").toString());
        }
        List<Measure> metered =
                Arrays.stream(Measure.values()).filter(m -> m.meter() != null).toList();
        assertThat(metered)
                .allSatisfy(measure -> assertThat(panels)
                        .hasEntrySatisfying(
                                measure.chart().title(),
                                expressions -> assertThat(expressions)
                                        .containsPattern("\\b" + metric(measure) + "(_[a-z]+)*\\b")));
    }
}
