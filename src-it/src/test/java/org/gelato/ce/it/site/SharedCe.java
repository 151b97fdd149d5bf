package org.gelato.ce.it.site;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands one CE of usual settings, on fork, to the test classes that need nothing else: a start costs as much as many tests. The first such
 * class of a process starts it, the end of the process's last class stops it. Each test has users of its own, and nobody ends the CE.
 */
public final class SharedCe implements ParameterResolver {
    /** Whose tokens it takes. */
    public static final SiteIssuer ISSUER = new SiteIssuer("cms");

    private static final int SLOTS = 16;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SiteCe.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SharedCe.class))
                .getOrComputeIfAbsent(SiteCe.class, key -> start(), SiteCe.class);
    }

    private static SiteCe start() {
        Map<String, Object> settings = new HashMap<>(ISSUER.trust());
        settings.put("gelato.lrms.fork.slots", SLOTS);
        SiteCe ce = new SiteCe("shared", "fork", JobAccount.name(), settings);
        try {
            ISSUER.map(ce);
            return ce.start();
        } catch (RuntimeException | Error e) {
            ce.close();
            throw e;
        }
    }
}
