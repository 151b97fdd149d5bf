package org.gelato.ce.it.compatibility;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands the one site of this package to its test classes: the first one in a process starts it, the end of the process's last class stops
 * it. The root context would not do, as Failsafe has one for each class.
 */
final class SharedSite implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ConformanceSite.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SharedSite.class))
                .getOrComputeIfAbsent(ConformanceSite.class, key -> new ConformanceSite(), ConformanceSite.class);
    }
}
