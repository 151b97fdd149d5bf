package org.gelato.ce.it.directory;

import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.base.Keys;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.type.HelperLine;
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
    public LrmsSite read(Keys keys, Common common) {
        return keys.read("gelato.lrms.directory", Site.class);
    }

    private record Site(@Key Path path) implements LrmsSite {
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
