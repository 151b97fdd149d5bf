package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the units of systemd promise to jobs of the fork batch system. */
class UnitsTest {
    private static final Path FILES = Path.of("src/main/files");

    private static List<String> lines(String unit) throws IOException {
        return Files.readAllLines(FILES.resolve(unit));
    }

    /** systemd's default stops a service when the kernel ended one of its processes for want of memory. */
    @Test
    void aJobThatTheKernelEndsDoesNotEndTheServer() throws IOException {
        assertThat(lines("gelato-ce.service"))
                .contains("OOMPolicy=continue", "KillMode=process", "Wants=gelato-jobs.service")
                .contains("ProtectControlGroups=no");
    }

    @Test
    void jobsHaveAGroupWithLimitsThatTheHelperMayDivide() throws IOException {
        assertThat(lines("gelato-jobs.service"))
                .contains("Delegate=memory pids", "DelegateSubgroup=start", "OOMPolicy=continue")
                .contains("RemainAfterExit=yes", "KillMode=process")
                .anyMatch(line -> line.startsWith("MemoryMax="))
                .anyMatch(line -> line.startsWith("TasksMax="));
        assertThat(Files.readString(Path.of("../ce-ws/src/main/java/org/gelato/ce/ws/setup/SiteSetup.java")))
                .as("what init writes for the helper")
                .contains("\"/sys/fs/cgroup/system.slice/gelato-jobs.service\"");
    }

    @Test
    void commandsCanHaveTheDescriptorsThatAreUsual() throws IOException {
        assertThat(lines("gelato-ce.service")).contains("LimitNOFILE=1024:524288");
    }
}
