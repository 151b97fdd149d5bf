package org.gelato.ce.lrms.condor;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.description.SafeText;

/** Lines of a submit description that a site's script printed for a job. Pure. */
final class ScriptLines {
    private ScriptLines() {}

    /** The script printed something else; nothing was submitted. */
    static final class UnusableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnusableException(String line) {
            super("the site's submit attributes printed what is no line NAME = VALUE: " + SafeText.of(line));
        }
    }

    /** @throws UnusableException when a line is none of that */
    static List<SubmitLine> of(SiteScriptLines attributes) {
        List<SubmitLine> lines = new ArrayList<>();
        for (String text : attributes.commands()) {
            lines.add(SubmitLine.of(text).orElseThrow(() -> new UnusableException(text)));
        }
        return List.copyOf(lines);
    }
}
