package org.gelato.ce.ws.parts;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.UnusedAccounts;
import org.junit.jupiter.api.Test;

class CountedCommandsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private int status = 404;

    private void ask(boolean mayBeMissing) {
        AccountCommands daemon = new UnusedAccounts() {
            @Override
            public CompletableFuture<HttpResponse> http(String account, HttpCall call) {
                return CompletableFuture.completedFuture(new HttpResponse(status, new byte[0]));
            }
        };
        new CountedCommands(daemon, meters, "batch")
                .http(
                        "dteam001",
                        new AccountCommands.HttpCall(
                                "daemon", null, "GET", "/v7", new byte[0], Duration.ofSeconds(1), 10, mayBeMissing))
                .join();
    }

    private double counted(String outcome) {
        Counter counter =
                meters.find("ce.lrms.commands").tag("outcome", outcome).counter();
        return counter == null ? 0 : counter.count();
    }

    @Test
    void askingADaemonForWhatItLacksIsNoFailure() {
        ask(true);
        assertThat(counted("failed")).isZero();
        assertThat(counted("ok")).isEqualTo(1);
        ask(false);
        assertThat(counted("failed")).isEqualTo(1);
        status = 401;
        ask(true);
        assertThat(counted("failed")).isEqualTo(2);
    }
}
