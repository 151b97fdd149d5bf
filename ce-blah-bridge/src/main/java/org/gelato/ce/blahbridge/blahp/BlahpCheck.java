package org.gelato.ce.blahbridge.blahp;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.lrms.type.LrmsSite.Unsupported;

/** Looks for what would keep every job of an account from running, by a blahpd of its own that is given no job. */
final class BlahpCheck {
    private static final String PAGE = Manual.page("docs/admin/blahp.md");
    private final BlahpConfig config;

    BlahpCheck(BlahpConfig config) {
        this.config = config;
    }

    /** Blocks until blahpd has responded, or its time is over. */
    Optional<Unsupported> of(String account) {
        try (GahpChannel blahpd = GahpChannel.start(config.command())) {
            return config.sudo() ? served(blahpd, account) : ping(blahpd);
        } catch (IOException e) {
            return found(BlahpType.COMMAND, e.getMessage(), "correct the command, or blahpd's configuration");
        }
    }

    /** It may take an account, and fail at the next command. */
    private Optional<Unsupported> served(GahpChannel blahpd, String account) throws IOException {
        Optional<String> refusal = refusal(blahpd.ask("BLAH_SET_SUDO_ID", account));
        if (refusal.isEmpty()) {
            Optional<Unsupported> found = ping(blahpd);
            if (found.isEmpty()) {
                return found;
            }
            refusal = refusal(blahpd.ask("BLAH_SET_SUDO_OFF"));
            Optional<Unsupported> forAll = refusal.isPresent() ? found : ping(blahpd);
            if (forAll.isPresent()) {
                return forAll;
            }
            refusal = Optional.of(found.get().what());
        }
        return found(
                BlahpType.SUDO,
                "blahpd does not serve the account " + account + ": " + refusal.get(),
                "allow it in blahpd's configuration and sudoers");
    }

    private Optional<Unsupported> ping(GahpChannel blahpd) throws IOException {
        List<String> commands;
        try {
            commands = blahpd.ask("COMMANDS").get(config.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // an older one may not know that
            return Optional.empty();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (!commands.contains(Blahpd.PING)) {
            return Optional.empty();
        }
        Optional<String> refusal =
                refusal(blahpd.request(Blahpd.PING, List.of(config.gridType())).thenApply(words -> {
                    String failure = BlahpResponse.held(words);
                    if (failure != null) {
                        throw new IllegalStateException(failure);
                    }
                    return words;
                }));
        return refusal.flatMap(words -> found(
                BlahpType.COMMAND,
                "the batch system behind blahpd does not respond (" + Blahpd.PING + "): " + words,
                "start it, or let blahpd reach it by what its environment and configuration say"));
    }

    /** Why a call failed; empty when it did not. */
    private Optional<String> refusal(CompletableFuture<List<String>> call) throws IOException {
        try {
            call.get(config.timeout().toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of(String.valueOf(e.getCause().getMessage()));
        } catch (TimeoutException e) {
            return Optional.of("no result within " + config.timeout().toSeconds() + " s");
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted", e);
    }

    private static Optional<Unsupported> found(String key, String what, String advice) {
        return Optional.of(new Unsupported(key, what, advice + " (" + PAGE + ")"));
    }
}
