package org.gelato.ce.blahbridge.blahp;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.text.Words;

/**
 * Reads results of blahpd (docs/developer/protocol/blah-protocol.md section 2, recorded ones in the tests).
 * {@link SubmitResult.Unavailable} is returned only where no job can exist. Pure.
 */
final class BlahpResponse {
    private static final int MAX_WORDS = 1000;
    private static final String NO_ID = "8";
    private static final String SCRIPT_NOT_RUN = "3";
    private static final Pattern LATER = Pattern.compile("cannot connect|connection (refused|timed out)|not responding"
            + "|try again|temporar|out of memory|too many");
    private static final Pattern QUEUE_CLOSED = Pattern.compile(
            "queue is not enabled|maximum number of jobs already in queue|required partition not available"
                    + "|unknown queue|invalid partition (?:name )?specified");
    private static final Pattern ACCOUNT_FULL = Pattern.compile("maximum number of jobs|job submit limit");
    private static final Pattern PROXY_UNUSABLE = Pattern.compile("unable to limit the proxy|error reading proxy");
    private static final Pattern GONE = Pattern.compile("unknown job|nonexistent job|no such job|job completed"
            + "|invalid state .*complete|already finished|not found");

    private BlahpResponse() {}

    /** @param words the result without its request id: code, text, job id */
    static SubmitResult submitted(List<String> words) {
        String code = words.get(0);
        String text = brief(words, 1, words.size() - 1);
        String id = words.get(words.size() - 1);
        if (code.equals("0")) {
            String cut = BlahJobId.is(id) ? BlahJobId.cut(id) : null;
            return cut == null
                    ? new SubmitResult.Unclear(
                            "blahpd accepted the job under the id '" + brief(words, 0, words.size()) + "'")
                    : new SubmitResult.Accepted(cut);
        }
        String lower = text.toLowerCase(Locale.ROOT);
        if (code.equals(NO_ID) || lower.contains("blahp_jobid_prefix") || isSignal(code)) {
            return new SubmitResult.Unclear(text);
        }
        SubmitResult.Scope scope = scope(lower);
        if (scope != SubmitResult.Scope.LRMS
                || code.equals(SCRIPT_NOT_RUN)
                || LATER.matcher(lower).find()) {
            return new SubmitResult.Unavailable(text, scope);
        }
        return new SubmitResult.Refused(text);
    }

    /** Whose other jobs the batch system would not take now either; its words pass through blahpd as they are. */
    private static SubmitResult.Scope scope(String lower) {
        if (lower.contains("user's jobs")) {
            return SubmitResult.Scope.ACCOUNT_IN_QUEUE;
        }
        if (QUEUE_CLOSED.matcher(lower).find()) {
            return SubmitResult.Scope.QUEUE;
        }
        if (ACCOUNT_FULL.matcher(lower).find()) {
            return SubmitResult.Scope.ACCOUNT_IN_QUEUE;
        }
        return PROXY_UNUSABLE.matcher(lower).find() ? SubmitResult.Scope.ACCOUNT : SubmitResult.Scope.LRMS;
    }

    static SubmitResult submitted(Throwable failure) {
        if (failure instanceof AccountCommandException e) {
            return e.code() == AccountCommandException.Code.REFUSED
                    ? new SubmitResult.Refused(e.getMessage())
                    : new SubmitResult.Unavailable(e.getMessage(), SubmitResult.Scope.ofFailure(e));
        }
        return new SubmitResult.Unclear("the fate of the submission is unknown: " + Words.of(failure));
    }

    /** Null when the job has ended or will end, else the batch system's message. */
    static String cancelled(List<String> words) {
        String text = brief(words, 1, words.size());
        return words.get(0).equals("0")
                        || GONE.matcher(text.toLowerCase(Locale.ROOT)).find()
                ? null
                : text;
    }

    /** Null when the job is held. */
    static String held(List<String> words) {
        return words.get(0).equals("0") ? null : brief(words, 1, words.size());
    }

    /** Null when the job is not held any more. */
    static String released(List<String> words) {
        String text = brief(words, 1, words.size());
        return words.get(0).equals("0") || text.startsWith("Job Idle") ? null : text;
    }

    /** The scripts' own exit codes: killed, or their time ran out. */
    private static boolean isSignal(String code) {
        return code.length() == 3 && code.compareTo("124") >= 0 && code.compareTo("165") < 0 && !code.equals("153");
    }

    private static String brief(List<String> words, int from, int to) {
        return Words.line(String.join(" ", words.subList(Math.min(from, to), to)), MAX_WORDS);
    }
}
