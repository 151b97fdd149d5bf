package org.gelato.ce.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.gelato.ce.perf.measure.ProcessUsage;
import org.gelato.ce.perf.measure.SiteSample;

/** The figures of a run: what the report's Figures 2 to 6 show, from the samples. Pure. */
public final class Figures {
    private static final double KIB_PER_MIB = 1024;
    private static final double PERCENT_PER_MILLI = 0.1;

    private Figures() {}

    /**
     * CPU of a group between samples, in percent of one processor.
     *
     * @return one value less than samples
     */
    static List<Double> percent(List<SiteSample> samples, ToDoubleFunction<SiteSample> millis) {
        List<Double> values = new ArrayList<>();
        for (int i = 1; i < samples.size(); i++) {
            double seconds = samples.get(i).seconds() - samples.get(i - 1).seconds();
            double used = millis.applyAsDouble(samples.get(i)) - millis.applyAsDouble(samples.get(i - 1));
            // Two samples within some milliseconds would make spikes of the clock's ticks.
            values.add(seconds < 0.5 ? last(values) : Math.max(0, used) * PERCENT_PER_MILLI / seconds);
        }
        return values;
    }

    private static double last(List<Double> values) {
        return values.isEmpty() ? 0 : values.get(values.size() - 1);
    }

    private static List<Double> values(List<SiteSample> samples, ToDoubleFunction<SiteSample> value) {
        return samples.stream().map(value::applyAsDouble).toList();
    }

    /** @param scenario its name */
    public static List<Figure> of(String scenario, List<SiteSample> samples) {
        List<Double> times = values(samples, SiteSample::seconds);
        List<Double> between = times.subList(Math.min(1, times.size()), times.size());
        List<Figure> all = new ArrayList<>();
        all.add(new Figure(
                        "jobs",
                        "Jobs by state",
                        "jobs",
                        "Figure 2 of the report, upper part: more than 5000 jobs queued at CREAM during its test of 4 days.")
                .line("queued", times, values(samples, SiteSample::queued))
                .line("running", times, values(samples, SiteSample::running))
                .line("ended, stored", times, values(samples, SiteSample::ended)));
        all.add(cpu("cpu-ce", "CPU of the CE's JVM", beside(scenario), samples, between, SiteSample::ce));
        all.add(cpu(
                "cpu-database",
                "CPU of the database",
                "Figure 3 of the report: MySQL's CPU, with peaks every 10 minutes by CREAM's count of jobs by state and"
                        + " every 5 hours by its purger's query.",
                samples,
                between,
                SiteSample::database));
        all.add(cpu(
                "cpu-helper",
                "CPU of the helper",
                "In the report part of the CE node's system CPU: gLExec and BLAH, by fork and exec.",
                samples,
                between,
                SiteSample::helper));
        all.add(cpu(
                "cpu-batch",
                "CPU of the batch system and its commands",
                "Not shown in the report; the simulated batch system is part of the JVM.",
                samples,
                between,
                SiteSample::batch));
        all.add(new Figure("memory", "Resident memory", "MiB", "The report's script noted sizes and showed none.")
                .line("JVM", times, values(samples, s -> s.ce().rssKib() / KIB_PER_MIB))
                .line("database", times, values(samples, s -> s.database().rssKib() / KIB_PER_MIB))
                .line("helper", times, values(samples, s -> s.helper().rssKib() / KIB_PER_MIB)));
        all.add(new Figure(
                        "descriptors",
                        "Open descriptors and threads of the JVM",
                        "count",
                        "In the report's tests CREAM had more than 8000 descriptors open at times.")
                .line("descriptors", times, values(samples, s -> s.ce().descriptors()))
                .line("threads", times, values(samples, s -> s.ce().threads())));
        all.add(new Figure(
                        "starts",
                        "Process starts seen since the begin",
                        "processes",
                        "CREAM with BLAH: 44 to 48 per job.")
                .line(
                        "CE and helper",
                        times,
                        values(samples, s -> s.ce().starts() + s.helper().starts()))
                .line("batch system", times, values(samples, s -> s.batch().starts())));
        all.removeIf(Figure::isEmpty);
        return all;
    }

    private static String beside(String scenario) {
        return switch (scenario) {
            case "ramp-up" ->
                "Figures 4 and 5 of the report: CPU of the CE node during the ramp-up of 5000 jobs, without and"
                        + " with the index; about 2 hours at full CPU with it, 9 hours without.";
            case "purge-all" ->
                "Figure 6 of the report: CPU of the CE node while about 70 000 jobs are purged, 2 hours, most"
                        + " of it system time.";
            default ->
                "Figure 2 of the report, lower part: CPU of the CE node, with peaks of 100 % at each renewal of the"
                        + " proxy, every 12 hours.";
        };
    }

    private static Figure cpu(
            String file,
            String title,
            String beside,
            List<SiteSample> samples,
            List<Double> times,
            Function<SiteSample, ProcessUsage> group) {
        return new Figure(file, title, "% of one processor", beside)
                .line("user", times, percent(samples, s -> group.apply(s).userMillis()))
                .line("system", times, percent(samples, s -> group.apply(s).systemMillis()));
    }
}
