package org.gelato.ce.cli.description;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.cli.xml.XmlReader;

/** The input files of an ADL description that have no source, or one on this machine. Namespaces are the CE's to judge. */
final class AdlInput {
    private final List<LocalItem> items = new ArrayList<>();
    private final Deque<String> path = new ArrayDeque<>();
    private int descriptions;
    private String name;
    private String source;
    private boolean queue;

    private AdlInput() {}

    static List<LocalItem> of(String text) {
        return List.copyOf(reading(text).items);
    }

    static boolean namesQueue(String text) {
        return reading(text).queue;
    }

    private static AdlInput reading(String text) {
        AdlInput input = new AdlInput();
        try {
            input.read(reader(text));
        } catch (XMLStreamException e) {
            throw new CliException(
                    "not XML: line " + e.getLocation().getLineNumber() + ", column "
                            + e.getLocation().getColumnNumber() + ": "
                            + e.getMessage().lines().findFirst().orElse(""),
                    e);
        }
        return input;
    }

    private void read(XMLStreamReader in) throws XMLStreamException {
        StringBuilder text = new StringBuilder();
        while (in.hasNext()) {
            switch (in.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    text.setLength(0);
                    path.addLast(in.getLocalName());
                    begin(in.getLocalName());
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(in.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    end(String.join("/", path), text.toString().strip());
                    path.removeLast();
                    text.setLength(0);
                }
                default -> {}
            }
        }
    }

    private void begin(String element) {
        if (element.equals("ActivityDescription") && ++descriptions > 1) {
            throw SessionDescriptions.several(Language.ADL);
        }
        if (element.equals("InputFile")) {
            name = null;
            source = null;
        }
    }

    private void end(String place, String text) {
        if (place.endsWith("Resources/QueueName")) {
            queue = true;
        } else if (place.endsWith("DataStaging/InputFile/Name")) {
            name = text;
        } else if (place.endsWith("DataStaging/InputFile/Source/URI")) {
            source = text;
        } else if (place.endsWith("DataStaging/InputFile") && name != null && !name.isEmpty()) {
            LocalItem item = LocalItem.of(name, source);
            if (item != null) {
                items.add(item);
            }
        }
    }

    private static XMLStreamReader reader(String text) throws XMLStreamException {
        int begin = 0;
        while (begin < text.length() && (text.charAt(begin) <= ' ' || text.charAt(begin) == '\uFEFF')) {
            begin++;
        }
        // Nothing may be before an XML declaration; what is skipped here has no line that a message would name.
        return XmlReader.of(text.substring(begin));
    }
}
