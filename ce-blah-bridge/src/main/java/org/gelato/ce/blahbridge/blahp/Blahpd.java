package org.gelato.ce.blahbridge.blahp;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running blahpd. In sudo mode each command is for the account that was named last, so one thread alone names accounts
 * and sends commands, and sends none whose account blahpd did not confirm. Starts blahpd again, at the next command and
 * not more often than every five seconds, when it has ended.
 *
 * <p>Called from any thread; calls return at once. When the JVM is killed blahpd reads the end of its input and ends;
 * scripts it was running may live on, see {@link #age}.
 */
final class Blahpd implements AutoCloseable {
    /** HTCondor's blahpd has it since 2021: the scripts' own check of their batch system. */
    static final String PING = "BLAH_PING";

    /** For commands that belong to no account. */
    static final String NOBODY = "";

    private static final Logger log = LoggerFactory.getLogger(Blahpd.class);
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Duration BETWEEN_STARTS = Duration.ofSeconds(5);

    private final BlahpConfig config;
    private final Clock clock;
    private final ExecutorService turn = Executors.newSingleThreadExecutor(r -> {
        Thread thread = new Thread(r, "blahpd");
        thread.setDaemon(true);
        return thread;
    });
    private volatile GahpChannel channel;
    private volatile Instant startedAt;
    private long triedAt;
    private String account;

    private Blahpd(BlahpConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
    }

    /** @throws IOException when it does not start, with its message */
    static Blahpd start(BlahpConfig config, Clock clock) throws IOException {
        Blahpd blahpd = new Blahpd(config, clock);
        try {
            blahpd.open();
            return blahpd;
        } catch (IOException e) {
            blahpd.close();
            throw e;
        }
    }

    /**
     * One command.
     *
     * @param forAccount whose command it is; {@link #NOBODY} for blahpd's own account
     * @return the words of its result after the request id; fails with {@link AccountCommandException} when it certainly
     *     was not taken, with anything else when that is unknown
     */
    CompletableFuture<List<String>> call(String forAccount, String verb, List<String> args) {
        try {
            return CompletableFuture.supplyAsync(() -> serving(forAccount).request(verb, args), turn)
                    .thenCompose(Function.identity());
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(busy("the CE is stopping"));
        }
    }

    private GahpChannel serving(String forAccount) {
        GahpChannel running = running();
        serve(running, forAccount);
        return running;
    }

    private GahpChannel running() {
        try {
            return open();
        } catch (IOException e) {
            throw busy(e.getMessage());
        }
    }

    private static AccountCommandException busy(String why) {
        return new AccountCommandException(Code.BUSY, why);
    }

    private GahpChannel open() throws IOException {
        GahpChannel old = channel;
        if (old != null && old.alive()) {
            return old;
        }
        long now = System.nanoTime();
        if (old != null && now - triedAt < BETWEEN_STARTS.toNanos()) {
            throw new IOException("blahpd has ended; it is started again in some seconds");
        }
        triedAt = now;
        if (old != null) {
            log.warn("blahpd has ended, starting it again");
            old.close();
        }
        GahpChannel started = GahpChannel.start(config.command());
        startedAt = clock.instant();
        account = NOBODY;
        channel = started;
        return started;
    }

    private void serve(GahpChannel open, String forAccount) {
        if (!config.sudo() || forAccount.equals(account)) {
            return;
        }
        account = null; // whatever happens now, no account's command may follow without a confirmation
        try {
            (forAccount.equals(NOBODY) ? open.ask("BLAH_SET_SUDO_OFF") : open.ask("BLAH_SET_SUDO_ID", forAccount))
                    .get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw busy("blahpd does not serve the account " + forAccount + ": " + e.getCause());
        } catch (TimeoutException e) {
            open.close(); // a late result could not be distinguished from the result of another request
            throw busy("blahpd did not respond within " + WAIT.toSeconds() + " s, it is started again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy("the CE is stopping");
        }
        account = forAccount;
    }

    /** Whether it runs, with its banner or what is wrong. */
    CompletableFuture<String> version() {
        return ask("VERSION").thenApply(words -> channel.banner());
    }

    /** Whether it can tell if the batch system behind it responds; an older one cannot. */
    CompletableFuture<Boolean> pings() {
        return ask("COMMANDS").handle((commands, failure) -> failure == null && commands.contains(PING));
    }

    private CompletableFuture<List<String>> ask(String verb) {
        return CompletableFuture.supplyAsync(() -> running().ask(verb), turn)
                .thenCompose(Function.identity())
                .orTimeout(WAIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** How long this blahpd runs: scripts of an earlier one may still be at work when it is shorter than a command takes. */
    Duration age() {
        GahpChannel now = channel;
        return now == null || !now.alive() ? Duration.ZERO : Duration.between(startedAt, clock.instant());
    }

    @Override
    public void close() {
        turn.shutdownNow();
        GahpChannel open = channel;
        if (open != null) {
            open.close();
        }
    }
}
