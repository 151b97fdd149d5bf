package org.gelato.ce.description.jdl;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.FileRule;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.SafeText;
import org.gelato.ce.description.SandboxRule;

/** What a job sends while it runs (docs/user/live.md): its output, and what filters make of it. Attributes of this CE, unknown to CREAM. */
final class MonitoringRule {
    private static final String FILTERS = "MonitorFilters";
    private static final String LIVE = "LiveOutput";
    private static final int MAX_FILTERS = 16;
    private static final int MAX_CHARACTERS = 256;

    /** What the messages of an expression without a key have. */
    private static final String USUAL_KEY = "stdout";

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern EXPRESSION = Pattern.compile("(?:([^/]*)= *)?/(.*)/", Pattern.DOTALL);

    private MonitoringRule() {}

    /**
     * Reads MonitorFilters and LiveOutput. Whether an expression is valid is found on the worker node, by its own grep: the job runs
     * nevertheless.
     *
     * @param input items of the input sandbox
     * @param warnings gets what will not be done as its author may expect
     */
    static JobRequest.Monitoring check(
            Attributes attributes, JobRequest.Streams streams, List<String> input, List<String> warnings)
            throws DescriptionException {
        List<String> items = attributes.strings(FILTERS);
        if (items.size() > MAX_FILTERS) {
            throw new DescriptionException(FILTERS, items.size() + " filters, at most " + MAX_FILTERS);
        }
        if (!items.isEmpty() && streams.output() == null) {
            throw new DescriptionException(FILTERS, "filters read the file of StdOutput, which is not defined");
        }
        List<JobRequest.Filter> filters = new ArrayList<>();
        for (String item : items) {
            filters.add(filter(item, input));
        }
        boolean live = attributes.flag(LIVE);
        if (live && streams.output() == null && streams.error() == null) {
            warnings.add(LIVE + ": neither StdOutput nor StdError is defined, nothing will be sent");
        }
        return new JobRequest.Monitoring(live, List.copyOf(filters));
    }

    private static JobRequest.Filter filter(String item, List<String> input) throws DescriptionException {
        if (item.length() > MAX_CHARACTERS) {
            throw new DescriptionException(
                    FILTERS, "a filter of " + item.length() + " characters, at most " + MAX_CHARACTERS);
        }
        if (item.chars().anyMatch(Character::isISOControl)) {
            throw new DescriptionException(FILTERS, "control characters not allowed");
        }
        Matcher expression = EXPRESSION.matcher(item);
        if (!expression.matches()) {
            String program = FileRule.input(FILTERS, item);
            SandboxRule.brings(input, "filter", program);
            return new JobRequest.Filter(null, null, program);
        }
        String key =
                expression.group(1) == null ? USUAL_KEY : expression.group(1).trim();
        if (!KEY.matcher(key).matches()) {
            throw new DescriptionException(
                    FILTERS, "a key has 1 to 64 letters, digits, dots, dashes and underscores: " + SafeText.of(item));
        }
        if (expression.group(2).isEmpty()) {
            throw new DescriptionException(FILTERS, "the expression is empty: " + SafeText.of(item));
        }
        return new JobRequest.Filter(key, expression.group(2), null);
    }
}
