package org.gelato.ce.ws.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.account.UnusedAccounts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GridFtpServerTest {
    private static final List<String> LINE = List.of("/usr/sbin/server", "-c", "/conf");

    private final List<Asked> runs = new ArrayList<>();
    private final List<CompletableFuture<AccountCommands.Completed>> ends = new ArrayList<>();
    private final List<Long> pauses = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    /** Which start fails at once, counted from 1. */
    private int failing;

    /** One start that was requested from the helper. */
    private record Asked(String account, AccountCommands.Run run) {}

    private final AccountCommands accounts = new UnusedAccounts() {
        @Override
        public CompletableFuture<Completed> run(String account, AccountCommands.Run run) {
            runs.add(new Asked(account, run));
            if (runs.size() == failing) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            ends.add(new CompletableFuture<>());
            return ends.get(ends.size() - 1);
        }
    };

    /** Notes the pause and continues at once. */
    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            pauses.add(unit.toMillis(delay));
            command.run();
            return null;
        }
    };

    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    private GridFtpServer server(int port) {
        return new GridFtpServer(
                accounts, LINE, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), scheduler, clock);
    }

    @Test
    void aStartThatFailsAtOnceIsRepeated() {
        failing = 1;
        server(1).start();
        assertThat(runs).hasSize(2);
        assertThat(pauses).hasSize(1);
    }

    private void end() {
        ends.get(ends.size() - 1).complete(new AccountCommands.Completed(1, false, "", "address in use"));
    }

    @Test
    void theHelperRunsItAsItsOwnAccountWithoutEnvironment() {
        server(1).start();
        assertThat(runs).hasSize(1);
        assertThat(runs.get(0).account()).isEqualTo(AccountCommands.SELF);
        assertThat(runs.get(0).run().argv()).isEqualTo(LINE);
        assertThat(runs.get(0).run().environment()).isEmpty();
    }

    @Test
    void pausesGrowWhileItKeepsEndingAndShrinkWhenItLasted() {
        GridFtpServer server = server(1);
        server.start();
        for (int i = 0; i < 8; i++) {
            end();
        }
        assertThat(pauses).containsExactly(1000L, 2000L, 4000L, 8000L, 16_000L, 32_000L, 60_000L, 60_000L);
        now = now.plusSeconds(61);
        end();
        assertThat(pauses).endsWith(1000L);
        assertThat(server.restarts()).isEqualTo(9);
    }

    @Test
    void aServerWhoseFateIsUnknownIsStartedAgain() {
        server(1).start();
        ends.get(0).completeExceptionally(new ChannelLostException("the worker died"));
        assertThat(runs).hasSize(2);
    }

    @Test
    void itIsNotStartedAgainAfterTheClose() {
        GridFtpServer server = server(1);
        server.start();
        server.close();
        end();
        assertThat(runs).hasSize(1);
    }

    @Test
    void itListensWhenItRunsAndItsPortTakesConnections() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            GridFtpServer server = server(socket.getLocalPort());
            assertThat(server.listens().get(5, TimeUnit.MINUTES))
                    .as("a stranger's port before the start")
                    .isFalse();
            server.start();
            assertThat(server.listens().get(5, TimeUnit.MINUTES)).isTrue();
            server.close();
            end();
            assertThat(server.listens().get(5, TimeUnit.MINUTES))
                    .as("a stranger's port after the end")
                    .isFalse();
        }
        // Bound and not listening: no other process can take the port meanwhile.
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            GridFtpServer server = server(socket.getLocalPort());
            server.start();
            assertThat(server.listens().get(5, TimeUnit.MINUTES)).isFalse();
        }
    }
}
