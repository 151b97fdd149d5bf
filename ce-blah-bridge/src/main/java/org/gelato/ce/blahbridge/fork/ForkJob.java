package org.gelato.ce.blahbridge.fork;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;

/**
 * A job of the fork batch system, as in its state file.
 *
 * @param number the n of {@code fork.n}: the order of acceptance
 * @param starts how often its wrapper was started or may have been
 * @param process the wrapper's; null before it ran
 * @param cancelling whether its end is to be shown as a cancellation
 * @param limit how long it may run, from the start of its wrapper; null for as long as it likes
 * @param overrun whether it is ended for its limit
 * @param changed when the phase was entered
 * @param reason null when there is none
 */
record ForkJob(
        long number,
        String tag,
        int attempt,
        String account,
        Path sandbox,
        Path wrapper,
        Path stdout,
        Path stderr,
        Phase phase,
        int starts,
        ProcessMark process,
        boolean cancelling,
        Duration limit,
        boolean overrun,
        Instant changed,
        String reason) {
    static final String PREFIX = "fork.";

    /** Where a job stands. */
    enum Phase {
        QUEUED(LrmsJob.State.QUEUED),
        HELD(LrmsJob.State.HELD),
        /** Its start was begun; whether it happened is not known yet. */
        STARTING(LrmsJob.State.UNKNOWN),
        RUNNING(LrmsJob.State.RUNNING),
        ENDED(LrmsJob.State.DONE),
        FAILED(LrmsJob.State.FAILED),
        CANCELLED(LrmsJob.State.CANCELLED);

        private final LrmsJob.State shown;

        Phase(LrmsJob.State shown) {
            this.shown = shown;
        }

        boolean isFinal() {
            return this == ENDED || this == FAILED || this == CANCELLED;
        }
    }

    static ForkJob queued(long number, Submission s, Instant now) {
        return new ForkJob(
                number,
                s.id().tag(),
                s.attempt(),
                s.account(),
                s.sandbox(),
                s.wrapperFile(),
                s.stdout(),
                s.stderr(),
                Phase.QUEUED,
                0,
                null,
                false,
                s.request() == null ? null : s.request().resources().limits().wallTime(),
                false,
                now,
                null);
    }

    String lrmsId() {
        return PREFIX + number;
    }

    /** What the wrapper writes when it has claimed the job. */
    Path claimFile() {
        return claim().resolve("owner");
    }

    /** Made by the runner of the job. */
    Path claim() {
        return sandbox.resolve("claim");
    }

    /** In another phase that needs no reason. */
    ForkJob to(Phase next, Instant now) {
        return to(next, now, null);
    }

    /** In another phase, or the same, and why. */
    ForkJob to(Phase next, Instant now, String why) {
        return with(next, starts, process, now, why);
    }

    ForkJob starting(Instant now) {
        return with(Phase.STARTING, starts + 1, null, now, reason);
    }

    ForkJob running(ProcessMark mark, Instant now) {
        return with(Phase.RUNNING, starts, mark, now, null);
    }

    ForkJob toBeCancelled() {
        return marked(true, overrun);
    }

    /** One whose time is over. */
    ForkJob toBeEnded() {
        return marked(cancelling, true);
    }

    /** Whether it runs longer than it may. */
    boolean isOver(Instant now) {
        return phase == Phase.RUNNING && limit != null && changed.plus(limit).isBefore(now);
    }

    /** Whether its processes are signalled until they end. */
    boolean isBeingEnded() {
        return cancelling || overrun;
    }

    /** Why it is ended, for its owner. */
    String overtime() {
        return "the job ran longer than its limit of " + Messages.span(limit);
    }

    private ForkJob marked(boolean cancel, boolean over) {
        return with(phase, starts, process, cancel, over, changed, reason);
    }

    private ForkJob with(Phase p, int started, ProcessMark mark, Instant at, String why) {
        return with(p, started, mark, cancelling, overrun, at, why);
    }

    private ForkJob with(Phase p, int started, ProcessMark mark, boolean cancel, boolean over, Instant at, String why) {
        return new ForkJob(
                number, tag, attempt, account, sandbox, wrapper, stdout, stderr, p, started, mark, cancel, limit, over,
                at, why);
    }

    LrmsJob shown(String host) {
        String why = switch (phase) {
            case QUEUED -> reason == null ? "waits for a slot" : reason;
            case HELD -> "held";
            default -> reason;
        };
        return new LrmsJob(lrmsId(), tag, phase.shown, null, why, process == null ? null : host);
    }

    /** Lines {@code name=value}; values have no line ends, which {@link #decode} would take for others. */
    String encode() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("number", Long.toString(number));
        fields.put("tag", tag);
        fields.put("attempt", Integer.toString(attempt));
        fields.put("account", account);
        fields.put("sandbox", sandbox.toString());
        fields.put("wrapper", wrapper.toString());
        fields.put("stdout", stdout.toString());
        fields.put("stderr", stderr.toString());
        fields.put("phase", phase.name());
        fields.put("starts", Integer.toString(starts));
        if (process != null) {
            fields.put("pid", Long.toString(process.pid()));
            fields.put("start", Long.toString(process.startTicks()));
            fields.put("boot", process.boot());
        }
        fields.put("cancelling", Boolean.toString(cancelling));
        if (limit != null) {
            fields.put("limit", Long.toString(limit.toSeconds()));
        }
        fields.put("overrun", Boolean.toString(overrun));
        fields.put("changed", Long.toString(changed.toEpochMilli()));
        if (reason != null) {
            fields.put("reason", reason.replace('\n', ' ').replace('\r', ' '));
        }
        StringBuilder text = new StringBuilder();
        fields.forEach((name, value) -> {
            if (value.indexOf('\n') >= 0) {
                throw new IllegalArgumentException(name + " has a line end");
            }
            text.append(name).append('=').append(value).append('\n');
        });
        return text.append("end=\n").toString();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException when it is cut or no such text
     */
    static ForkJob decode(String text) {
        Map<String, String> fields = fields(text);
        if (!fields.containsKey("end")) {
            throw new IllegalArgumentException("the file is cut");
        }
        ProcessMark mark = fields.containsKey("pid")
                ? new ProcessMark(number(fields, "pid"), number(fields, "start"), need(fields, "boot"))
                : null;
        return new ForkJob(
                number(fields, "number"),
                need(fields, "tag"),
                (int) number(fields, "attempt"),
                need(fields, "account"),
                Path.of(need(fields, "sandbox")),
                Path.of(need(fields, "wrapper")),
                Path.of(need(fields, "stdout")),
                Path.of(need(fields, "stderr")),
                Phase.valueOf(need(fields, "phase")),
                (int) number(fields, "starts"),
                mark,
                Boolean.parseBoolean(need(fields, "cancelling")),
                fields.containsKey("limit") ? Duration.ofSeconds(number(fields, "limit")) : null,
                Boolean.parseBoolean(fields.get("overrun")),
                Instant.ofEpochMilli(number(fields, "changed")),
                fields.get("reason"));
    }

    /** Lines {@code name=value}, of a state file or of a claim; other lines are left out. */
    static Map<String, String> fields(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : text.split("\n", -1)) {
            int eq = line.indexOf('=');
            if (eq > 0) {
                fields.putIfAbsent(line.substring(0, eq), line.substring(eq + 1));
            }
        }
        return fields;
    }

    private static String need(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no " + name);
        }
        return value;
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(need(fields, name));
    }
}
