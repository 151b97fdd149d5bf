package org.gelato.ce.cli.description;

import java.util.List;
import java.util.Objects;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.Outline;
import org.gelato.ce.description.adl.Adl;
import org.gelato.ce.description.xrsl.Xrsl;

/**
 * Descriptions in ADL and xRSL: sent as they are but for units of times, and read for the files that the client brings, and what else
 * it would set. What is wrong with their attributes the CE says, with line and column.
 */
public final class SessionDescriptions {
    private SessionDescriptions() {}

    /**
     * The files to bring; one job in each text.
     *
     * @param label how messages call the description
     * @param language of the text; not JDL
     * @throws CliException for several jobs in one text, and for one that cannot be read
     */
    public static List<LocalItem> localInput(String label, Language language, String text) {
        return outline(label, language, text).inputs().stream()
                .map(input -> LocalItem.of(input.name(), input.source()))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Whether a description names a queue itself.
     *
     * @param language of the text; not JDL
     */
    public static boolean namesQueue(String label, Language language, String text) {
        return outline(label, language, text)
                .names()
                .contains(language == Language.ADL ? "Resources/QueueName" : "queue");
    }

    /**
     * The text to send: times of xRSL that are numbers alone get the unit that they count in a user's file.
     *
     * @param language of the text; not JDL
     */
    public static String toSend(String label, Language language, String text) {
        try {
            return language == Language.XRSL ? Xrsl.withUnits(text) : text;
        } catch (DescriptionException e) {
            throw new CliException(label + ": " + e.getMessage(), e);
        }
    }

    static Outline outline(String label, Language language, String text) {
        try {
            return language == Language.ADL ? Adl.outline(text) : Xrsl.outline(text);
        } catch (DescriptionException e) {
            throw new CliException(label + ": " + e.getMessage(), e);
        }
    }
}
