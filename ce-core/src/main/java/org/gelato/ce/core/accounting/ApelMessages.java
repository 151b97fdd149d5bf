package org.gelato.ce.core.accounting;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.job.BatchId;

/**
 * Writes APEL's messages (docs/developer/protocol/accounting.md section 1): job records v0.3 and v0.4, summaries v0.2 and v0.4, counts v0.1. All
 * ASCII; empty values are left out, since one line that APEL cannot read loses the whole message. Immutable.
 */
final class ApelMessages {
    private static final String BETWEEN = "%%\n";
    private static final String INFRASTRUCTURE = "grid";

    private final AccountingSettings settings;

    ApelMessages(AccountingSettings settings) {
        this.settings = settings;
    }

    private boolean several() {
        return settings.form() == AccountingSettings.Form.SEVERAL_BENCHMARKS;
    }

    /** A message of job records. */
    String jobs(Collection<UsageEntry> records) {
        StringBuilder out = new StringBuilder("APEL-individual-job-message: ")
                .append(several() ? "v0.4" : "v0.3")
                .append('\n');
        records.forEach(record -> job(out, record));
        return out.toString();
    }

    private void job(StringBuilder out, UsageEntry r) {
        line(out, "Site", settings.site());
        line(out, "SubmitHost", submitHost(r.lrms(), r.queue()));
        line(out, "MachineName", settings.machine());
        line(out, "Queue", r.queue());
        line(out, "LocalJobId", localId(r.lrmsId()));
        line(out, "LocalUserId", r.account());
        line(out, "GlobalUserName", user(r.x509(), r.subject()));
        line(out, "FQAN", r.fqan());
        line(out, "WallDuration", UsageEntry.rounded(r.wall()));
        line(out, "CpuDuration", UsageEntry.rounded(r.cpu()));
        line(out, "Processors", r.processors());
        line(out, "NodeCount", nodes(r.processors()));
        line(out, "StartTime", r.startSecond());
        line(out, "EndTime", r.endSecond());
        line(out, "InfrastructureDescription", "GELATO-" + r.lrms().toUpperCase(Locale.ROOT));
        line(out, "InfrastructureType", INFRASTRUCTURE);
        if (r.memoryKib() != null) {
            line(out, "MemoryReal", r.memoryKib());
        }
        benchmark(out, settings.benchmarks().at(r.queue(), r.end()));
        out.append(BETWEEN);
    }

    /** One core is on one node; how many nodes more are on is not known. */
    private static int nodes(int processors) {
        return processors == 1 ? 1 : 0;
    }

    private void benchmark(StringBuilder out, Map<Benchmarks.Kind, BigDecimal> values) {
        if (values.isEmpty()) {
            return;
        }
        if (several()) {
            StringBuilder all = new StringBuilder();
            values.forEach((kind, value) -> all.append(all.isEmpty() ? "" : ", ")
                    .append(kind.wireName())
                    .append(": ")
                    .append(value.toPlainString()));
            out.append("ServiceLevel: {").append(all).append("}\n");
        } else {
            Map.Entry<Benchmarks.Kind, BigDecimal> first =
                    values.entrySet().iterator().next();
            line(out, "ServiceLevelType", first.getKey().wireName());
            line(out, "ServiceLevel", first.getValue().toPlainString());
        }
    }

    /** The CE id of a queue, as CREAM's. */
    String submitHost(String lrms, String queue) {
        return settings.endpoint() + "/cream-" + lrms + "-" + queue;
    }

    /** The batch system's own id, with the site's prefix. */
    String localId(String lrmsId) {
        return settings.idPrefix() + BatchId.own(lrmsId);
    }

    private String user(boolean x509, String subject) {
        return settings.withholdUsers() ? "withheld" : name(x509, subject);
    }

    /** A user as messages name it: a DN in slash form, a token by issuer and subject. */
    static String name(boolean x509, String subject) {
        if (x509) {
            return subject.isEmpty() ? "" : DnForms.slash(subject);
        }
        int comma = subject.indexOf(',');
        String issuer = subject.substring(0, Math.max(0, comma));
        return issuer + (issuer.endsWith("/") ? "" : "/") + subject.substring(comma + 1);
    }

    /** What the jobs of a summary have in common. */
    private record Group(
            YearMonth month,
            String lrms,
            String queue,
            boolean x509,
            String subject,
            String fqan,
            int processors,
            String benchmarks) {
        String key() {
            return String.join(
                    "\n", month.toString(), lrms, queue, "" + x509, subject, fqan, "" + processors, benchmarks);
        }
    }

    private static final class Sum {
        private final Group group;
        private final Map<Benchmarks.Kind, BigDecimal> benchmarks;
        private BigDecimal wall = BigDecimal.ZERO;
        private BigDecimal cpu = BigDecimal.ZERO;
        private long jobs;
        private long first = Long.MAX_VALUE;
        private long last;

        Sum(Group group, Map<Benchmarks.Kind, BigDecimal> benchmarks) {
            this.group = group;
            this.benchmarks = benchmarks;
        }

        void add(UsageEntry r) {
            wall = wall.add(r.wall());
            cpu = cpu.add(r.cpu());
            jobs++;
            first = Math.min(first, r.endSecond());
            last = Math.max(last, r.endSecond());
        }
    }

