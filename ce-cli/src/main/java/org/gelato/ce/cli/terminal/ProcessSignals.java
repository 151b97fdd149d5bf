package org.gelato.ce.cli.terminal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The signals of this process, by the module jdk.unsupported: Java has no other way, and the compiler warns of each use that it sees.
 * Where it is not there, signals do what they do without it.
 */
public final class ProcessSignals implements Signals {
    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";

    @Override
    public Handling handle(Consumer<Signal> handler) {
        List<Runnable> former = new ArrayList<>();
        for (Signal signal : Signal.values()) {
            try {
                former.add(install(signal, handler));
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                // Another Java, or one whose options keep signals away from programs (-Xrs).
                return () -> former.forEach(Runnable::run);
            }
        }
        return () -> former.forEach(Runnable::run);
    }

    /** @return what brings back the former handler */
    private static Runnable install(Signal signal, Consumer<Signal> handler) throws ReflectiveOperationException {
        Class<?> signals = Class.forName(SIGNAL);
        Class<?> handlers = Class.forName(HANDLER);
        Object named = signals.getConstructor(String.class).newInstance(signal.name());
        Object own = Proxy.newProxyInstance(
                ProcessSignals.class.getClassLoader(), new Class<?>[] {handlers}, (proxy, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        handler.accept(signal);
                        return null;
                    }
                    return switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == arguments[0];
                        default -> "handler of " + signal;
                    };
                });
        Object before;
        try {
            before = signals.getMethod("handle", signals, handlers).invoke(null, named, own);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause());
        }
        return () -> {
            try {
                signals.getMethod("handle", signals, handlers).invoke(null, named, before);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("what handled " + signal + " before can't be brought back", e);
            }
        };
    }

    @Override
    public void leave(int exitCode) {
        System.exit(exitCode);
    }
}
