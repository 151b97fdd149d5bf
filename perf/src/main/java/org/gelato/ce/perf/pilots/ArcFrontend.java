package org.gelato.ce.perf.pilots;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.gelato.ce.perf.load.ArcClient;

/**
 * Over ARC REST, as HTCondor polls: the list of all jobs, which is sent back as it came. A pilot starts with its registration.
 */
public final class ArcFrontend implements Frontend {
    private static final String FINISHED = "FINISHED";
    private static final Set<String> FINAL = Set.of(FINISHED, "FAILED", "KILLED", "WIPED");

    private final ArcClient client;
    private final String delegation;
    private final String description;

    /** @param delegation of all the user's pilots */
    public ArcFrontend(ArcClient client, String queue, String delegation) {
        this.client = client;
        this.delegation = delegation;
        description = ArcClient.description(queue, delegation);
    }

    @Override
    public void send(Clock clock, Consumer<String> registered) {
        clock.apply("submission").time(() -> client.submit(description, 1)).forEach(registered);
    }

    @Override
    public List<Ended> ended(Clock clock) {
        String list = clock.apply("list of all pilots of a user").time(client::list);
        Map<String, String> states =
                clock.apply("status of all pilots of a user").time(() -> client.states(list));
        List<Ended> ended = new ArrayList<>();
        states.forEach((id, state) -> {
            if (FINAL.contains(state)) {
                ended.add(new Ended(id, state.equals(FINISHED)));
            }
        });
        return ended;
    }

    @Override
    public int purge(Clock clock, Collection<String> ids) {
        return clock.apply("clean").time(() -> client.clean(List.copyOf(ids)));
    }

    @Override
    public void renew(Clock clock) {
        clock.apply("renew").timed(() -> client.renew(delegation));
        // The next one is longer away than a connection is kept.
        client.close();
    }

    @Override
    public void close() {
        client.close();
    }
}