    /** Adds up jobs, one after the other, to the records of summaries. Not thread-safe. */
    final class Summaries {
        private final Map<String, Sum> sums = new TreeMap<>();
        private final List<String> failures = new ArrayList<>();

        /** Sums that {@link #messages} has left out because they can't be written, with the reason of each. */
        List<String> failures() {
            return failures;
        }

        void add(UsageEntry r) {
            Map<Benchmarks.Kind, BigDecimal> values = settings.benchmarks().at(r.queue(), r.end());
            Group group = new Group(
                    YearMonth.from(r.end().atZone(ZoneOffset.UTC)),
                    r.lrms(),
                    r.queue(),
                    settings.withholdUsers() || r.x509(),
                    settings.withholdUsers() ? "" : r.subject(),
                    r.fqan(),
                    r.processors(),
                    values.toString());
            sums.computeIfAbsent(group.key(), key -> new Sum(group, values)).add(r);
        }

        /** Passes the messages on, each with how many records it has. */
        void messages(BiConsumer<String, Integer> message) {
            String header = "APEL-summary-job-message: " + (several() ? "v0.4" : "v0.2");
            Iterator<Sum> all = sums.values().iterator();
            while (all.hasNext()) {
                StringBuilder out = new StringBuilder(header).append('\n');
                int records = 0;
                while (all.hasNext() && records < settings.perMessage()) {
                    Sum sum = all.next();
                    StringBuilder one = new StringBuilder();
                    try {
                        summary(one, sum);
                        out.append(one);
                        records++;
                    } catch (RuntimeException e) {
                        failures.add(sum.jobs + " jobs of " + sum.group.month() + " in " + sum.group.queue() + ": "
                                + Messages.of(e));
                    }
                }
                if (records > 0) {
                    message.accept(out.toString(), records);
                }
            }
        }
    }

    private void summary(StringBuilder out, Sum s) {
        Fqan fqan = Fqan.of(s.group.fqan());
        line(out, "Site", settings.site());
        line(out, "Month", s.group.month().getMonthValue());
        line(out, "Year", s.group.month().getYear());
        line(out, "GlobalUserName", user(s.group.x509(), s.group.subject()));
        line(out, "VO", fqan.vo());
        line(out, "VOGroup", fqan.group());
        line(out, "VORole", fqan.role());
        line(out, "SubmitHost", submitHost(s.group.lrms(), s.group.queue()));
        line(out, "InfrastructureType", INFRASTRUCTURE);
        benchmark(out, s.benchmarks);
        line(out, "NodeCount", nodes(s.group.processors()));
        line(out, "Processors", s.group.processors());
        line(out, "EarliestEndTime", s.first);
        line(out, "LatestEndTime", s.last);
        line(out, "WallDuration", UsageEntry.rounded(s.wall));
        line(out, "CpuDuration", UsageEntry.rounded(s.cpu));
        line(out, "NumberOfJobs", s.jobs);
        out.append(BETWEEN);
    }

    /**
     * How many jobs of a queue were published.
     *
     * @param month of their ends, in UTC
     */
    record Count(YearMonth month, String lrms, String queue, long jobs) {}

    /** Passes messages with these counts on, each with how many records it has. */
    void counts(List<Count> counts, BiConsumer<String, Integer> message) {
        for (int from = 0; from < counts.size(); from += settings.perMessage()) {
            List<Count> part = counts.subList(from, Math.min(counts.size(), from + settings.perMessage()));
            StringBuilder out = new StringBuilder("APEL-sync-message: v0.1\n");
            for (Count c : part) {
                line(out, "Site", settings.site());
                line(out, "SubmitHost", submitHost(c.lrms(), c.queue()));
                line(out, "NumberOfJobs", c.jobs());
                line(out, "Month", c.month().getMonthValue());
                line(out, "Year", c.month().getYear());
                out.append(BETWEEN);
            }
            message.accept(out.toString(), part.size());
        }
    }

    /**
     * A line of the BLAH log, with its end. Its time is the job's end, so that the parser's window of days around it always has the
     * job, however long it waited and ran.
     */
    String blahLine(UsageEntry r) {
        String time = Instant.ofEpochSecond(r.endSecond()).toString().replace('T', ' ');
        StringBuilder out = new StringBuilder();
        field(out, "timestamp", time.substring(0, time.length() - 1));
        field(out, "userDN", user(r.x509(), r.subject()));
        // Without this field the parser drops the line.
        field(out, "userFQAN", r.fqan());
        field(out, "ceID", submitHost(r.lrms(), r.queue()));
        field(out, "jobID", r.job().toString());
        field(out, "lrmsID", r.lrmsId());
        field(out, "localUser", r.account());
        field(out, "clientID", r.job().tag());
        return out.deleteCharAt(out.length() - 1).append('\n').toString();
    }

    private static void field(StringBuilder out, String name, String value) {
        String text = value.isBlank() ? "" : ApelText.quoted(value);
        out.append('"').append(name).append('=').append(text).append("\" ");
    }

    private static void line(StringBuilder out, String key, String value) {
        String text = ApelText.value(value);
        if (text != null) {
            out.append(key).append(": ").append(text).append('\n');
        }
    }

    private static void line(StringBuilder out, String key, long value) {
        out.append(key).append(": ").append(value).append('\n');
    }
}
