package org.gelato.ce.ws.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.gelato.ce.core.monitoring.RecentJobs;
import org.junit.jupiter.api.Test;

class PageJsonTest {
    @Test
    void figuresHaveSixDigitsAndNanIsNull() throws Exception {
        assertThat(PageJson.MAPPER.writeValueAsString(new double[] {1, 2.34567891, Double.NaN, 1e9}))
                .isEqualTo("[1,2.34568,null,1000000000]");
        assertThat(PageJson.MAPPER.writeValueAsString(Arrays.asList(0.5, null))).isEqualTo("[0.5,null]");
        assertThat(PageJson.MAPPER.writeValueAsString(new RecentJobs.Stages(0, Double.NaN, 41.5, 7830)))
                .isEqualTo("{\"jobs\":0,\"here\":null,\"batch\":41.5,\"running\":7830}");
    }

    @Test
    void aVerdictHasTheLevelOfItsWorstProblem() throws Exception {
        Verdict.Problem problem =
                new Verdict.Problem(Verdict.Level.WARNING, "queues", "t", Instant.EPOCH, "x", List.of("ls"), null);
        assertThat(PageJson.MAPPER.writeValueAsString(new Verdict(List.of(problem), "calm")))
                .isEqualTo("{\"problems\":[{\"level\":\"warning\",\"check\":\"queues\",\"title\":\"t\","
                        + "\"since\":\"1970-01-01T00:00:00Z\",\"text\":\"x\",\"commands\":[\"ls\"],\"said\":null}],"
                        + "\"calm\":\"calm\",\"level\":\"warning\"}");
    }

    @Test
    void wordsOfOtherProgramsAreOneParagraph() throws Exception {
        assertThat(PageJson.MAPPER.writeValueAsString(new Situation.Check("slurm", false, false, "a\n=====\nb", null)))
                .isEqualTo("{\"name\":\"slurm\",\"ok\":false,\"degraded\":false,\"detail\":\"a b\",\"since\":null}");
    }
}
