package org.gelato.ce.perf.pilots;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.gelato.ce.perf.measure.Latencies;

/**
 * A connection of one of the factory's users, whose pilots have one delegation together. A refusal is a failure unless a method
 * returns it. Used by one thread.
 */
public interface Frontend extends AutoCloseable {
    /** Latencies by the name of the call. */
    interface Clock extends Function<String, Latencies> {}

    /**
     * A pilot that has ended.
     *
     * @param done whether it ended well
     */
    record Ended(String id, boolean done) {}

    /**
     * Sends a pilot.
     *
     * @param registered gets its id as soon as it is known
     */
    void send(Clock clock, Consumer<String> registered);

    /** Those of all the user's pilots that have ended. */
    List<Ended> ended(Clock clock);

    /**
     * Has ended pilots removed.
     *
     * @return how many of the requests were refused
     */
    int purge(Clock clock, Collection<String> ids);

    /** Replaces the proxy of all the user's pilots. */
    void renew(Clock clock);

    @Override
    void close();
}
