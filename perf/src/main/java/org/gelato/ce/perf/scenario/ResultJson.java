package org.gelato.ce.perf.scenario;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.measure.ProcessUsage;
import org.gelato.ce.perf.measure.SiteSample;

/** The result as JSON. Samples are rows under a list of column names: a run of an hour has 3600 of them. */
final class ResultJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double THOUSANDTHS = 1000;
    private static final List<JobState> STATES = List.of(JobState.values());
    private static final List<String> GROUPS = List.of("ce", "helper", "database", "batch");
    private static final List<String> COLUMNS =
            List.of("user_ms", "system_ms", "rss_kib", "descriptors", "threads", "starts");

    private ResultJson() {}

    static ObjectNode of(ScenarioResult result) {
        ObjectNode all = JSON.createObjectNode();
        RunRecord protocol = result.protocol();
        all.put("scenario", result.scenario().name());
        all.put("what", result.scenario().what());
        all.put("must_hold", result.scenario().holds());
        all.put("jobs", result.plan().jobs());
        all.put("lrms", result.plan().batch().toString());
        all.put("date", protocol.begun().truncatedTo(ChronoUnit.SECONDS).toString());
        all.put("seconds", rounded(result.took().toMillis() / THOUSANDTHS));
        ObjectNode machine = all.putObject("machine");
        machine.put("processors", result.machine().processors());
        machine.put("memory_mib", result.machine().memoryMib());
        machine.put("system", result.machine().system());
        machine.put("java", result.machine().java());
        machine.put("load_before", result.machine().load());
        all.put("commit", result.machine().commit());
        all.put("held", protocol.broken().isEmpty());
        ArrayNode checks = all.putArray("checks");
        for (Check check : protocol.checks()) {
            ObjectNode one = checks.addObject();
            one.put("name", check.name());
            one.put("value", rounded(check.value()));
            one.put("bound", check.bound());
            one.put("must_be", check.kind().toString());
            one.put("held", check.held());
        }
        ObjectNode counts = all.putObject("counts");
        protocol.counts().forEach((name, value) -> {
            if (value instanceof Double d) {
                counts.put(name, rounded(d));
            } else {
                counts.put(name, value.longValue());
            }
        });
        ObjectNode latencies = all.putObject("latency_ms");
        protocol.latencies().forEach((name, l) -> l.fill(latencies.putObject(name)));
        ObjectNode failures = all.putObject("failure_reasons");
        protocol.failures().forEach(failures::put);
        ObjectNode marks = all.putObject("phases_begin_second");
        protocol.marks().forEach((name, at) -> marks.put(name, rounded(at)));
        ArrayNode notes = all.putArray("notes");
        protocol.notes().forEach(notes::add);
        fill(all.putObject("samples"), protocol.samples());
        return all;
    }

    private static void fill(ObjectNode to, List<SiteSample> samples) {
        ArrayNode columns = to.putArray("columns").add("second");
        GROUPS.forEach(group -> COLUMNS.forEach(column -> columns.add(group + "." + column)));
        STATES.forEach(state -> columns.add("jobs." + state.wireName()));
        ArrayNode rows = to.putArray("rows");
        for (SiteSample sample : samples) {
            ArrayNode row = rows.addArray();
            row.add(rounded(sample.seconds()));
            for (ProcessUsage u : List.of(sample.ce(), sample.helper(), sample.database(), sample.batch())) {
                row.add(u.userMillis()).add(u.systemMillis()).add(u.rssKib());
                row.add(u.descriptors()).add(u.threads()).add(u.starts());
            }
            STATES.forEach(state -> row.add(sample.in(state)));
        }
    }

    private static double rounded(double value) {
        return Math.round(value * THOUSANDTHS) / THOUSANDTHS;
    }
}
