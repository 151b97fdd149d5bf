package org.gelato.ce.blahbridge.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.blahbridge.DirectoryIdentity;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.lrms.type.LrmsOpening;
import org.gelato.ce.core.lrms.type.LrmsSite;

/**
 * Jobs on the CE's own host.
 *
 * @param slots jobs that run at once, 1 to 10 000
 */
public record ForkSite(@Key(min = "1", max = "10000") int slots) implements LrmsSite {
    @Override
    public String idName() {
        return ForkType.NAME;
    }

    @Override
    public Lrms open(LrmsOpening opening) throws IOException {
        return ForkLrms.open(ForkLrmsConfig.of(opening.stateDirectory(), slots), opening.accounts(), opening.clock());
    }

    /** {@inheritDoc} Its jobs are those in its directory, and the processes of this host. */
    @Override
    public CompletableFuture<Optional<String>> identity(AccountCommands accounts, Path stateDirectory) {
        try {
            return CompletableFuture.completedFuture(
                    Optional.of(DirectoryIdentity.of(stateDirectory).orElse("a new one in " + stateDirectory)));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Not for the helper's own account: where that is root, a shell would be root's. */
    @Override
    public List<HelperLine> helperLines() {
        return List.of(HelperLine.executable(Path.of("/bin/bash")));
    }
}
