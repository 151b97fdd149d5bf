package org.gelato.ce.testkit.site;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The parts of a site that was made for one run, closed together, the one opened last first: when the site is closed, or by a shutdown hook when
 * the process is signalled to end. A part that cannot be closed keeps no other open. Filled and closed by one thread, and by the hook.
 */
public final class ExitStack implements AutoCloseable {
    private final String site;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Thread hook = new Thread(this::closeAll, "close-site");
    private boolean closed;

    /** @param site for the message when a part cannot be closed */
    public ExitStack(String site) {
        this.site = site;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Closes a part with the rest, or at once where that is closed already, as the process ends; returns it. */
    public <T extends AutoCloseable> T push(T part) {
        synchronized (open) {
            open.push(part);
            if (closed) {
                closeAll();
            }
        }
        return part;
    }

    /**
     * Closes everything. When the process ends already, the hook does.
     *
     * @throws IllegalStateException when a part cannot be closed; the others are
     */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return;
        }
        closeAll();
    }

    /** Closes everything after a failure, which is what matters: what cannot be closed is added to it. */
    public void closeAfter(Exception failure) {
        try {
            close();
        } catch (IllegalStateException e) {
            failure.addSuppressed(e);
        }
    }

    private void closeAll() {
        List<Exception> failures = new ArrayList<>();
        synchronized (open) {
            closed = true;
            while (!open.isEmpty()) {
                try {
                    open.pop().close();
                } catch (Exception e) {
                    failures.add(e);
                }
            }
        }
        if (!failures.isEmpty()) {
            IllegalStateException all = new IllegalStateException(
                    "not everything of " + site + " could be closed: " + failures.get(0), failures.get(0));
            failures.subList(1, failures.size()).forEach(all::addSuppressed);
            throw all;
        }
    }
}
