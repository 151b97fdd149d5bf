package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps a quarter of the transfers that are possible at once for others than the one who has most. Thread-safe. */
final class Shares {
    private final int most;
    private final Map<Integer, Integer> held = new ConcurrentHashMap<>();

    /** @param places transfers at once */
    Shares(int places) {
        this.most = places - places / 4;
    }

    /**
     * Takes a part.
     *
     * @param owner whose job's files move
     * @param place gives it back
     * @throws Refusal 503 when the jobs of this owner have their part
     */
    void enter(int owner, SandboxServlet.Place place) {
        held.merge(owner, 1, (now, one) -> {
            if (now >= most) {
                throw new Refusal(
                        HttpServletResponse.SC_SERVICE_UNAVAILABLE, "too many transfers of this user's jobs at once");
            }
            return now + one;
        });
        place.holds(() -> held.computeIfPresent(owner, (who, now) -> now == 1 ? null : now - 1));
    }
}
