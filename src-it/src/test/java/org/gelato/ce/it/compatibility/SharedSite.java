package org.gelato.ce.it.compatibility;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands the one site of this package to its test classes; the first one starts it, the end of the run stops it. */
final class SharedSite implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ConformanceSite.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(SharedSite.class))
                .getOrComputeIfAbsent(ConformanceSite.class, key -> new ConformanceSite(), ConformanceSite.class);
    }
}
