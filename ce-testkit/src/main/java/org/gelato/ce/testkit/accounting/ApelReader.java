package org.gelato.ce.testkit.accounting;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads messages as strictly as APEL's loader does (docs/developer/protocol/accounting.md section 1): one thing it does not know, or one bad
 * value, and the whole message is rejected.
 */
public final class ApelReader {
    private static final int MAX_RECORDS = 1000;
    private static final int LONGEST = 255;
    private static final Duration AHEAD = Duration.ofDays(2);
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
    private static final Pattern LEVELS = Pattern.compile("\\{ *(\\w+: *[0-9.]+(, *\\w+: *[0-9.]+)*) *}");
    private static final Set<String> KINDS = Set.of("si2k", "hepspec", "hepscore23");
    private static final Set<String> NULLS = Set.of("", "none", "null");

    private static final Set<String> JOB = Set.of(
            "Site",
            "SubmitHost",
            "SubmitHostType",
            "UpdateTime",
            "MachineName",
            "Queue",
            "LocalJobId",
            "LocalUserId",
            "GlobalUserName",
            "FQAN",
            "VO",
            "VOGroup",
            "VORole",
            "WallDuration",
            "CpuDuration",
            "Processors",
            "NodeCount",
            "StartTime",
            "EndTime",
            "InfrastructureDescription",
            "InfrastructureType",
            "MemoryReal",
            "MemoryVirtual",
            "ServiceLevelType",
            "ServiceLevel");
    private static final Set<String> JOB_MUST =
            Set.of("Site", "LocalJobId", "WallDuration", "CpuDuration", "StartTime", "EndTime");
    private static final Set<String> SUMMARY = Set.of(
            "Site",
            "Month",
            "Year",
            "GlobalUserName",
            "VO",
            "VOGroup",
            "VORole",
            "SubmitHost",
            "InfrastructureType",
            "ServiceLevelType",
            "ServiceLevel",
            "NodeCount",
            "Processors",
            "EarliestEndTime",
            "LatestEndTime",
            "WallDuration",
            "CpuDuration",
            "NumberOfJobs");
    private static final Set<String> SUMMARY_MUST =
            Set.of("Site", "Month", "Year", "WallDuration", "CpuDuration", "NumberOfJobs");
    private static final Set<String> SYNC = Set.of("Site", "SubmitHost", "NumberOfJobs", "Month", "Year");
    private static final Set<String> NUMBERS = Set.of(
            "WallDuration",
            "CpuDuration",
            "Processors",
            "NodeCount",
            "StartTime",
            "EndTime",
            "MemoryReal",
            "MemoryVirtual",
            "Month",
            "Year",
            "NumberOfJobs",
            "EarliestEndTime",
            "LatestEndTime");

    private static final Map<String, Type> TYPES = Map.of(
            "APEL-individual-job-message: v0.3", new Type(Kind.JOBS, JOB, JOB_MUST, false),
            "APEL-individual-job-message: v0.4", new Type(Kind.JOBS, without(JOB, "ServiceLevelType"), JOB_MUST, true),
            "APEL-summary-job-message: v0.2", new Type(Kind.SUMMARIES, SUMMARY, SUMMARY_MUST, false),
            "APEL-summary-job-message: v0.4",
                    new Type(Kind.SUMMARIES, without(SUMMARY, "ServiceLevelType"), SUMMARY_MUST, true),
            "APEL-sync-message: v0.1", new Type(Kind.COUNTS, SYNC, SYNC, false));

    private ApelReader() {}

    /** Whether a message holds jobs or their sums. */
    public enum Kind {
        JOBS,
        SUMMARIES,
        COUNTS
    }

    private record Type(Kind kind, Set<String> keys, Set<String> must, boolean levels) {}

    /** A message that was taken; its records have no keys without a value. */
    public record Message(Kind kind, List<Map<String, String>> records) {}

