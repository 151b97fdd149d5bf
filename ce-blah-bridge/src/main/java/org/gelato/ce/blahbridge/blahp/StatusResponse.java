package org.gelato.ce.blahbridge.blahp;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.ExitCodes;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;

/** Reads a result of {@code BLAH_JOB_STATUS}: {@code <code> <text> <status> <ad>}. Pure. */
final class StatusResponse {
    private static final Pattern FIELD =
            Pattern.compile("([A-Za-z]{1,40})\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.){0,1000}\"|-?[0-9]{1,9}|true|false)");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");
    private static final int LONGEST_AD = 16 * 1024;

    private StatusResponse() {}

    /**
     * The job; {@link State#UNKNOWN} when blahpd could not report it, and null when it reported something that can't be read: that
     * is no failure, from which the end of the job would be concluded.
     *
     * @param tag null when it is not known here
     */
    static LrmsJob of(String lrmsId, String tag, List<String> words) {
        String ad = words.size() < 4 || words.get(3).length() > LONGEST_AD ? "" : words.get(3);
        if (words.get(0).equals("0") && ad.isEmpty()) {
            return null;
        }
        if (!words.get(0).equals("0")) {
            return new LrmsJob(lrmsId, tag, State.UNKNOWN, null, reason(words), null);
        }
        Map<String, String> fields = fields(ad);
        String node = fields.get("WorkerNode");
        return switch (fields.getOrDefault("JobStatus", "")) {
            case "1" -> new LrmsJob(lrmsId, tag, State.QUEUED, null, null, null);
            case "2" -> new LrmsJob(lrmsId, tag, State.RUNNING, null, null, node);
            case "3" -> new LrmsJob(lrmsId, tag, State.CANCELLED, null, fields.get("ExitReason"), node);
            case "4" ->
                BlahJobId.isOfCondor(lrmsId) ? endedInCondor(lrmsId, tag, fields) : ended(lrmsId, tag, fields, node);
            case "5" -> new LrmsJob(lrmsId, tag, State.HELD, null, fields.get("ExitReason"), node);
            // as 7 for a suspended one in newer versions
            default -> null;
        };
    }

    /** HTCondor's scripts fail for a job that they do not know. */
    private static LrmsJob endedInCondor(String lrmsId, String tag, Map<String, String> fields) {
        boolean bySignal = "true".equals(fields.get("ExitBySignal"));
        String number = fields.getOrDefault(bySignal ? "ExitSignal" : "ExitCode", "");
        return new LrmsJob(
                lrmsId,
                tag,
                State.DONE,
                NUMBER.matcher(number).matches() ? (Integer) (Integer.parseInt(number) + (bySignal ? 128 : 0)) : null,
                fields.get("ExitReason"),
                fields.get("WorkerNode"));
    }

    private static LrmsJob ended(String lrmsId, String tag, Map<String, String> fields, String node) {
        if (node == null) {
            return new LrmsJob(
                    lrmsId,
                    tag,
                    State.DONE,
                    null,
                    "blahpd calls a job it does not know done; it names no node that ran this one",
                    null);
        }
        String exit = fields.get("ExitCode");
        return new LrmsJob(
                lrmsId,
                tag,
                State.DONE,
                exit == null || !NUMBER.matcher(exit).matches() ? null : ExitCodes.ofTorque(Integer.parseInt(exit)),
                fields.get("ExitReason"),
                node);
    }

    private static String reason(List<String> words) {
        String text = words.size() < 2 ? "no message" : words.get(1);
        return text.length() > 200 ? text.substring(0, 200) : text;
    }

    private static Map<String, String> fields(String ad) {
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Matcher m = FIELD.matcher(ad);
        while (m.find()) {
            String value = m.group(2);
            fields.put(m.group(1), value.startsWith("\"") ? value.substring(1, value.length() - 1) : value);
        }
        return fields;
    }
}
