package org.gelato.ce.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.measure.ProcessUsage;
import org.gelato.ce.perf.measure.SiteSample;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static SiteSample at(double second, long userMillis) {
        ProcessUsage usage = new ProcessUsage(userMillis, userMillis / 2, 1 << 20, 50, 40, 0);
        return new SiteSample(second, usage, usage, usage, usage, Map.of(JobState.IDLE, 5L, JobState.PENDING, 2L));
    }

    @Test
    void cpuIsPercentOfOneProcessorBetweenSamples() {
        List<SiteSample> samples = List.of(at(0, 0), at(1, 500), at(3, 1500));
        assertThat(Figures.percent(samples, s -> s.ce().userMillis())).containsExactly(50.0, 50.0);
    }

    @Test
    void looksCloseToEachOtherRepeatTheValueBefore() {
        List<SiteSample> samples = List.of(at(0, 0), at(1, 500), at(1.001, 510));
        assertThat(Figures.percent(samples, s -> s.ce().userMillis())).containsExactly(50.0, 50.0);
    }

    @Test
    void eachFigureIsAPng() throws Exception {
        List<Figure> figures = Figures.of("ramp-up", List.of(at(0, 0), at(1, 500), at(2, 900)));
        assertThat(figures).extracting(Figure::file).contains("jobs.png", "cpu-ce.png", "cpu-database.png");
        for (Figure figure : figures) {
            assertThat(ImageIO.read(new ByteArrayInputStream(figure.png())).getWidth())
                    .as(figure.file())
                    .isGreaterThan(500);
        }
    }

    @Test
    void nothingIsDrawnOfNothing() {
        assertThat(Figures.of("ramp-up", List.of())).isEmpty();
        assertThat(Figures.of("ramp-up", List.of(at(0, 0)))).isEmpty();
    }

    @Test
    void queuedJobsAreThoseStartedThatDoNotRun() {
        assertThat(at(0, 0).queued()).isEqualTo(7);
    }
}
