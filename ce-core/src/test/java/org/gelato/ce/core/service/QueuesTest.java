package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.gelato.ce.core.lrms.SupportedRequests;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.api.Test;

class QueuesTest {
    private static final Queues TWO = Queues.of("Slurm", List.of("long", "express"));

    private static JobRequest xrsl(String queue) throws DescriptionException {
        return Xrsl.LANGUAGE.read(
                "&(executable=/bin/true)" + (queue == null ? "" : "(queue=" + queue + ")"), ReadingBudget.UNBOUNDED);
    }

    @Test
    void withoutANameItIsTheFirstOneConfigured() throws DescriptionException {
        assertThat(TWO.of(xrsl(null), null).queue()).isEqualTo("long");
        assertThat(TWO.of(xrsl(null), "express").queue()).isEqualTo("express");
        assertThat(TWO.of(xrsl("express"), null).queue()).isEqualTo("express");
        assertThat(TWO.of(xrsl("express"), "express").batchSystem().name()).isEqualTo("slurm");
    }

    @Test
    void otherNamesAreRefusedWithThoseThereAre() {
        assertThatThrownBy(() -> TWO.of(xrsl("none"), null)).hasMessageContaining("this CE has express, long");
        assertThatThrownBy(() -> TWO.of(xrsl("long"), "express")).hasMessageContaining("name one of them");
        Queues both = new Queues(List.of(
                new Queues.BatchSystem("slurm", List.of("long"), SupportedRequests.ALL),
                new Queues.BatchSystem("pbs", List.of("long", "short"), SupportedRequests.ALL)));
        assertThatThrownBy(() -> both.of(xrsl("long"), null)).hasMessageContaining("several batch systems");
    }

    @Test
    void aQueueThatTheBatchSystemDoesNotHaveIsRefusedAtOnce() throws DescriptionException {
        Queues gone = new Queues(List.of(
                new Queues.BatchSystem("slurm", List.of("long", "express"), SupportedRequests.ALL, "express"::equals)));
        assertThat(gone.of(xrsl("long"), null).queue()).isEqualTo("long");
        assertThatThrownBy(() -> gone.of(xrsl("express"), null))
                .hasMessageContaining("queue express takes no jobs: slurm does not have it now");
        String jdl = "Executable = \"/bin/true\"; BatchSystem = \"SLURM\"; QueueName = \"express\";";
        assertThatThrownBy(() -> gone.of(Jdl.parse(jdl), null)).hasMessageContaining("does not have it now");
    }

    @Test
    void aJdlNamesBoth() throws DescriptionException {
        String jdl = "Executable = \"/bin/true\"; BatchSystem = \"SLURM\"; QueueName = \"express\";";
        assertThat(TWO.of(Jdl.parse(jdl), null).queue()).isEqualTo("express");
        assertThatThrownBy(() -> TWO.of(Jdl.parse(jdl.replace("SLURM", "pbs")), null))
                .hasMessageContaining("Batch System pbs not supported! This CE serves slurm");
        assertThatThrownBy(() -> TWO.of(Jdl.parse(jdl.replace("express", "x")), null))
                .hasMessageContaining("slurm has long, express");
    }
}
