package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.ChannelLostException;
import org.junit.jupiter.api.Test;

/** A helper that does not respond keeps no caller for ever. */
class HelperTimeLimitTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofDays(1);

    private final List<CompletableFuture<List<String>>> requests = new ArrayList<>();

    private HelperAccountCommands accounts(Duration margin, Duration fileWork) {
        return new HelperAccountCommands(
                (verb, args) -> {
                    CompletableFuture<List<String>> request = new CompletableFuture<>();
                    requests.add(request);
                    return request;
                },
                margin,
                fileWork);
    }

    private static AccountCommands.Run run(Duration timeout) {
        return new AccountCommands.Run(List.of("/bin/true"), null, Map.of(), new byte[0], List.of(), timeout, 10);
    }

    private static void assertUnknown(CompletableFuture<?> response, String verb) {
        assertThatThrownBy(() -> response.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(ChannelLostException.class)
                .hasMessageContaining("no result of " + verb + " within")
                .hasMessageContaining("may or may not have been done");
    }

    @Test
    void aCommandWithoutAResultHasAnEndAndAnUnknownFate() {
        assertUnknown(accounts(SHORT, LONG).run("dteam001", run(SHORT)), "GELATO_RUN");
        assertUnknown(
                accounts(SHORT, LONG).stream("dteam001", run(SHORT), Runnable::run, piece -> {}), "GELATO_STREAM");
    }

    @Test
    void soHasWorkOnFiles() {
        assertUnknown(accounts(LONG, SHORT).renameAway("dteam001", Path.of("/a"), Path.of("/b")), "GELATO_RENAME");
        assertUnknown(accounts(LONG, SHORT).list("dteam001", Path.of("/a"), 1), "GELATO_LIST");
    }

    @Test
    void aResultInTimeCountsAndALateOneIsIgnored() throws Exception {
        CompletableFuture<Void> inTime = accounts(LONG, LONG).renameAway("dteam001", Path.of("/a"), Path.of("/b"));
        requests.get(0).complete(List.of("0", ""));
        assertThat(inTime.get(1, TimeUnit.MINUTES)).isNull();
        CompletableFuture<Void> late = accounts(LONG, SHORT).renameAway("dteam001", Path.of("/a"), Path.of("/b"));
        assertUnknown(late, "GELATO_RENAME");
        assertThat(requests.get(1)).isNotDone();
        assertThat(requests.get(1).complete(List.of("0", ""))).isTrue();
    }
}
