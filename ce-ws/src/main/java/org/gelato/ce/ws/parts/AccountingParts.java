package org.gelato.ce.ws.parts;

import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.accounting.UsagePublisher;
import org.gelato.ce.core.accounting.UsageQueries;
import org.gelato.ce.core.accounting.UsageRetention;

/** What jobs used, and its way to the site's accounting. */
record AccountingParts(AccountingSettings settings, UsagePublisher publisher, UsageQueries queries) {
    private static final Duration RETENTION_SWEEP = Duration.ofHours(6);

    static AccountingParts open(Opening o, StoreParts stores) {
        AccountingSettings settings = o.config().accounting().settings();
        UsagePublisher publisher = new UsagePublisher(stores.database(), settings, o.clock());
        o.counter("ce.usage.published", "Usage records published, by this node", publisher, UsagePublisher::published);
        o.counter(
                "ce.usage.unmapped",
                "Usage records published without a VO, by this node",
                publisher,
                UsagePublisher::unmapped);
        Gauge.builder("ce.usage.publish.failed", publisher, p -> p.failure() == null ? 0 : 1)
                .description("Whether the last attempt to publish usage failed")
                .register(o.meters());
        o.sweep(
                RETENTION_SWEEP,
                "removal of old usage records",
                new UsageRetention(stores.database(), settings, o.clock())::sweep);
        if (settings.publishes()) {
            o.sweep(o.config().accounting().interval(), "publishing of usage", () -> publisher.publish(false));
        }
        return new AccountingParts(settings, publisher, new UsageQueries(stores.database(), stores.owners(), settings));
    }
}
