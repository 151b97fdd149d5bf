package org.gelato.ce.lrms.condor;

import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Scope;
import org.gelato.ce.core.lrms.command.SubmitResponses;

/** Reads what became of a condor_submit, which hands all jobs over or none. */
final class SubmitResponse extends SubmitResponses {
    /** {@code 83.0 - 83.99}. */
    private static final Pattern IDS =
            Pattern.compile("(?m)^\\s*([0-9]{1,10}\\.[0-9]{1,10} - [0-9]{1,10}\\.[0-9]{1,10})\\s*$");

    private static final Pattern PARTS = Pattern.compile("([0-9]+)\\.([0-9]+) - ([0-9]+)\\.([0-9]+)");
    private static final int LAST_SIGNAL = 64;

    SubmitResponse() {
        super("condor_submit", IDS);
    }

    /** For each of so many jobs of a round its own result. */
    static List<SubmitResult> each(SubmitResult all, int jobs, String round) {
        if (!(all instanceof SubmitResult.Accepted accepted)) {
            return Collections.nCopies(jobs, all);
        }
        Matcher m = PARTS.matcher(accepted.lrmsId());
        if (!m.matches()
                || !m.group(1).equals(m.group(3))
                || !m.group(2).equals("0")
                || Long.parseLong(m.group(4)) != jobs - 1L) {
            return Collections.nCopies(
                    jobs,
                    new SubmitResult.Unclear(
                            "condor_submit took " + jobs + " jobs, and reports others: " + accepted.lrmsId()));
        }
        return IntStream.range(0, jobs)
                .<SubmitResult>mapToObj(
                        i -> new SubmitResult.Accepted(new CondorId(m.group(1) + "." + i, round).toString()))
                .toList();
    }

    @Override
    protected String brief(String text) {
        return CondorMessages.brief(text);
    }

    @Override
    protected SubmitResult failed(int exit, String errors, String message) {
        if (exit > 128 && exit <= 128 + LAST_SIGNAL) {
            return new SubmitResult.Unclear("condor_submit ended with status " + exit);
        }
        if (message.isEmpty() || CondorMessages.isWithoutReason(errors)) {
            return new SubmitResult.Unclear("condor_submit ended with status " + exit + ": " + message);
        }
        Scope scope = CondorMessages.notNow(errors);
        return scope == null
                ? new SubmitResult.Refused(message, CondorMessages.isRefusedAtTheEnd(errors))
                : new SubmitResult.Unavailable(message, scope);
    }
}
