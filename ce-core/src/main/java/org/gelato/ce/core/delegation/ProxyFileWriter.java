package org.gelato.ce.core.delegation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.delegation.DelegationStore.Stored;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.SharedWork;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the files of proxies and tokens up to their rows. Called on request threads and by sweeps; no database connection is held while
 * the helper works.
 *
 * <p>Two renewals of one delegation, on one node or two, may write in another order than they were stored in. So a file
 * is marked as written only while the row still holds what was written; who finds another version there writes that one,
 * and who finds the row gone removes the file. A write that was given up may still be done, but before later ones: the
 * helper works for an account in order. After a crash between row and mark {@link #repair} writes the file again;
 * a file is replaced whole, so that until then jobs see the proxy before.
 */
final class ProxyFileWriter {
    private static final Logger log = LoggerFactory.getLogger(ProxyFileWriter.class);
    /** More than calls of one user that run at once: each can store one newer version while another is written. */
    private static final int ROUNDS = 1000;

    private static final int REPAIR_LIMIT = 10_000;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMinutes(1), Duration.ofHours(1));
    private static final SharedWork.Bounds BOUNDS = new SharedWork.Bounds(8, 64, ProxyFiles.PATIENCE);

    private final DelegationStore store;
    private final ProxyFiles files;
    private final ProxyFileContent content;
    private final KeyVault vault;
    private final Clock clock;
    private final SharedWork<String> accounts;
    private final SharedWork<Path> keys;

    ProxyFileWriter(
            DelegationStore store,
            ProxyFiles files,
            ProxyFileContent content,
            KeyVault vault,
            Clock clock,
            LongSupplier nanoTime) {
        this.store = store;
        this.files = files;
        this.content = content;
        this.vault = vault;
        this.clock = clock;
        this.accounts = new SharedWork<>(log, "proxy files of", BACKOFF, BOUNDS, ProxyFileWriter::isOfAll, nanoTime);
        this.keys = new SharedWork<>(log, "proxy file", BACKOFF, BOUNDS, e -> false, nanoTime);
    }

    private static boolean isOfAll(Throwable e) {
        return AccountCommandException.isBusy(e) || Database.isPassing(e);
    }

    /**
     * Writes the file of a stored proxy or token and marks it.
     *
     * @param firstTime whether the directory may be absent
     * @return false when the delegation was destroyed meanwhile
     * @throws IOException when the file was not written; it stays unmarked
     */
    boolean write(Stored proxy, boolean firstTime) throws IOException {
        files.write(proxy.account(), proxy.file(), content(proxy), firstTime);
        return mark(proxy);
    }

    /** Marks what was written, after newer versions where there are any; as {@link #write}. */
    private boolean mark(Stored written) throws IOException {
        Stored version = written;
        for (int round = 0; round < ROUNDS; round++) {
            Steps.reached(Step.PROXY_FILE_WRITTEN);
            if (store.markWritten(version.id(), version.sealedKey(), clock.instant())) {
                return true;
            }
            Optional<Stored> current = store.stored(version.id());
            if (current.isEmpty()) {
                Path file = version.file();
                files.remove(
                        version.account(),
                        file.getParent(),
                        List.of(file.getFileName().toString()));
                return false;
            }
            version = current.get();
            files.write(version.account(), version.file(), content(version), false);
        }
        throw new IOException("proxy file " + version.file() + " is renewed faster than it can be written");
    }

    private byte[] content(Stored version) {
        return switch (version.kind()) {
            case X509 -> content.of(ProxyChain.parse(version.chain()), vault.unseal(version.sealedKey()));
            case JWT -> vault.unsealText(version.sealedKey()).concat("\n").getBytes(StandardCharsets.US_ASCII);
        };
    }

    /**
     * Writes every file that is older than its row. An account whose files cannot be written, or not in time, waits alone with all its files.
     *
     * @return files written
     */
    int repair() {
        List<Stored> due = store.unwritten(clock.instant(), REPAIR_LIMIT).stream()
                .filter(proxy -> keys.isDue(proxy.file()))
                .toList();
        int[] written = {0};
        try {
            accounts.each(
                    due,
                    Stored::account,
                    this::begin,
                    (proxy, begun) -> written[0] += begun && isMarked(proxy) ? 1 : 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the CE ends
        }
        return written[0];
    }

    /** Gives false where there is nothing to write: then its key does not open, and those of others may. */
    private CompletableFuture<Boolean> begin(Stored proxy) {
        byte[] text;
        try {
            text = content(proxy);
            keys.succeeded(proxy.file());
        } catch (IllegalStateException e) {
            keys.failed(proxy.file(), e);
            return CompletableFuture.completedFuture(false);
        }
        return files.begin(proxy.account(), proxy.file(), text).thenApply(done -> true);
    }

    private boolean isMarked(Stored written) {
        try {
            return mark(written);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
