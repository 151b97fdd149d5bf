package org.gelato.ce.blahbridge.fork;

import org.gelato.ce.core.lrms.type.LrmsKeys;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.LrmsType;

/** Jobs that run on the CE's own host. */
public final class ForkType implements LrmsType {
    static final String NAME = "fork";

    /** For the {@link java.util.ServiceLoader}. */
    public ForkType() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public LrmsSite read(LrmsKeys keys, Common common) {
        return new ForkSite(keys.number("gelato.lrms.fork.slots", 1, 10_000));
    }
}
