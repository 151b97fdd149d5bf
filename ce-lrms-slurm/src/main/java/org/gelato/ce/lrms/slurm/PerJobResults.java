package org.gelato.ce.lrms.slurm;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.lrms.LrmsException;

/** Reads the error messages of scancel and scontrol, which name the jobs they are about. Pure. */
final class PerJobResults {
    private static final Pattern SCANCEL = Pattern.compile("(?m)^.*Kill job error on job id ([0-9]{1,10}): (.*)$");
    private static final Pattern SCONTROL = Pattern.compile("(?m)^(.*) for job ([0-9]{1,10})$");

    private PerJobResults() {}

    /**
     * @return per id null for success or Slurm's words
     * @throws LrmsException when the controller reported no result, so that the whole call is to be repeated
     */
    static Map<String, String> ofScancel(Collection<String> ids, Completed completed) {
        Map<String, String> messages = new HashMap<>();
        Matcher matcher = SCANCEL.matcher(completed.stderr());
        while (matcher.find()) {
            String text = matcher.group(2).strip();
            messages.put(matcher.group(1), gone(text) ? null : text);
        }
        return merged("scancel", ids, completed, messages);
    }

    /** As {@link #ofScancel}, for hold and release; here an ended job is an error. */
    static Map<String, String> ofScontrol(Collection<String> ids, Completed completed) {
        Map<String, String> messages = new HashMap<>();
        Matcher matcher = SCONTROL.matcher(completed.stderr());
        while (matcher.find()) {
            messages.put(matcher.group(2), matcher.group(1).strip());
        }
        return merged("scontrol", ids, completed, messages);
    }

    private static Map<String, String> merged(
            String program, Collection<String> ids, Completed completed, Map<String, String> messages) {
        if (completed.timedOut()) {
            throw new LrmsException(program + " did not end in time");
        }
        String all = SlurmMessages.brief(completed.stderr());
        if (completed.exit() != 0 && SlurmMessages.noVerdict(all)) {
            throw new LrmsException(program + ": " + all);
        }
        // a message that names no job is about all of them
        boolean unnamed = completed.exit() != 0 && messages.isEmpty() && !gone(all);
        Map<String, String> result = new LinkedHashMap<>();
        for (String id : ids) {
            result.put(
                    id,
                    unnamed
                            ? (all.isEmpty() ? program + " ended with status " + completed.exit() : all)
                            : messages.get(id));
        }
        return result;
    }

    private static boolean gone(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.startsWith("invalid job id specified")
                || lower.contains("already completing or completed")
                || lower.contains("already finished");
    }
}
