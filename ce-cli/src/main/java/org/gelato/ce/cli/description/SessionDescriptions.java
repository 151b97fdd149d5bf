package org.gelato.ce.cli.description;

import java.util.List;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Language;

/**
 * Descriptions in ADL and xRSL: sent as they are, and read for nothing but the files that the client brings. What is wrong with them
 * the CE says, with line and column.
 */
public final class SessionDescriptions {
    private SessionDescriptions() {}

    /**
     * The files to bring; one job in each text.
     *
     * @param label how messages call the description
     * @param language of the text; not JDL
     * @throws CliException for several jobs in one text, and where the files can't be worked out
     */
    public static List<LocalItem> localInput(String label, Language language, String text) {
        try {
            return language == Language.ADL ? AdlInput.of(text) : XrslInput.of(text);
        } catch (CliException e) {
            throw new CliException(label + ": " + e.getMessage(), e);
        }
    }

    /**
     * Whether a description that was read for its files names a queue itself.
     *
     * @param language of the text; not JDL
     */
    public static boolean namesQueue(Language language, String text) {
        return language == Language.ADL ? AdlInput.namesQueue(text) : XrslInput.sets(text, "queue");
    }

    static CliException several(Language language) {
        return new CliException("several jobs in one " + language + ": write one description in each file");
    }
}
