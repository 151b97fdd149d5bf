package org.gelato.ce.core.command;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.SubmitResult.Scope;

/**
 * The part of a lane that a pause concerns: an account, a queue, or an account in a queue; of a queue only the jobs with the same settings of routes,
 * which may send them to another partition, or under another limit; or jobs of a route whatever account and queue ({@link org.gelato.ce.core.route.RouteQueues}). What waits for the end of the pause
 * stands in a lane of its own, whose name has the rows' numbers, so that a claim never reads it and any process finds it.
 *
 * @param lane of which it is a part
 * @param account row of the local account; 0 for any
 * @param queue row of the queue; 0 for any
 * @param route row of the settings of routes; 0 for none, and for any with any queue; of neither account nor queue the number of a route
 */
record PauseScope(String lane, int account, int queue, int route) {
    /** Names of the lanes of pauses begin with it, and no others do. */
    static final String PREFIX = "paused ";

    /** Characters of the name of a lane. */
    static final int LONGEST = 48;

    private static final Pattern NAME =
            Pattern.compile(PREFIX + "([0-9a-z]{1,6})[.]([0-9a-z]{1,6})(?:[.]([0-9a-z]{1,6}))? (.+)");
    private static final int RADIX = 36;

    /** For jobs without settings of routes. */
    PauseScope(String lane, int account, int queue) {
        this(lane, account, queue, 0);
    }

    /** The part of its lane that a fault of a command concerns; of none but account or queue. */
    static PauseScope of(Scope scope, ClaimedCommand c) {
        return new PauseScope(
                Lane.of(c),
                scope == Scope.QUEUE ? 0 : c.job().registration().accountId(),
                scope == Scope.ACCOUNT ? 0 : c.job().registration().queueId(),
                scope == Scope.ACCOUNT ? 0 : c.route().id());
    }

    /** Every part of its lane that a command belongs to. */
    static List<PauseScope> all(ClaimedCommand c) {
        return List.of(of(Scope.QUEUE, c), of(Scope.ACCOUNT_IN_QUEUE, c), of(Scope.ACCOUNT, c));
    }

    /** Whether it is of a route's own limit. */
    boolean isOfRoute() {
        return account == 0 && queue == 0 && route != 0;
    }

    /** The name of the lane in which commands wait for the end of a pause. */
    String name() {
        String routed = route == 0 ? "" : '.' + Integer.toString(route, RADIX);
        return PREFIX + Integer.toString(account, RADIX) + '.' + Integer.toString(queue, RADIX) + routed + ' ' + lane;
    }

    /** Reads {@link #name()}; empty for the name of another lane. */
    static Optional<PauseScope> parse(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? Optional.of(new PauseScope(
                        parts.group(4),
                        Integer.parseInt(parts.group(1), RADIX),
                        Integer.parseInt(parts.group(2), RADIX),
                        parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3), RADIX)))
                : Optional.empty();
    }

    /** Whether a lane is one of a pause. */
    static boolean isOne(String name) {
        return name.startsWith(PREFIX);
    }

    /** The lane that a name is of, or of which it is a part. */
    static String base(String name) {
        return parse(name).map(PauseScope::lane).orElse(name);
    }
}
