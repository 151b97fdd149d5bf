package org.gelato.ce.it.site;

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
        SiteCe ce = new SiteCe("shared", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", SLOTS));
        try {
            return ce.start();
        } catch (RuntimeException | Error e) {
            ce.close();
            throw e;
        }
    }
}
