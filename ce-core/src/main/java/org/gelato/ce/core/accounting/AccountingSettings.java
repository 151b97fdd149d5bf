package org.gelato.ce.core.accounting;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.gelato.ce.core.base.Key;

/**
 * How usage is published.
 *
 * @param publish by which way
 * @param records what the messages of {@link Way#SSM} hold
 * @param form of these messages
 * @param site the GOCDB's name of it; empty only where nothing is published
 * @param machine the batch system's name for the receiver
 * @param endpoint host and port of this CE, of which the name of a submitting host is made
 * @param idPrefix before each batch id, where another batch system of the site gives the same ids; empty for none
 * @param withholdUsers whether messages name no users
 * @param benchmarks of the queues
 * @param since jobs that ended before are not published; null for all
 * @param patience how long a record waits for the batch system's report before it is published without
 * @param perMessage the most records of a message, up to 1000
 * @param queue directory of the SSM's queue, or of the BLAH log
 * @param totals how often summaries and counts are published
 * @param keep how long records are kept
 */
public record AccountingSettings(
        @Key Publishing publish,
        @Key Records records,
        Form form,
        String site,
        String machine,
        String endpoint,

        @Key(
                form = "[A-Za-z0-9._-]{1,32}",
                accepted = "empty or up to 32 letters, digits, dots and dashes",
                optional = true)
        String idPrefix,

        @Key boolean withholdUsers,
        Benchmarks benchmarks,
        Instant since,
        Duration patience,

        int perMessage,

        Path queue,

        Duration totals,

        @Key(min = "62 days", max = "36500 days") Duration keep) {
    /** Ways to a site's accounting; a job goes one of them. */
    public enum Publishing {
        OFF,
        /** Messages in the queue of a Secure STOMP Messenger. */
        SSM,
        /** The log that the site's APEL parser joins with the batch system's. */
        BLAH
    }

    /** Whether a message holds jobs or their sums. */
    public enum Records {
        JOBS,
        SUMMARIES
    }

    /** The versions of APEL's messages. */
    public enum Form {
        /** One benchmark of a job: v0.3 of job records, v0.2 of summaries. */
        ONE_BENCHMARK,
        /** Version 0.4, which holds several benchmarks. */
        SEVERAL_BENCHMARKS
    }

    /** Whether anything is published. */
    public boolean publishes() {
        return publish != Publishing.OFF;
    }

    Instant earliest() {
        return since == null ? Instant.EPOCH : since;
    }
}
