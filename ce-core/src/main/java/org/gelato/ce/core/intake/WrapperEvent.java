package org.gelato.ce.core.intake;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.end.Evidence;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * What a job wrapper reports. On the wire (a spool file, the body of a POST, or the exit record in the sandbox) it is
 * UTF-8 text of lines {@code name=value}: {@code job}, {@code attempt}, {@code event}, {@code time} (microseconds since
 * 1970), {@code node}, {@code exit}, {@code reason}, {@code lrmsid}, {@code token}; of an end also {@code cpu} and {@code wall}
 * (milliseconds), {@code cores} and {@code memory} (KiB), each where the wrapper knows it, {@code messages} of a job that has sent some,
 * {@code signal}, the first one that the wrapper got, and {@code warning} of one whose user should know more. Unknown names are ignored.
 *
 * @param kind what happened
 * @param exitCode payload's exit code, only with DONE; null otherwise and when the payload did not run
 * @param reason why the wrapper failed; null or empty when it did not
 * @param lrmsId the batch system's own id from the wrapper's environment; null where that has none
 * @param token the job's secret
 * @param usage what the job used, only with DONE; null where it is not reported. An impossible value is left out, and the event counts
 *     nevertheless
 * @param messages how many messages the job has sent, only with DONE; 0 where it is not reported
 * @param signal name of the signal that the wrapper got before its end was composed, as {@code TERM}, only with DONE; null for none
 * @param warning what the job did not fail for and its user should know, only with DONE; null for nothing
 */
