package org.gelato.ce.blahbridge.blahp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

    @Override
    public boolean writesBlahLog() {
        return true;
    }
}
