package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobInfo;
import org.junit.jupiter.api.Test;

class ActivityDocumentTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Caller ALICE = new Caller(
            new GridIdentity("CN=Alice,O=Test", List.of("/dteam"), "dteam", false, NOW.plusSeconds(3600), List.of()),
            "dteam001",
            false);

    private static String document(Form form, JobState state, String description) {
        JobInfo job = new JobInfo(
                JobId.ofTag("cream_000000001").orElseThrow(),
                null,
                null,
                true,
                "long",
                null,
                null,
                null,
                "dteam001",
                "/sandbox",
                "",
                "Normal",
                null,
                null,
                List.of(new JobStatus(state, NOW, null, null, description)),
                List.of(),
                null);
        StringBuilder out = new StringBuilder();
        form.write(new ActivityDocument("ce.example.org").of(job, ALICE, NOW), out);
        return out.toString();
    }

    @Test
    void aJobThatWaitsSaysWhy() {
        assertThat(document(Form.of("text/xml"), JobState.IDLE, "slurm: Priority"))
                .contains("<State>arcrest:QUEUING</State>", "<OtherMessages>slurm: Priority</OtherMessages>");
        assertThat(document(Form.of("text/xml"), JobState.HELD, "slurm: <JobHeldAdmin>"))
                .contains("<State>arcrest:HELD</State>", "slurm: &lt;JobHeldAdmin");
        assertThat(document(Form.of("application/json"), JobState.IDLE, "slurm: Priority"))
                .contains("\"OtherMessages\":[\"slurm: Priority\"]");
        assertThat(document(Form.of("text/xml"), JobState.RUNNING, null)).doesNotContain("OtherMessages");
    }
}
