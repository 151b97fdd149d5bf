package org.gelato.ce.blahbridge.blahp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.blahbridge.DirectoryIdentity;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.type.LrmsOpening;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.SiteFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A site's blahpd. It runs its own programs, and the helper writes job wrappers alone: so it needs no lines of the helper's.
 *
 * @param config how it is reached
 */
public record BlahpSite(BlahpConfig config) implements LrmsSite {
    private static final Logger log = LoggerFactory.getLogger(BlahpSite.class);

    @Override
    public String idName() {
        return config.gridType();
    }

    @Override
    public Lrms open(LrmsOpening opening) throws IOException {
        Path directory = config.accountingLog().toAbsolutePath().getParent();
        try {
            DirectoryIdentity.give(directory);
        } catch (IOException e) {
            log.warn(
                    "{} takes no file that tells it from others: a CE with another blahpd would not be refused on this database: {}",
                    directory,
                    Messages.of(e));
        }
        return BlahpLrms.open(config, opening.accounts(), opening.work(), opening.clock());
    }

    @Override
    public List<SiteFile> files() {
        return List.of(
                SiteFile.program(BlahpType.COMMAND, Path.of(config.command().get(0))),
                SiteFile.directory(
                        BlahpType.LOG, config.accountingLog().toAbsolutePath().getParent()));
    }

    /** {@inheritDoc} Jobs whose submission's result was lost are in its log alone; CEs may share that. */
    @Override
    public CompletableFuture<Optional<String>> identity(AccountCommands accounts, Path stateDirectory) {
        Path file = config.accountingLog().toAbsolutePath();
        try {
            return CompletableFuture.completedFuture(Optional.of(DirectoryIdentity.of(file.getParent())
                    .map(text -> file.getFileName() + " in " + text)
                    .orElse("a new one, with " + file)));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** {@inheritDoc} An account that it does not serve, a batch system that does not respond to it. */
    @Override
    public CompletableFuture<Optional<Unsupported>> unsupported(AccountCommands accounts, String account) {
        return CompletableFuture.completedFuture(new BlahpCheck(config).of(account));
    }

    @Override
    public boolean writesBlahLog() {
        return true;
    }
}
