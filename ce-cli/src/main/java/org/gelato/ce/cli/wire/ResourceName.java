package org.gelato.ce.cli.wire;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A queue of a CE, written {@code host[:port]/cream-<lrms>-<queue>} (docs/developer/protocol/cream2-wire.md section 7).
 *
 * @param batchSystem goes into the JDL as BatchSystem
 * @param queue goes into the JDL as QueueName
 */
public record ResourceName(Endpoint endpoint, String batchSystem, String queue) {
    // Narrower than the wire's own rule: what can't stand in a JDL string is no queue's name either.
    private static final Pattern FORM = Pattern.compile("(?<host>" + Endpoint.hostPattern()
            + ")(?::(?<port>[0-9]{1,5}))?" + "/cream-(?<lrms>[A-Za-z0-9_.+]+)-(?<queue>[A-Za-z0-9_.+@:-]+)");

    /**
     * Reads a resource name.
     *
     * @throws IllegalArgumentException saying what is accepted
     */
    public static ResourceName parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no resource: write HOST[:PORT]/cream-BATCHSYSTEM-QUEUE");
        }
        return new ResourceName(Endpoint.of(m.group("host"), m.group("port")), m.group("lrms"), m.group("queue"));
    }

    /**
     * A queue of a CE that is known.
     *
     * @param queue {@code cream-<lrms>-<queue>}
     * @throws IllegalArgumentException saying what is accepted
     */
    public static ResourceName of(Endpoint endpoint, String queue) {
        ResourceName parsed = parse(endpoint + "/" + queue);
        return new ResourceName(endpoint, parsed.batchSystem, parsed.queue);
    }

    @Override
    public String toString() {
        return endpoint + "/cream-" + batchSystem + "-" + queue;
    }
}
