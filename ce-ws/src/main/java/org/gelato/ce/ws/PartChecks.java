package org.gelato.ce.ws;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.command.LrmsPace;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.ws.http.HealthCheck;

/** Health checks of the parts only the wiring knows. */
final class PartChecks {
    private PartChecks() {}

    static HealthCheck helper(AccountCommands accounts) {
        return check("helper", () -> accounts.ping().thenApply(x -> new HealthCheck.Outcome(true, "answers")));
    }

    /** A hand-over that pauses is told and is no reason to send clients away: registration goes on. */
    static HealthCheck lrms(Lrms lrms, LrmsPace pace) {
        return check(lrms.name(), () -> lrms.health().thenApply(h -> new HealthCheck.Outcome(h.up(), words(h, pace))));
    }

    private static String words(Lrms.Health health, LrmsPace pace) {
        String paused = pace.pausedBy();
        return paused == null ? health.detail() : health.detail() + "; hand-over pauses: " + paused;
    }

    private static HealthCheck check(String name, Supplier<CompletableFuture<HealthCheck.Outcome>> look) {
        return new HealthCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public CompletableFuture<Outcome> check() {
                return look.get();
            }
        };
    }
}
