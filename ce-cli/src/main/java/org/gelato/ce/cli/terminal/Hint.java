package org.gelato.ce.cli.terminal;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a user can do about a refusal, found by the words of the CE, which are those that clients have matched on since CREAM. The
 * first that fits counts.
 */
public enum Hint {
    DELEGATION_EXISTS("delegId=(?<id>[^;\\]]+);.* already exists", "use: ce renew %s"),
    DELEGATION_UNKNOWN("delegId=(?<id>[^;\\]]+);.* not found", "delegate first: ce delegate %s"),
    PROXY_ENDED(
            "proxy (?:has )?(?:expired|ended)|certificate .* ended at",
            "make a new proxy, for example with voms-proxy-init"),
    PROXY_LIMITED("proxy is limited", "submit with a proxy that is not limited"),
    BANNED("is banned on this CE", "only the site's administrators can lift a ban"),
    NOT_MAPPED(
            "not mapped to a local account|not authorized",
            "ask the site whether it serves your VO; it sees why with: ce explain"),
    DRAINS(
            "no new jobs are accepted|[Ss]ubmission (?:is )?disabled",
            "ce service-info shows the state; submit later, or to another CE"),
    OVER_QUOTA("quota of stored job descriptions", "remove jobs that have ended: ce purge --all --status DONE-OK"),
    UNKNOWN_JOB("job not found|job unknown", "ce list shows your jobs; purged ones are gone"),
    WRONG_STATE("status not compatible", "ce status shows the state the job is in"),
    UNKNOWN_LEASE("lease .*(?:not found|unknown|does not exist)", "ce lease list shows your leases"),
    NO_QUEUE("queue (?<id>\\S+) does not exist here", "ce service-info lists the queues"),
    REFUSED_CONNECTION("[Cc]onnection refused", "is the CE's name right, and its port? Without a port it is 8443"),
    UNKNOWN_HOST("[Uu]nknown host", "check the spelling of the CE's name");

    private static final int MAX_SEARCHED = 4000;

    private final Pattern words;
    private final String advice;

    Hint(String words, String advice) {
        this.words = Pattern.compile(words);
        this.advice = advice;
    }

    /**
     * The advice for an error message.
     *
     * @param message may be any text of a CE
     */
    public static Optional<String> of(String message) {
        if (message == null) {
            return Optional.empty();
        }
        String searched = message.substring(0, Math.min(message.length(), MAX_SEARCHED));
        return Arrays.stream(values())
                .flatMap(hint -> hint.advice(searched).stream())
                .findFirst();
    }

    private Optional<String> advice(String message) {
        Matcher m = words.matcher(message);
        if (!m.find()) {
            return Optional.empty();
        }
        return Optional.of(advice.contains("%s") ? String.format(advice, Printable.line(m.group("id"))) : advice);
    }
}
