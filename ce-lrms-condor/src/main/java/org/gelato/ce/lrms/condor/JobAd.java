package org.gelato.ce.lrms.condor;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.job.JobId;

/** The attributes of one job that we read. Immutable. */
final class JobAd {
    /** In the order in which they are printed; the last one every job has. */
    enum Attribute {
        GELATO_TAG("GelatoTag"),
        GELATO_ROUND("GelatoRound"),
        OWNER("Owner"),
        CLUSTER("ClusterId"),
        PROC("ProcId"),
        PLACE("Iwd"),
        SUBMITTED("QDate"),
        LAST_STATUS("LastJobStatus"),
        STARTS("NumJobStarts"),
        EXIT_CODE("ExitCode"),
        BY_SIGNAL("ExitBySignal"),
        SIGNAL("ExitSignal"),
        HOLD_CODE("HoldReasonCode"),
        HOLD_SUBCODE("HoldReasonSubCode"),
        HOLD_REASON("HoldReason"),
        LAST_HOLD_CODE("LastHoldReasonCode"),
        LAST_HOLD_SUBCODE("LastHoldReasonSubCode"),
        LAST_HOLD_REASON("LastHoldReason"),
        REMOVE_REASON("RemoveReason"),
        HOST("RemoteHost"),
        LAST_HOST("LastRemoteHost"),
        SINCE("EnteredCurrentStatus"),
        WALL("RemoteWallClockTime"),
        USER_CPU("CumulativeRemoteUserCpu"),
        SYSTEM_CPU("CumulativeRemoteSysCpu"),
        CPUS("CpusProvisioned"),
        MEMORY("MemoryProvisioned"),
        RESIDENT("ResidentSetSize_RAW"),
        STATUS("JobStatus");

        private final String written;

        Attribute(String written) {
            this.written = written;
        }
    }

    /** Values of a line. */
    static final int COUNT = Attribute.values().length;

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
    private static final Pattern REAL = Pattern.compile("-?[0-9]{1,18}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?");

    private final Map<Attribute, String> values;

    private JobAd(Map<Attribute, String> values) {
        this.values = values;
    }

    /** Arguments by which condor_q and condor_history print them. */
    static List<String> arguments() {
        return Stream.concat(Stream.of("-af:Vt"), Stream.of(Attribute.values()).map(attribute -> attribute.written))
                .toList();
    }

    /** What was printed of one job; null for a line that is none. */
    static JobAd of(String line) {
        List<String> fields = AdFields.of(line, COUNT);
        if (fields == null) {
            return null;
        }
        Map<Attribute, String> values = new EnumMap<>(Attribute.class);
        for (Attribute attribute : Attribute.values()) {
            String value = fields.get(attribute.ordinal());
            if (value != null) {
                values.put(attribute, value);
            }
        }
        return new JobAd(values);
    }

    /** Null where it is not defined. */
    String text(Attribute attribute) {
        return values.get(attribute);
    }

    /** Null where it is not defined, or no number. */
    Integer number(Attribute attribute) {
        String text = values.get(attribute);
        if (text == null || !WHOLE.matcher(text).matches()) {
            return null;
        }
        long value = Long.parseLong(text);
        return value == (int) value ? (int) value : null;
    }

    /** As {@link #number}. */
    Long large(Attribute attribute) {
        String text = values.get(attribute);
        return text != null && WHOLE.matcher(text).matches() ? Long.valueOf(text) : null;
    }

    /** As {@link #number}, with fractions. */
    BigDecimal real(Attribute attribute) {
        String text = values.get(attribute);
        return text != null && REAL.matcher(text).matches() ? new BigDecimal(text) : null;
    }

    boolean isTrue(Attribute attribute) {
        return "true".equals(values.get(attribute));
    }

    /** As {@link #number}. */
    Instant time(Attribute attribute) {
        Integer seconds = number(attribute);
        return seconds == null || seconds <= 0 ? null : Instant.ofEpochSecond(seconds);
    }

    /**
     * Null where any part of it is missing. Where a site has taken our random number from the job it is its number alone, if it is one of
     * ours by its directory.
     */
    String id() {
        String number = text(Attribute.CLUSTER) + "." + text(Attribute.PROC);
        String round = text(Attribute.GELATO_ROUND);
        if (round == null
                && placed() != null
                && CondorId.NUMBER_FORM.matcher(number).matches()) {
            return number;
        }
        return CondorId.of(number + CondorId.MARK + round)
                .map(CondorId::toString)
                .orElse(null);
    }

    /** Which job of ours it is: by its directory, which is of that job alone, else by the name that it was given. Null for none. */
    String tag() {
        String tag = text(Attribute.GELATO_TAG);
        return placed() == null ? JobId.ofTag(tag).map(JobId::tag).orElse(null) : placed();
    }

    private String placed() {
        return JobId.parse(text(Attribute.PLACE)).map(JobId::tag).orElse(null);
    }

    /** {@code slot1_2@host} without the slot; null where it is not defined. */
    String host(Attribute attribute) {
        String slot = values.get(attribute);
        return slot == null || slot.isEmpty() ? null : slot.substring(slot.indexOf('@') + 1);
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(one -> one.getKey().written + "=" + one.getValue())
                .collect(Collectors.joining(" "));
    }
}
