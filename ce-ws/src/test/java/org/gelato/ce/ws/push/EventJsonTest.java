package org.gelato.ce.ws.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.gelato.ce.core.event.JobEvent;
import org.gelato.ce.core.event.OwnedEvent;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.junit.jupiter.api.Test;

class EventJsonTest {
    @Test
    void anExitCodeIsANumberAndAbsentWhereThereIsNone() {
        assertThat(exitCode("3").isInt()).isTrue();
        assertThat(exitCode("3").intValue()).isEqualTo(3);
        assertThat(exitCode("W").isMissingNode()).isTrue();
        assertThat(exitCode(null).isMissingNode()).isTrue();
    }

    private static JsonNode exitCode(String text) {
        JobStatus status = new JobStatus(JobState.DONE_OK, FakeFeed.MADE, text, null, null);
        JobEvent event = new JobEvent(1, JobId.parse("CREAM000000001").orElseThrow(), status, null, null);
        return new EventJson("https://ce:8443", FakeFeed.MADE)
                .object(new OwnedEvent(event, "CN=Alice", "dteam"), false)
                .path("exitCode");
    }
}
