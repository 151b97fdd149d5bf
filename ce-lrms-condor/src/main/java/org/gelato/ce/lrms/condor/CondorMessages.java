package org.gelato.ce.lrms.condor;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.SubmitResult.Scope;

/** What messages of HTCondor's commands say about the outcome of a request (docs/developer/protocol/lrms.md). Pure. */
final class CondorMessages {
    private static final String TOO_MANY_AT_ONCE = "max_jobs_per_submission";

    /** No schedd was reached; nothing was done. */
    private static final List<String> NOT_REACHED = List.of(
            "can't find address",
            "unable to locate",
            "unknown host",
            "no record of schedd",
            "failed to connect to",
            "error communicating with",
            "can't connect to",
            "secman:",
            "connection refused");

    /** A schedd was reached, and takes nothing from this account now. */
    private static final List<String> DENIED = List.of(
            "authenticate:",
            "received \"denied\"",
            "authentication failed",
            "failed to authenticate",
            "not authorized");

    /** The account has as many jobs as it may have, or as may come together. */
    private static final List<String> ACCOUNT_IS_FULL = List.of("max_jobs_per_owner", TOO_MANY_AT_ONCE);

    /** It has as many jobs as it may have, of all. */
    private static final List<String> FULL = List.of("max_jobs_submitted");

    private static final Pattern COMMIT =
            Pattern.compile("(?m)^ERROR: Failed to commit job submission into the queue\\.?\\s*$");
    /** A step of the submission failed. After it the schedd's reason follows, except where the schedd went away before it gave one. */
    private static final String STEP = "Failed (?:(?:submission|set) .* - aborting entire submit|to set .* \\(110\\)"
            + "|to (?:commit job submission into the queue|create (?:cluster|proc)|queue job|submit jobset)\\.?)\\s*$";

    private static final Pattern FAILED_STEP = Pattern.compile("(?m)^ERROR: " + STEP);
    private static final Pattern REASON = Pattern.compile(
            "(?m)^(?:ERROR: (?!" + STEP + ").*\\S|Number of submitted jobs would exceed|User is disabled).*$");
    private static final Pattern PROGRAM = Pattern.compile("(?m)^(?:condor_[a-z]+: |ERROR: |Error: )");
    /** Advice of condor_q for who cannot reach a schedd, of many lines. */
    private static final Pattern ADVICE = Pattern.compile("(?s)\\n\\s*Extra Info:.*");

    private static final Pattern WARNING = Pattern.compile("(?m)^(?:Warning:|WARNING:).*(?:\\n[ \\t]+.*)*$");

    private static final int LONGEST = 1000;

    private CondorMessages() {}

    /** The text on one line without the program's name, warnings and advice, bounded in length. */
    static String brief(String text) {
        String begin = text.substring(0, Math.min(text.length(), 16 * LONGEST));
        String errors = WARNING.matcher(ADVICE.matcher(begin).replaceFirst("")).replaceAll("");
        return Messages.line(PROGRAM.matcher(errors).replaceAll("").strip(), LONGEST);
    }

    /** Whether a schedd was not reached, or did not let the account in. */
    static boolean notReached(String text) {
        return isAway(text) || hasOneOf(text, DENIED);
    }

    /** Whether no schedd was reached. */
    static boolean isAway(String text) {
        return hasOneOf(text, NOT_REACHED) && !isDenied(text);
    }

    /** Whether a schedd did not let the account in. */
    static boolean isDenied(String text) {
        return hasOneOf(text, DENIED);
    }

    /** Whose other jobs a schedd would not take now either; null when it is not for now that it takes this one not, or the site says so. */
    static Scope notNow(String text) {
        if (isRefusedAtTheEnd(text)) {
            return null;
        }
        if (isDenied(text) || hasOneOf(text, ACCOUNT_IS_FULL)) {
            return Scope.ACCOUNT;
        }
        return hasOneOf(text, FULL) || isAway(text) ? Scope.LRMS : null;
    }

    /** Whether fewer jobs in one submission may be taken. */
    static boolean isTooManyAtOnce(String text) {
        return text.toLowerCase(Locale.ROOT).contains(TOO_MANY_AT_ONCE);
    }

    /** Whether the end of the submission failed, when the site's requirements are looked at: what follows are the site's words. */
    static boolean isRefusedAtTheEnd(String text) {
        return COMMIT.matcher(text).find();
    }

    /** Whether a step of the submission failed without a reason, as the schedd went away: at its end it may have been carried out. */
    static boolean isWithoutReason(String text) {
        return FAILED_STEP.matcher(text).find() && !REASON.matcher(text).find();
    }

    private static boolean hasOneOf(String text, List<String> fragments) {
        String lower = text.toLowerCase(Locale.ROOT);
        return fragments.stream().anyMatch(lower::contains);
    }
}
