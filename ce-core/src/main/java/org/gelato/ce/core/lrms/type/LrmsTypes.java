package org.gelato.ce.core.lrms.type;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The kinds of batch systems on the class path. */
public final class LrmsTypes {
    private static final List<LrmsType> ALL =
            ServiceLoader.load(LrmsType.class, LrmsType.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .sorted(Comparator.comparingInt(LrmsType::precedence).thenComparing(LrmsType::name))
                    .toList();

    private LrmsTypes() {}

    /** In the order in which a setup proposes them. */
    public static List<LrmsType> all() {
        return ALL;
    }

    public static Optional<LrmsType> named(String name) {
        return ALL.stream().filter(type -> type.name().equals(name)).findFirst();
    }

    /** {@code slurm, torque, blahp, fork}. */
    public static String names() {
        return ALL.stream().map(LrmsType::name).collect(Collectors.joining(", "));
    }
}
