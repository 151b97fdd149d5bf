package org.gelato.ce.ws.setup;

import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.lrms.type.FoundLrms;
import org.gelato.ce.core.lrms.type.LrmsType;

/**
 * A batch system that was found, or was named.
 *
 * @param binDirectory of its commands; null for one without, and where they are not found
 * @param found what it has
 */
record ChosenBatchSystem(LrmsType type, Path binDirectory, FoundLrms found) {
    /** As in {@code gelato.lrms.kind}. */
    String kind() {
        return type.name();
    }

    /** The default one first; empty when none could be read. */
    List<String> queues() {
        return found.queues();
    }

    /** Why queues could not be read; null when they were. */
    String problem() {
        return found.problem();
    }
}
