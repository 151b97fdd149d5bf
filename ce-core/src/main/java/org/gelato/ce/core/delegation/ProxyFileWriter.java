package org.gelato.ce.core.delegation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.delegation.DelegationStore.Stored;
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

    /** Accounts in one round whose files cannot be written. */
    private static final int MOST_FAILING = 5;

    private static final int REPAIR_LIMIT = 10_000;

    private final DelegationStore store;
    private final ProxyFiles files;
    private final ProxyFileContent content;
    private final KeyVault vault;
    private final Clock clock;

    ProxyFileWriter(DelegationStore store, ProxyFiles files, ProxyFileContent content, KeyVault vault, Clock clock) {
        this.store = store;
        this.files = files;
        this.content = content;
        this.vault = vault;
        this.clock = clock;
    }

    /**
     * Writes the file of a stored proxy or token and marks it.
     *
     * @param firstTime whether the directory may be absent
     * @return false when the delegation was destroyed meanwhile
     * @throws IOException when the file was not written; it stays unmarked
     */
    boolean write(Stored proxy, boolean firstTime) throws IOException {
        Stored version = proxy;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] text = content(version);
            files.write(version.account(), version.file(), text, firstTime && round == 0);
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
     * Writes every file that is older than its row. Leaves out the others of an account whose files cannot be written, as they would
     * wait for the same home.
     *
     * @return files written
     */
    int repair() {
        int written = 0;
        Set<String> failing = new HashSet<>();
        for (Stored proxy : store.unwritten(clock.instant(), REPAIR_LIMIT)) {
            if (failing.contains(proxy.account())) {
                continue;
            }
            try {
                if (write(proxy, true)) {
                    written++;
                }
            } catch (IOException e) {
                log.warn("proxy files of {} are left to be written: {}", proxy.account(), e.getMessage());
                if (failing.add(proxy.account()) && failing.size() == MOST_FAILING) {
                    return written; // the helper's fault then, not theirs
                }
            } catch (IllegalStateException e) { // its key does not open; those of others may
                log.error("proxy file {} can't be written: {}", proxy.file(), e.getMessage());
            }
        }
        return written;
    }
}
