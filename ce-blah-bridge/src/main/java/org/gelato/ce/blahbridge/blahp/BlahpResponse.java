package org.gelato.ce.blahbridge.blahp;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.SubmitResult;

/**
 * Reads results of blahpd (docs/developer/protocol/blah-protocol.md section 2, recorded ones in the tests).
 * {@link SubmitResult.Unavailable} is returned only where no job can exist. Pure.
 */
final class BlahpResponse {
    private static final int MAX_WORDS = 1000;
    private static final String NO_ID = "8";
    private static final String SCRIPT_NOT_RUN = "3";
    /** Before what the batch system's command printed; without it blahpd speaks of the description. */
    private static final String COMMAND_FAILED = "submission command failed";
    /** After what a site's plugin or filter printed: what follows is of the error tables of Slurm and Torque. */
    private static final Pattern VERDICT = Pattern.compile(".*(?:batch job submission failed: |submit error \\()");

    private static final Pattern NOT_REACHED =
            Pattern.compile("cannot connect|connect failure|connection refused|not responding|too busy to service"
                    + "|temporarily unable|temporarily unavailable|is down; try later|out of memory"
                    + "|can't find address|failed to connect to|can't connect to|secman:");
    /** HTCondor's, at the end of a submission; without a reason behind it the schedd may have carried it out. */
    private static final String COMMIT = "failed to commit job submission into the queue";

    private static final Pattern WITHOUT_REASON = Pattern.compile(COMMIT + "\\.?+(?![-;\\s]*error: )");
    /** Slurm's, where no site's plugin said why: it reports nothing. */
    private static final Pattern UNEXPLAINED =
            Pattern.compile("\\(stderr:[-\\s]*(?:sbatch: error: )?batch job submission failed: unspecified error");
    /** The batch system took the job, and blahpd's script lost it: another try would be another job. */
    private static final Pattern TAKEN = Pattern.compile("job id missing|job not found in logs|talk with logparser");

    private static final Pattern FATE_UNKNOWN =
            Pattern.compile("timed out|end of file|send error|(?:receive|send|connection) failure|zero bytes"
                    + "|connection reset|broken pipe|unexpected message|authentication error|protocol failure"
                    + "|unable to contact|unable to send|communication|header lengths|insane message|unpack"
                    + "|transport endpoint|missing socket|interrupted system call|input/output error"
                    + "|authentication credential|munge decode|batch protocol error|time out|socket close"
                    + "|(?:reading|writing) data|socket select|socket error|server internal error");
    private static final Pattern QUEUE_CLOSED = Pattern.compile(
            "queue is not enabled|maximum number of jobs already in queue|required partition not available"
                    + "|unknown queue|invalid partition (?:name )?specified");
    private static final String USERS_JOBS = "user's jobs";
    private static final String POLICY = "job submit limit";
    private static final Pattern NUMBER_OF_JOBS = Pattern.compile("\\b(?:assoc|qos)(?:max|grp)submit[a-z]*");
    private static final Pattern PROXY_UNUSABLE = Pattern.compile("unable to limit the proxy|error reading proxy");
    private static final Pattern GONE = Pattern.compile("unknown job|nonexistent job|no such job|job completed"
            + "|invalid state .*complete|already finished|job\\b[^:]{0,100} not found|no matching job found");

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
        if (code.equals(SCRIPT_NOT_RUN)) {
            return new SubmitResult.Unavailable(text);
        }
        if (PROXY_UNUSABLE.matcher(lower).find()) {
            return new SubmitResult.Unavailable(text, SubmitResult.Scope.ACCOUNT);
        }
        return lower.contains(COMMAND_FAILED) ? printed(lower, text) : new SubmitResult.Refused(text);
    }

    /** The words of the batch system's command pass through blahpd as they are, and a site's among them. */
    private static SubmitResult printed(String lower, String text) {
        if (lower.contains(COMMIT)) { // what follows are the site's words
            return WITHOUT_REASON.matcher(lower).find()
                    ? new SubmitResult.Unclear(text)
                    : new SubmitResult.Refused(text, true);
        }
        if (TAKEN.matcher(lower).find()) {
            return new SubmitResult.Refused(text);
        }
        if (UNEXPLAINED.matcher(lower).find()) {
            return new SubmitResult.Unclear(text);
        }
        Matcher before = VERDICT.matcher(lower);
        boolean known = before.lookingAt();
        String verdict = known ? lower.substring(before.end()) : lower;
        if (known
                && (verdict.contains(USERS_JOBS)
                        || (verdict.contains(POLICY)
                                && NUMBER_OF_JOBS.matcher(lower).find()))) {
            return new SubmitResult.Unavailable(text, SubmitResult.Scope.ACCOUNT_IN_QUEUE);
        }
        if (known && QUEUE_CLOSED.matcher(verdict).lookingAt()) {
            return new SubmitResult.Unavailable(text, SubmitResult.Scope.QUEUE);
        }
        if (NOT_REACHED.matcher(verdict).find()) {
            return new SubmitResult.Unavailable(text);
        }
        return FATE_UNKNOWN.matcher(verdict).find()
                ? new SubmitResult.Unclear(text)
                : new SubmitResult.Refused(text, true);
    }

    static SubmitResult submitted(Throwable failure) {
        if (failure instanceof AccountCommandException e) {
            return e.code() == AccountCommandException.Code.REFUSED
                    ? new SubmitResult.Refused(e.getMessage())
                    : new SubmitResult.Unavailable(e.getMessage(), SubmitResult.Scope.ofFailure(e));
        }
        return new SubmitResult.Unclear("the fate of the submission is unknown: " + Messages.of(failure));
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
        return Messages.line(String.join(" ", words.subList(Math.min(from, to), to)), MAX_WORDS);
    }
}
