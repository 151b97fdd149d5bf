package org.gelato.ce.blahbridge.blahp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.type.LrmsOpening;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.SiteFile;

/**
 * A site's blahpd. It runs its own programs, and the helper writes job wrappers alone: so it needs no lines of the helper's.
 *
 * @param config how it is reached
 */
public record BlahpSite(BlahpConfig config) implements LrmsSite {
    @Override
    public String idName() {
        return config.gridType();
    }

    @Override
    public Lrms open(LrmsOpening opening) throws IOException {
        return BlahpLrms.open(config, opening.accounts(), opening.work(), opening.clock());
    }

    @Override
    public List<SiteFile> files() {
        return List.of(
                SiteFile.program(BlahpType.COMMAND, Path.of(config.command().get(0))),
                SiteFile.directory(
                        BlahpType.LOG, config.accountingLog().toAbsolutePath().getParent()));
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
