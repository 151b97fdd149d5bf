package org.gelato.ce.core.lrms;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Whether the batch system that is queried is still the one that has the jobs: its commands reach another one when the configuration of this
 * host is changed, and that does not know them. One that does not say which one it is counts as the same until it does. Thread-safe.
 */
public final class SameBatchSystem {
    private final Supplier<CompletableFuture<Optional<String>>> identity;
    private volatile String ofJobs;
    /** Whether it is not known that this is the one that has the jobs: it has not responded since the start, or is another one. */
    private volatile boolean isInDoubt;
    /** That it is another one; null where that is not known. */
    private volatile String trouble;

    /** @param identity asks it which one it is, as {@link org.gelato.ce.core.lrms.type.LrmsSite#identity} */
    public SameBatchSystem(Supplier<CompletableFuture<Optional<String>>> identity) {
        this.identity = identity;
    }

    /** One of a kind of which there is one. */
    static SameBatchSystem always() {
        return new SameBatchSystem(() -> CompletableFuture.completedFuture(Optional.empty()));
    }

    /** Asks which one it is. The first that it names is the one that has the jobs, where nothing else is known. */
    public CompletableFuture<Optional<String>> learn() {
        return identity.get().thenApply(seen -> {
            synchronized (this) {
                ofJobs = ofJobs == null ? seen.orElse(null) : ofJobs;
            }
            return seen;
        });
    }

    /** The one that has the jobs, as the database has it. */
    public synchronized void expect(String known) {
        ofJobs = known;
        isInDoubt = false;
        trouble = null;
    }

    /** The same, while it cannot be asked which one it is: no job is handed over before it responds. */
    public synchronized void expectInDoubt(String known) {
        ofJobs = known;
        isInDoubt = true;
    }

    /** Why the batch system that is reached does not count, as far as it has been looked; empty where it does. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    boolean isInDoubt() {
        return isInDoubt;
    }

    /** Fails where it is another one, or cannot be asked now: then what it does not know is not gone. */
    CompletableFuture<Void> check(String name) {
        String known = ofJobs;
        if (known == null) {
            return learn().handle((seen, e) -> null);
        }
        return identity.get().thenAccept(seen -> {
            String other = seen.isEmpty() || seen.get().equals(known)
                    ? null
                    : "the commands of " + name + " reach '" + seen.get() + "', and the jobs are in '" + known
                            + "': correct its configuration on this host, or set gelato.lrms.identity where they have moved";
            synchronized (this) {
                if (known.equals(ofJobs)) {
                    trouble = other;
                    isInDoubt = other != null;
                }
            }
            if (other != null) {
                throw new LrmsException(other);
            }
        });
    }
}