    /** A message that APEL would reject whole, with the reason. */
    public static final class RejectedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RejectedException(String reason) {
            super(reason);
        }
    }

    private static Set<String> without(Set<String> keys, String key) {
        return Set.copyOf(keys.stream().filter(k -> !k.equals(key)).toList());
    }

    /**
     * Reads a message.
     *
     * @throws RejectedException when APEL would not load it
     */
    public static Message read(byte[] bytes, Instant now) {
        String text;
        try {
            text = StandardCharsets.US_ASCII
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new RejectedException("a byte that is not ASCII");
        }
        int end = text.indexOf('\n');
        if (end < 0) {
            throw new RejectedException("no header line");
        }
        Type type = TYPES.get(text.substring(0, end).strip());
        if (type == null) {
            throw new RejectedException("unknown header " + text.substring(0, end));
        }
        List<Map<String, String>> records = new ArrayList<>();
        for (String part : text.substring(end + 1).split("%%", -1)) {
            if (!part.isBlank()) {
                records.add(record(type, part, now));
            }
        }
        if (records.isEmpty() || records.size() > MAX_RECORDS) {
            throw new RejectedException(records.size() + " records");
        }
        return new Message(type.kind(), records);
    }

    private static Map<String, String> record(Type type, String part, Instant now) {
        Map<String, String> record = new LinkedHashMap<>();
        for (String line : part.split("\r?\n")) {
            if (line.isBlank()) {
                continue;
            }
            int colon = line.indexOf(':');
            if (colon < 0) {
                throw new RejectedException("a line without colon: " + line);
            }
            String key = line.substring(0, colon).strip();
            String value = line.substring(colon + 1).strip();
            if (!type.keys().contains(key)) {
                throw new RejectedException("unknown key " + key);
            }
            if (!NULLS.contains(value.toLowerCase(Locale.ROOT))) {
                record.put(key, value);
            }
        }
        check(type, record, now);
        return record;
    }

    private static void check(Type type, Map<String, String> record, Instant now) {
        for (String key : type.must()) {
            if (!record.containsKey(key)) {
                throw new RejectedException("no " + key);
            }
        }
        record.forEach((key, value) -> {
            if (NUMBERS.contains(key)
                    ? !WHOLE.matcher(value).matches()
                    : value.length() > (key.equals("InfrastructureType") ? 20 : LONGEST)) {
                throw new RejectedException(key + " = " + value);
            }
        });
        level(type, record);
        switch (type.kind()) {
            case JOBS -> {
                long start = Long.parseLong(record.get("StartTime"));
                long end = Long.parseLong(record.get("EndTime"));
                if (end < start || end > now.plus(AHEAD).getEpochSecond()) {
                    throw new RejectedException("from " + start + " to " + end);
                }
                groups(record);
            }
            case SUMMARIES -> {
                YearMonth month = month(record);
                Stream.of("EarliestEndTime", "LatestEndTime")
                        .filter(record::containsKey)
                        .forEach(key -> {
                            Instant time = Instant.ofEpochSecond(Long.parseLong(record.get(key)));
                            if (!YearMonth.from(time.atZone(ZoneOffset.UTC)).equals(month)) {
                                throw new RejectedException(key + " outside of " + month);
                            }
                        });
            }
            case COUNTS -> month(record);
        }
    }

    private static YearMonth month(Map<String, String> record) {
        int month = Integer.parseInt(record.get("Month"));
        if (month < 1 || month > 12) {
            throw new RejectedException("month " + month);
        }
        return YearMonth.of(Integer.parseInt(record.get("Year")), month);
    }

    private static void level(Type type, Map<String, String> record) {
        String level = record.get("ServiceLevel");
        String kind = record.get("ServiceLevelType");
        if (type.levels()) {
            Matcher m = LEVELS.matcher(level == null ? "{Si2k: 1}" : level);
            if (!m.matches()) {
                throw new RejectedException("ServiceLevel = " + level);
            }
            for (String pair : m.group(1).split(",")) {
                if (!KINDS.contains(pair.substring(0, pair.indexOf(':')).strip().toLowerCase(Locale.ROOT))) {
                    throw new RejectedException("benchmark " + pair);
                }
            }
            return;
        }
        if ((level == null) != (kind == null)) {
            throw new RejectedException("half a benchmark");
        }
        if (kind != null && !KINDS.contains(kind.toLowerCase(Locale.ROOT))) {
            throw new RejectedException("benchmark " + kind);
        }
        try {
            if (level != null && new BigDecimal(level).signum() <= 0) {
                throw new RejectedException("ServiceLevel = " + level);
            }
        } catch (NumberFormatException e) {
            throw new RejectedException("ServiceLevel = " + level);
        }
    }

    /** An FQAN counts instead of what else there is. */
    private static void groups(Map<String, String> record) {
        String fqan = record.get("FQAN");
        if (fqan != null) {
            record.putAll(groups(fqan));
        }
    }

    /** VO, group and role as APEL takes an FQAN apart. */
    public static Map<String, String> groups(String fqan) {
        if (!fqan.startsWith("/")) {
            return Map.of("VO", fqan);
        }
        List<String> group = new ArrayList<>();
        String role = "None";
        for (String part : fqan.substring(1).split("/")) {
            if (part.startsWith("Role=")) {
                role = part;
                break;
            }
            group.add(part);
        }
        return Map.of("VO", group.get(0), "VOGroup", "/" + String.join("/", group), "VORole", role);
    }
}
