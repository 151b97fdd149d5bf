package org.gelato.ce.json;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What of a job is shown by its name alone, in the order in which it is shown: each constant is all that protocols, client and its output
 * need to pass a value on. A value is a text, and absent where it is not known.
 */
public enum JobDetail {
    QUEUE("Queue", "", Form.TEXT, null, "Queue", "queue"),
    /** Names of the site's routes that it matched, with commas between them. */
    ROUTES("Routes", "", Form.TEXT, "ROUTES", "OtherInfo", "routes"),
    /** Of all processes together, user and system. */
    CPU_TIME("CPU time", "s", Form.SECONDS, "USAGE_CPU_SECONDS", "UsedTotalCPUTime", "cpuSeconds"),
    /** How long the job had its nodes. GLUE 2 has it times the slots, whose number it does not say. */
    WALL_TIME("Wall time", "s", Form.SECONDS, "USAGE_WALL_SECONDS", null, "wallSeconds"),
    /** On all nodes. */
    CORES("Cores", "", Form.NUMBER, "USAGE_CORES", null, "cores"),
    PEAK_MEMORY("Peak memory", "KiB", Form.KIB, "USAGE_PEAK_MEMORY_KIB", "UsedMainMemory", "peakMemoryKib"),
    /** Who measured, in words; nothing without what was measured. */
    MEASURED_BY("Measured by", "", Form.TEXT, "USAGE_SOURCE", null, "source");

    /** What an ended job used; in JSON an object of its own. */
    public static final Set<JobDetail> USAGE =
            Collections.unmodifiableSet(EnumSet.of(CPU_TIME, WALL_TIME, CORES, PEAK_MEMORY, MEASURED_BY));

    /** All others. */
    public static final Set<JobDetail> PLAIN = Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.copyOf(USAGE)));

    /** The element of GLUE 2's ComputingActivity that has the job's labels, one each. */
    public static final String LABEL_ELEMENT = "OtherInfo";

    /** How it begins for a label; {@code NAME=VALUE} follows. */
    public static final String LABEL = "Label=";

    private enum Form {
        /** Servers of CREAM write {@code N/A} for nothing. */
        TEXT("(?!N/A$).*\\S.*"),
        SECONDS("[0-9]{1,12}(\\.[0-9]{1,9})?"),
        NUMBER("[0-9]{1,18}"),
        /** Mebibytes in GLUE 2. */
        KIB("[0-9]{1,18}");

        final Pattern pattern;

        Form(String pattern) {
            this.pattern = Pattern.compile(pattern, Pattern.DOTALL);
        }
    }

    private final String label;
    private final String unit;
    private final Form form;
    private final String property;
    private final String element;
    private final String key;

    JobDetail(String label, String unit, Form form, String property, String element, String key) {
        this.label = label;
        this.unit = unit;
        this.form = form;
        this.property = property;
        this.element = element;
        this.key = key;
    }

    /** In the text form of {@code ce info}. */
    public String label() {
        return label;
    }

    /** The name of its property of the job's id in CREAM's JobInfo (docs/developer/protocol/cream2-wire.md section 4); null for none. */
    public String property() {
        return property;
    }

    /** The name of its element of GLUE 2's ComputingActivity; null where that does not have it, or only computed with others. */
    public String element() {
        return element;
    }

    /** The value with its unit; null for null. */
    public String withUnit(String value) {
        return value == null || unit.isEmpty() ? value : value + " " + unit;
    }

    /** The number that this is of a job; null when it is not known. */
    public BigDecimal number(Map<JobDetail, String> details) {
        String value = details.get(this);
        return value == null ? null : new BigDecimal(value);
    }

    /** An immutable copy in the order of the constants, without nulls. */
    public static Map<JobDetail, String> copy(Map<JobDetail, String> details) {
        Map<JobDetail, String> copy = new EnumMap<>(JobDetail.class);
        details.forEach((detail, value) -> {
            if (value != null) {
                copy.put(detail, value);
            }
        });
        return Collections.unmodifiableMap(copy);
    }

    /** @param properties by name; what can't be read counts as absent */
    public static Map<JobDetail, String> ofProperties(Map<String, String> properties) {
        return of(detail -> detail.property == null ? null : properties.get(detail.property));
    }

    /** @param elements their first texts by name, null for absent; what can't be read counts as absent */
    public static Map<JobDetail, String> ofElements(Function<String, String> elements) {
        return of(detail -> {
            String text = detail.element == null ? null : elements.apply(detail.element);
            if (detail.form != Form.KIB || text == null) {
                return text;
            }
            return text.matches("[0-9]{1,12}") ? Long.toString(Long.parseLong(text) * 1024) : null;
        });
    }

    /** The text of its element: whole seconds to the nearest, mebibytes; null when it is not known. */
    public String elementText(Map<JobDetail, String> details) {
        String text = details.get(this);
        if (text == null) {
            return null;
        }
        return switch (form) {
            case SECONDS ->
                new BigDecimal(text).setScale(0, RoundingMode.HALF_UP).toPlainString();
            case KIB -> Long.toString(Long.parseLong(text) / 1024);
            default -> text;
        };
    }

    private static Map<JobDetail, String> of(Function<JobDetail, String> texts) {
        Map<JobDetail, String> details = new EnumMap<>(JobDetail.class);
        for (JobDetail detail : values()) {
            String text = texts.apply(detail);
            if (text != null && detail.form.pattern.matcher(text).matches()) {
                details.put(detail, text);
            }
        }
        if (details.keySet().stream().noneMatch(detail -> detail != MEASURED_BY && USAGE.contains(detail))) {
            details.remove(MEASURED_BY);
        }
        return Collections.unmodifiableMap(details);
    }

    /** Those values that are asked for, as members of a JSON object. */
    public static Map<String, Object> members(Map<JobDetail, String> details, Set<JobDetail> of) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (JobDetail detail : of) {
            String text = details.get(detail);
            if (text != null) {
                members.put(detail.key, detail.form == Form.TEXT ? text : detail.number(details));
            }
        }
        return members;
    }
}
