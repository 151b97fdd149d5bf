package org.gelato.ce.it.compatibility;

import java.util.List;
import java.util.Optional;

/**
 * A response that passed the strict reader.
 *
 * @param content the Body's element; null for an empty Body or a fault
 * @param failure null for a response that is no fault
 * @param document as received
 */
record Response(Node content, Fault failure, String document) {
    boolean isFault() {
        return failure != null;
    }

    boolean isEmpty() {
        return content == null && failure == null;
    }

    /** The Body's element; fails for faults and an empty Body. */
    Node payload() {
        if (content == null) {
            throw new AssertionError("no element in the Body: " + document);
        }
        return content;
    }

    /** The fault of the call; fails without one. */
    Fault fault() {
        if (failure == null) {
            throw new AssertionError("no fault: " + document);
        }
        return failure;
    }

    List<Node> results() {
        return payload().all("result");
    }

    /** Faults of single jobs, in order. */
    List<Fault> jobFaults() {
        return results().stream()
                .flatMap(r -> r.children().stream())
                .filter(c -> c.name().endsWith("Fault"))
                .map(Fault::of)
                .toList();
    }

    /** The fault of the only job; fails without one. */
    Fault jobFault() {
        Optional<Fault> fault = jobFaults().stream().findFirst();
        return fault.orElseThrow(() -> new AssertionError("no fault of a job: " + document));
    }
}
