package org.gelato.ce.lrms.torque;

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

class StatusListingTest {
    private static StatusListing listing(String program, String output) {
        StatusListing listing = new StatusListing(program);
        listing.take(output.getBytes(StandardCharsets.UTF_8));
        return listing;
    }

    private static ClusterStatus nodes(String output) {
        return listing("pbsnodes", output).nodes(List.of());
    }

    private static Queue queue(String name, boolean accepts, boolean starts, Duration limit, OptionalInt running) {
        return new Queue(name, accepts, starts, OptionalInt.empty(), OptionalInt.empty(), limit, running);
    }

    @Test
    void queuesOfTorqueWithTheirLimits() {
        assertThat(listing("qstat", """
                                Queue: long
                                    queue_type = Execution
                                    total_jobs = 3
                                    state_count = Transit:0 Queued:1 Held:0 Waiting:0 Running:2 Exiting:0 Complete:0\s
                                    max_running = 12
                                    resources_max.walltime = 72:00:00
                                    enabled = True
                                    started = False

                                Queue: short
                                    enabled = False
                                    started = True
                                """).queues())
                .containsExactly(
                        queue("long", true, false, Duration.ofDays(3), OptionalInt.of(12)),
                        queue("short", false, true, null, OptionalInt.empty()));
    }

    @Test
    void queuesOfSlurmsQstat() {
        assertThat(listing(
                                "qstat",
                                "Queue:\tlong\n\tqueue_type = Execution\n\tresources_default.nodes = 1\n"
                                        + "\tenabled = yes\n\tstarted = yes\n\n")
                        .queues())
                .containsExactly(queue("long", true, true, null, OptionalInt.empty()));
    }

    @Test
    void slotsAndVersionAsTorqueReportedThem() {
        assertThat(nodes("""
                        vm
                             state = free
                             np = 500
                             jobs = 3/17.vm,0/18.vm
                             status = opsys=linux,ncpus=2,varattr= ,cpuclock=Fixed,version=6.1.3,rectime=1,jobs=15.vm

                        """))
                .isEqualTo(new ClusterStatus("6.1.3", OptionalInt.of(500), OptionalInt.of(498), List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "free;0-3,6/17.vm;3",
                "job-exclusive;0/1.vm, 1/2.vm;6",
                "down,offline;;0",
                "down;0/1.vm;0",
                "free;nonsense;8",
                "free;0-99/1.vm;0"
            })
    void slotsAreFreeOnNodesThatMayBeUsed(String state, String jobs, int free) {
        ClusterStatus status = nodes("n1\n     state = " + state + "\n     np = 8\n     jobs = " + jobs + "\n");
        assertThat(status.slots()).hasValue(8);
        assertThat(status.freeSlots()).hasValue(free);
    }

    @Test
    void whatIsCutOrOfAnotherFormIsNoStatus() {
        assertThatThrownBy(() -> nodes("n1\n     np = 8")).isInstanceOf(LrmsException.class);
        assertThatThrownBy(() -> listing("qstat", "Server: x\n").queues())
                .isInstanceOf(LrmsException.class)
                .hasMessageContaining("Server: x");
    }
}