public record WrapperEvent(
        JobId job,
        int attempt,
        Kind kind,
        Instant time,
        String node,
        Integer exitCode,
        String reason,
        String lrmsId,
        String token,
        Usage usage,
        long messages,
        String signal,
        String warning) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");
    private static final Pattern SIGNAL = Pattern.compile("[A-Z0-9]{1,10}");

    public WrapperEvent {
        String named = kind == Kind.DONE && signal == null ? signalOf(reason) : signal;
        signal = named != null && SIGNAL.matcher(named).matches() ? named : null;
    }

    /** Larger texts are no events. */
    public static final int MAX_BYTES = 8192;

    /** The events of a wrapper. */
    public enum Kind {
        RUNNING,
        REALLY_RUNNING,
        DONE
    }

    /** An event without usage, of a job without messages. */
    public WrapperEvent(
            JobId job,
            int attempt,
            Kind kind,
            Instant time,
            String node,
            Integer exitCode,
            String reason,
            String lrmsId,
            String token) {
        this(job, attempt, kind, time, node, exitCode, reason, lrmsId, token, null, 0, null, null);
    }

    /** Why the job failed; null for an end that is {@link #isClean}. */
    public String failure() {
        return reason != null || isClean() ? reason : "the job wrapper gave no reason";
    }

    /** Whether it is the end of a payload that ran and of which nothing was lost, whatever its exit code. */
    public boolean isClean() {
        return kind == Kind.DONE && exitCode != null && reason == null;
    }

    /**
     * What an end says of how the job ended.
     *
     * @param row as it stands before the end
     * @param at when it was learnt
     * @param isOld whether the batch system may show the job no more
     */
    public Evidence.Report report(JobRow row, Instant at, boolean isOld) {
        // A node's clock may be far behind: a job did not end before it was what it is.
        Instant ended = time.isBefore(row.since()) ? row.since() : time;
        return new Evidence.Report(at, ended, exitCode, failure(), signal, warning, isOld);
    }

    /** The same with other usage; null for none. */
    WrapperEvent using(Usage used) {
        return new WrapperEvent(
                job, attempt, kind, time, node, exitCode, reason, lrmsId, token, used, messages, signal, warning);
    }

    /** The same without what only explains it, which the database did not take for a reason. */
    public WrapperEvent withoutDetails(String why) {
        String lost = "a part of the report of the job's wrapper can't be stored: " + why;
        return new WrapperEvent(
                job,
                attempt,
                kind,
                time,
                null,
                exitCode,
                reason,
                null,
                token,
                null,
                messages,
                signal,
                kind == Kind.DONE ? bounded(lost, 500) : null);
    }

    /** An end of which is known only that the database takes no other, for a reason. */
    WrapperEvent unreadable(String why) {
        String lost = "the report of the job's wrapper can't be stored: " + why;
        return new WrapperEvent(job, attempt, kind, time, null, null, bounded(lost, 2000), null, token);
    }

    /** An end as {@link #parse} reads it, without the secret. */
    byte[] bytes() {
        StringBuilder text = new StringBuilder(512);
        line(text, "job", job);
        line(text, "attempt", attempt);
        line(text, "event", kind);
        line(text, "time", time.getEpochSecond() * 1_000_000 + time.getNano() / 1000);
        line(text, "node", node);
        line(text, "exit", exitCode);
        line(text, "reason", reason);
        line(text, "lrmsid", lrmsId);
        line(text, "signal", signal);
        line(text, "warning", warning);
        if (usage != null) {
            line(text, "cpu", usage.cpu() == null ? null : usage.cpu().toMillis());
            line(text, "wall", usage.wall() == null ? null : usage.wall().toMillis());
            line(text, "cores", usage.cores());
            line(text, "memory", usage.peakMemoryKib());
        }
        line(text, "messages", messages);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void line(StringBuilder text, String name, Object value) {
        if (value != null) {
            text.append(name)
                    .append('=')
                    .append(value.toString().replace('\n', ' '))
                    .append('\n');
        }
    }

    /** Reads an event; empty when it is not one (cut, too long, or written by somebody else). */
    public static Optional<WrapperEvent> parse(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            return Optional.empty();
        }
        Map<String, String> fields = fields(bytes);
        try {
            long micros = Long.parseLong(fields.getOrDefault("time", ""));
            String exit = fields.getOrDefault("exit", "");
            Kind kind = Kind.valueOf(fields.getOrDefault("event", ""));
            return JobId.parse(fields.get("job"))
                    .map(job -> new WrapperEvent(
                            job,
                            Integer.parseInt(fields.getOrDefault("attempt", "")),
                            kind,
                            Instant.ofEpochSecond(
                                    Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000),
                            bounded(fields.get("node"), 255),
                            exit.isEmpty() ? null : Integer.valueOf(exit),
                            bounded(fields.get("reason"), 2000),
                            lrmsId(fields),
                            fields.getOrDefault("token", ""),
                            kind == Kind.DONE ? usage(fields) : null,
                            kind == Kind.DONE ? messages(fields) : 0,
                            kind == Kind.DONE ? fields.get("signal") : null,
                            kind == Kind.DONE ? bounded(fields.get("warning"), 500) : null));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Wrappers of the versions before the field name the signal in the reason alone. */
    private static String signalOf(String reason) {
        return reason != null && reason.startsWith(EndDecision.TERMINATED) && reason.endsWith(")")
                ? reason.substring(EndDecision.TERMINATED.length(), reason.length() - 1)
                : null;
    }

    private static long messages(Map<String, String> fields) {
        Long messages = number(fields.get("messages"));
        return messages == null ? 0 : messages;
    }

    private static Usage usage(Map<String, String> fields) {
        Long cores = number(fields.get("cores"));
        return new Usage(
                        millis(fields.get("cpu")),
                        millis(fields.get("wall")),
                        cores == null || cores > Integer.MAX_VALUE ? null : Integer.valueOf(cores.intValue()),
                        number(fields.get("memory")),
                        Usage.Source.WRAPPER)
                .orNull();
    }

    private static Duration millis(String text) {
        Long millis = number(text);
        return millis == null ? null : Duration.ofMillis(millis);
    }

    private static Long number(String text) {
        return text != null && NUMBER.matcher(text).matches() ? Long.valueOf(text) : null;
    }

    /** The lines {@code name=value} of a text; the first of each name counts. */
    static Map<String, String> fields(byte[] bytes) {
        Map<String, String> fields = new HashMap<>();
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
            int eq = line.indexOf('=');
            if (eq > 0) {
                fields.putIfAbsent(line.substring(0, eq), line.substring(eq + 1));
            }
        }
        return fields;
    }

    /** Null for none, and for one that is too long: a part of an id is another job's. */
    static String lrmsId(Map<String, String> fields) {
        String id = fields.get("lrmsid");
        return id == null || id.isEmpty() || id.length() > LrmsJob.LONGEST_ID ? null : id;
    }

    static String bounded(String value, int max) {
        if (value == null || value.isEmpty()) {
            return null;
        }
        return value.length() <= max ? value : value.substring(0, max);
    }
}
