package org.gelato.ce.ws.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProcessesTest {
    @Test
    void theJvmUsesCpuAndMemoryAndWhatIsNotThereIsUnknown() {
        Processes processes = new Processes(() -> 0, () -> 0);
        Processes.Reading first = processes.read();
        assertThat(first.jvm().residentBytes()).isGreaterThan(10e6);
        assertThat(first.database().cpuSeconds()).isNaN();
        assertThat(first.helper().residentBytes()).isNaN();
        await().until(() -> processes.read().jvm().cpuSeconds() > first.jvm().cpuSeconds());
    }

    @Test
    void cpuOfAProcessThatEndedStaysCounted() {
        AtomicLong database = new AtomicLong(ProcessHandle.current().pid());
        Processes processes = new Processes(database::get, () -> 0);
        double used = processes.read().database().cpuSeconds();
        assertThat(used).isPositive();
        database.set(0);
        Processes.Reading gone = processes.read();
        assertThat(gone.database().cpuSeconds()).isEqualTo(used);
        assertThat(gone.database().residentBytes()).isNaN();
    }

    /** What a worker runs, a job with the fork batch system, is no CPU of the helper's. */
    @Test
    void ofTheHelpersFamilyThoseOfItsNameCount() {
        Processes processes = new Processes(() -> 0, ProcessHandle.current()::pid);
        assertThat(processes.read().helper().cpuSeconds()).isNaN();
    }
}
