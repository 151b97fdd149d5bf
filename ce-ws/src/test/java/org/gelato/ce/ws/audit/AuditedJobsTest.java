package org.gelato.ce.ws.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.Jobs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AuditedJobsTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    private Path directory;

    private Jobs jobs;

    @BeforeEach
    void open() {
        Jobs none = (Jobs) Proxy.newProxyInstance(
                Jobs.class.getClassLoader(),
                new Class<?>[] {Jobs.class},
                (proxy, method, args) -> List.of(new CommandResult("CREAM000000001", null)));
        jobs = new AuditedJobs(
                none,
                new AuditLog(new AuditSettings(true, directory.resolve("audit.log"), 1 << 20, 3), Clock.systemUTC()));
    }

    private static Caller caller(boolean admin) {
        return new Caller(
                new GridIdentity("CN=Ann,DC=org", List.of("/dteam"), null, false, NOON, List.of()), "dteam001", admin);
    }

    private JsonNode line() throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve("audit.log"));
        assertThat(lines).hasSize(1);
        return new ObjectMapper().readTree(lines.get(0));
    }

    static Stream<BiConsumer<Jobs, Caller>> commands() {
        return Stream.of(
                (jobs, caller) -> jobs.cancel(caller, JobFilter.all()),
                (jobs, caller) -> jobs.purge(caller, JobFilter.all()),
                (jobs, caller) -> jobs.suspend(caller, JobFilter.all()),
                (jobs, caller) -> jobs.resume(caller, JobFilter.all()),
                (jobs, caller) -> jobs.setLease(caller, "L1", JobFilter.all()));
    }

    /** The original client sends such a call when a user mistypes an id. */
    @ParameterizedTest
    @MethodSource("commands")
    void a_command_without_ids_and_criteria_is_one_line_that_says_all_jobs(BiConsumer<Jobs, Caller> command)
            throws IOException {
        command.accept(jobs, caller(false));
        assertThat(line().path("target").asText()).isEqualTo("all jobs of the caller");
        assertThat(line().has("job")).isFalse();
    }

    @Test
    void an_administrators_is_about_all_users() throws IOException {
        jobs.purge(caller(true), JobFilter.all());
        assertThat(line().path("target").asText()).isEqualTo("all jobs of all users");
    }

    @Test
    void criteria_are_named() throws IOException {
        jobs.cancel(
                caller(false),
                new JobFilter(List.of(), List.of("IDLE", "HELD"), NOON, NOON.plusSeconds(60), "d1", "l1"));
        assertThat(line().path("target").asText())
                .isEqualTo("all jobs of the caller in IDLE, HELD registered from 2026-03-01T12:00:00Z until"
                        + " 2026-03-01T12:01:00Z of delegation d1 of lease l1");
    }

    @Test
    void named_jobs_have_a_line_each() throws IOException {
        jobs.cancel(caller(false), JobFilter.ofIds(List.of("CREAM000000001")));
        assertThat(line().path("job").asText()).isEqualTo("CREAM000000001");
        assertThat(line().has("target")).isFalse();
    }
}
