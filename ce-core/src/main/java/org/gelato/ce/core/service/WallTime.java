package org.gelato.ce.core.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.description.JobRequest;

/**
 * The running time a job requests: the wall clock time in its CERequirements, in minutes, the only such
 * attribute of the JDL (docs/protocol/jdl.md section 5). Pure.
 */
final class WallTime {
    private static final String LITERAL = "(?<text>\"(?:[^\"\\\\]|\\\\.)*+\")";
    private static final String NAME = "(?:other\\.)?GlueCEPolicyMax(?:Obtainable)?WallClockTime";
    // String literals are skipped, so that a comparison quoted in one does not count.
    private static final Pattern ASKED = Pattern.compile(
            LITERAL + "|\\b" + NAME + "\\s*(?:>=|>|==|=\\?=)\\s*(?<right>[0-9]{1,7})\\b(?!\\.)"
                    + "|(?<![\\w.])(?<left>[0-9]{1,7})\\s*(?:<=|<|==|=\\?=)\\s*" + NAME + "\\b",
            Pattern.CASE_INSENSITIVE);

    private WallTime() {}

    /** The longest time requested; empty when none is. */
    static Optional<Duration> of(JobRequest request) {
        String requirements = request.resources().nodes() == null
                ? null
                : request.resources().nodes().ceRequirements();
        if (requirements == null) {
            return Optional.empty();
        }
        Duration longest = Duration.ZERO;
        Matcher m = ASKED.matcher(requirements);
        while (m.find()) {
            if (m.group("text") == null) {
                String minutes = m.group("right") == null ? m.group("left") : m.group("right");
                Duration requested = Duration.ofMinutes(Long.parseLong(minutes));
                longest = requested.compareTo(longest) > 0 ? requested : longest;
            }
        }
        return longest.isZero() ? Optional.empty() : Optional.of(longest);
    }

    /** The warning for the client when a job that started now would outlive its proxy or token; empty when it would not. */
    static Optional<String> warning(JobRequest request, String delegationId, Instant proxyEnd, Instant now) {
        return of(request)
                .filter(time -> now.plus(time).isAfter(proxyEnd))
                .map(time -> "delegation " + delegationId + " ends at " + proxyEnd + ", before the " + time.toMinutes()
                        + " minutes of wall clock time the job requests are over; renew it in time");
    }
}
