package org.gelato.ce.blahbridge.fork;

import org.gelato.ce.core.base.Keys;
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
    public LrmsSite read(Keys keys, Common common) {
        return keys.read("gelato.lrms.fork", ForkSite.class);
    }
}
