package org.gelato.ce.core.lrms.type;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.base.Keys;

/**
 * A kind of batch system. Found by {@link java.util.ServiceLoader}; stateless. Its defaults are in the {@code reference.conf} of its
 * module, below {@code gelato.lrms.NAME}.
 */
public interface LrmsType {
    /** As in {@code gelato.lrms.kind} and as its section is called: letters, digits and dashes. */
    String name();

    /**
     * Reads its keys and reports what is wrong with them to {@code keys}. Also called for a type that is not the site's, so that a
     * wrong value is never passed over.
     *
     * @return never null; of no use where problems were reported
     */
    LrmsSite read(Keys keys, Common common);

    /** The program whose presence shows that the batch system is installed; null for one that is not looked for. */
    default String program() {
        return null;
    }

    /** Where its commands may be beside the usual directories. */
    default List<Path> directories() {
        return List.of();
    }

    /** Whether no other batch system has a {@link #program()} of that name, so that a silent one is proposed, too. */
    default boolean isProgramItsOwn() {
        return false;
    }

    /** Where several respond, the one with the lowest number is proposed. */
    default int precedence() {
        return 100;
    }

    /**
     * What is found on this host, for a setup. Changes nothing.
     *
     * @param bin directory in which {@link #program()} is; null for a type without one
     */
    default FoundLrms find(Path bin, LrmsSearch search) {
        return FoundLrms.unqueried();
    }

    /** Options that {@code ce server init} has for it. */
    default List<SetupOption> setupOptions() {
        return List.of();
    }

    /** Keys of a CREAM CE's configuration that become keys of this type. */
    default List<CreamMapping> creamKeys() {
        return List.of();
    }

    /**
     * What counts for every batch system.
     *
     * @param chosen whether this is the type that the site uses
     * @param commandTimeout after which one of its commands is killed; at least a second
     * @param sharedSandboxes whether worker nodes see the sandboxes
     */
    record Common(boolean chosen, Duration commandTimeout, boolean sharedSandboxes) {}
}
