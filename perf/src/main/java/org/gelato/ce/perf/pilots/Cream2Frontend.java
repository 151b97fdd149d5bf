package org.gelato.ce.perf.pilots;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.perf.load.Client;

/** Over CREAM2: registration and start are two calls, and the states of all jobs one. */
public final class Cream2Frontend implements Frontend {
    private final Client client;

    public Cream2Frontend(Client client) {
        this.client = client;
    }

    @Override
    public void send(Clock clock, Consumer<String> registered) {
        List<String> ids = clock.apply("register").time(() -> client.register(1));
        ids.forEach(registered);
        clock.apply("start").timed(() -> Client.accept(client.ce().start(ids)));
    }

    @Override
    public List<Ended> ended(Clock clock) {
        List<Response<StatusReport>> all = clock.apply("status of all pilots of a user")
                .time(() -> client.ce().status(JobSelector.ALL));
        return ended(all);
    }

    /** Those of the statuses that are of ended pilots. */
    static List<Ended> ended(List<Response<StatusReport>> all) {
        List<Ended> ended = new ArrayList<>();
        for (Response<StatusReport> response : all) {
            StatusReport status = response.value();
            if (status != null && status.isFinal()) {
                ended.add(new Ended(response.subject(), status.isDoneOk()));
            }
        }
        return ended;
    }

    @Override
    public int purge(Clock clock, Collection<String> ids) {
        return clock.apply("purge")
                .time(() -> client.ce().purge(JobSelector.of(List.copyOf(ids))))
                .size();
    }

    @Override
    public void renew(Clock clock) {
        clock.apply("renew").timed(client::renew);
    }

    @Override
    public void close() {
        // The client keeps nothing that must be closed.
    }
}
