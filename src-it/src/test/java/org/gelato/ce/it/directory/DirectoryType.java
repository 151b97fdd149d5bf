package org.gelato.ce.it.directory;

import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.lrms.type.LrmsKeys;
import org.gelato.ce.core.lrms.type.LrmsOpening;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.LrmsType;

/** Jobs as files of a directory. */
public final class DirectoryType implements LrmsType {
    @Override
    public String name() {
        return "directory";
    }

    @Override
    public LrmsSite read(LrmsKeys keys, Common common) {
        return new Site(keys.path("gelato.lrms.directory.path"));
    }

    private record Site(Path path) implements LrmsSite {
        @Override
        public String idName() {
            return "directory";
        }

        @Override
        public Lrms open(LrmsOpening opening) {
            return new DirectoryLrms(path, opening.accounts());
        }

        @Override
        public List<HelperLine> helperLines() {
            return List.of(HelperLine.executable(Path.of("/bin/bash")));
        }
    }
}
