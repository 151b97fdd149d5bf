package org.gelato.ce.perf.pilots;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.site.MeasuredSite;

/**
 * Over CREAM2, by a client that repeats a call without a response, as a factory does while the CE is away. The registration is repeated under
 * its key by the client of {@code ce}; only where that gives up it is made anew. A start or a purge may have been done without a response:
 * the refusal of its repetition says so.
 */
public final class SurvivingFrontend implements Frontend {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long PAUSE_NANOS = Duration.ofMillis(300).toNanos();
    private static final String WRONG_STATE = "JobStatusInvalidFault";
    private static final String UNKNOWN = "JobUnknownFault";

    private final ComputingElement ce;
    private final String delegation;
    private final String jdl;
    private final AtomicInteger repeated;

    /**
     * @param proxy of its user
     * @param delegation of all the user's pilots, delegated by {@link #delegate}
     * @param repeated counts calls that failed and were repeated
     */
    public SurvivingFrontend(MeasuredSite site, Path proxy, String delegation, String jdl, AtomicInteger repeated) {
        ce = Client.connectAnew(site, proxy);
        this.delegation = delegation;
        this.jdl = jdl;
        this.repeated = repeated;
    }

    /** Delegates the user's proxy. */
    public void delegate() {
        ce.delegate(delegation);
    }

    @Override
    public void send(Clock clock, Consumer<String> registered) {
        send(1, clock, registered);
    }

    /** Sends so many in one call. */
    public void send(int pilots, Clock clock, Consumer<String> registered) {
        List<String> ids = clock.apply("register").time(() -> patiently(() -> register(pilots)));
        ids.forEach(registered);
        clock.apply("start").timed(() -> patiently(() -> done(ce.start(ids), WRONG_STATE)));
    }

    private List<String> register(int pilots) {
        List<String> ids = new ArrayList<>();
        for (Response<String> response : ce.register(Collections.nCopies(pilots, JobText.of(jdl)), delegation)) {
            if (response.fault() != null) {
                throw new CliException(response.fault().message());
            }
            ids.add(response.value());
        }
        return ids;
    }

    /** @param doneBefore the refusal of what an earlier call has done */
    private static int done(List<Response<Void>> refusals, String doneBefore) {
        for (Response<Void> refusal : refusals) {
            if (!refusal.fault().kind().equals(doneBefore)) {
                throw new CliException(
                        refusal.subject() + ": " + refusal.fault().message());
            }
        }
        return 0;
    }

    @Override
    public List<Ended> ended(Clock clock) {
        List<Response<StatusReport>> all =
                clock.apply("status of all pilots of a user").time(() -> patiently(() -> ce.status(JobSelector.ALL)));
        return Cream2Frontend.ended(all);
    }

    @Override
    public int purge(Clock clock, Collection<String> ids) {
        JobSelector jobs = JobSelector.of(List.copyOf(ids));
        return clock.apply("purge").time(() -> patiently(() -> done(ce.purge(jobs), UNKNOWN)));
    }

    @Override
    public void renew(Clock clock) {
        clock.apply("renew")
                .timed(() -> patiently(() -> {
                    ce.renew(delegation);
                    return 0;
                }));
    }

    private <T> T patiently(Supplier<T> call) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return call.get();
            } catch (CliException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("no response in " + PATIENCE + ": " + e.getMessage(), e);
                }
                repeated.incrementAndGet();
                Crew.rest(PAUSE_NANOS);
            }
        }
    }

    @Override
    public void close() {
        // The client keeps nothing that must be closed.
    }
}
