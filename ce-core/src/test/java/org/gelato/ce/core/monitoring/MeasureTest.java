package org.gelato.ce.core.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MeasureTest {
    /** What a running CE has is compared with the page by a test of the whole. */
    @ParameterizedTest
    @EnumSource(Measure.class)
    void theMeterThatIsRecordedIsOfTheMetricsThatAreDescribed(Measure measure) throws IOException {
        if (measure.meter() != null) {
            assertThat(Files.readString(Path.of("..", "docs/admin/metrics.md")))
                    .containsPattern("`"
                            + measure.meter().replaceFirst(" \\w+=[\\w-]+$", "").replace('.', '_') + "[a-z_]*`");
        }
    }
}
