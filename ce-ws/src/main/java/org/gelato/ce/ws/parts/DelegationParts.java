package org.gelato.ce.ws.parts;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.delegation.CanlChainValidator;
import org.gelato.ce.core.delegation.DelegationEnd;
import org.gelato.ce.core.delegation.DelegationService;
import org.gelato.ce.core.delegation.KeyPool;
import org.gelato.ce.core.delegation.ProxyCheck;
import org.gelato.ce.core.delegation.ProxyFiles;
import org.gelato.ce.core.delegation.VomsAttributeReader;
import org.gelato.ce.ws.config.DelegationConfig;

/** Delegated proxies and tokens. */
record DelegationParts(DelegationService service) {
    private static final Duration SWEEP = Duration.ofMinutes(10);

    /** The first keys take seconds of the processor. */
    private static final Duration KEYS_AFTER = Duration.ofSeconds(10);

    static DelegationParts open(
            Opening o,
            StoreParts stores,
            HelperParts helper,
            TrustParts trust,
            HandOverParts handOver,
            AuditTrail audit) {
        KeyPool keys = o.opened(new KeyPool(o.config().delegation().keyPool()));
        DelegationService service = new DelegationService(
                stores.database(),
                stores.owners(),
                new ProxyFiles(stores.places().layout(), helper.accounts()),
                new DelegationService.Keys(keys, stores.secrets().vault(), DelegationConfig.KEY_REUSE),
                new ProxyCheck(
                        new CanlChainValidator(trust.trust().clients()),
                        new VomsAttributeReader(trust.trust().attributeValidator(), trust.trust()::refusal),
                        o.clock()),
                new DelegationEnd.Listeners(handOver.commands()::cancelJobsOf, audit),
                o.config().delegation().quota(),
                o.clock());
        o.work(() -> o.scheduler().execute(service::repair));
        o.sweep(SWEEP, "sweep of delegations", service.sweeper()::sweep);
        o.work(() -> o.scheduler().schedule(keys::start, KEYS_AFTER.toMillis(), TimeUnit.MILLISECONDS));
        return new DelegationParts(service);
    }
}
