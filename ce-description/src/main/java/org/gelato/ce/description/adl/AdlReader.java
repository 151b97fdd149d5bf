package org.gelato.ce.description.adl;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.Languages;
import org.gelato.ce.description.Outline;
import org.gelato.ce.description.Place;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.SafeText;

/** Reads the XML of descriptions within bounds: no document type, no entities, and limits on all that nests or repeats. */
final class AdlReader {
    /** Bytes of UTF-8 of one description. */
    static final int MAX_BYTES = 1 << 20;
    /** Elements, comments and pieces of text of one description. */
    static final int MAX_EVENTS = 60_000;
    /** Most descriptions in one body. */
    static final int MAX_DESCRIPTIONS = 10_000;

    /** What an element, its end or a text takes. */
    private static final int CHARACTERS_OF_EVENT = 32;

    private static final int MAX_DEPTH = 16;
    private static final Set<String> NAMESPACES =
            Set.of("", "http://www.eu-emi.eu/es/2010/12/adl", "http://www.nordugrid.org/es/2011/12/nordugrid-adl");
    private static final WstxInputFactory FACTORY = factory();

    private AdlReader() {}

    private static WstxInputFactory factory() {
        WstxInputFactory factory = new WstxInputFactory();
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.getConfig().doParseLazily(false);
        factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_DEPTH, MAX_DEPTH);
        factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, 32);
        factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTE_SIZE, 4096);
        return factory;
    }

    /** What arcsub sends for several descriptions: the end of a document that has no beginning. */
    static void checkWhole(String text) throws DescriptionException {
        String body = text.length() > 200 ? "" : text.strip();
        if (body.matches("</([A-Za-z_][\\w.-]*:)?ActivityDescriptions\\s*>")) {
            throw new DescriptionException(
                            "ActivityDescriptions",
                            "the body is the end tag alone: a fault of ARC's"
                                    + " client when it submits several jobs at once. Submit them one by one, or upgrade the client")
                    .at(1, 1);
        }
    }

    static AdlElement read(String text, ReadingBudget budget) throws DescriptionException {
        checkWhole(text);
        if (text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new DescriptionException("the job description is larger than " + MAX_BYTES + " bytes");
        }
        Deque<AdlElement> open = new ArrayDeque<>();
        Deque<StringBuilder> texts = new ArrayDeque<>();
        AdlElement root = null;
        int events = 0;
        try {
            XMLStreamReader2 reader = open(text);
            while (reader.hasNext()) {
                int event = reader.next();
                if (++events > MAX_EVENTS) {
                    throw new DescriptionException("the job description has more than " + MAX_EVENTS + " pieces");
                }
                budget.take(CHARACTERS_OF_EVENT);
                Location at = reader.getLocation();
                switch (event) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        open.push(new AdlElement(
                                name(reader),
                                optional(reader),
                                "",
                                new ArrayList<>(),
                                at.getLineNumber(),
                                at.getColumnNumber()));
                        texts.push(new StringBuilder());
                    }
                    case XMLStreamConstants.END_ELEMENT -> {
                        root = closed(open.pop(), texts.pop().toString());
                        if (!open.isEmpty()) {
                            open.peek().children().add(root);
                        }
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                        if (!texts.isEmpty()) {
                            texts.peek().append(reader.getText());
                        }
                    }
                    case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
                        throw Place.in(
                                new DescriptionException("document types and entities are not allowed"),
                                at.getLineNumber(),
                                at.getColumnNumber());
                    default -> {}
                }
            }
        } catch (XMLStreamException e) {
            throw malformed(e);
        }
        return root;
    }

    /** An outline with the place behind the start tag of the text's one description. */
    static Outline begin(String text, List<Outline.Input> inputs, Set<String> names) throws DescriptionException {
        try {
            XMLStreamReader2 reader = open(text);
            reader.nextTag();
            boolean holds = reader.getLocalName().equals("ActivityDescription") && !reader.isEmptyElement();
            long end = Languages.beginning(text) + reader.getLocationInfo().getEndingCharOffset();
            String prefix = reader.getPrefix();
            return new Outline(
                    inputs,
                    names,
                    holds ? Math.toIntExact(end) : -1,
                    prefix == null || prefix.isEmpty() ? "" : prefix + ":");
        } catch (XMLStreamException e) {
            throw malformed(e);
        }
    }

    /** The descriptions of a body, each with the namespaces it is in: a text that is stored is read by itself later. */
    static List<String> split(String given, ReadingBudget budget) throws DescriptionException {
        checkWhole(given);
        // the reader counts from here
        String body = given.substring(Languages.beginning(given));
        List<String> pieces = new ArrayList<>();
        StringBuilder namespaces = new StringBuilder();
        try {
            XMLStreamReader2 reader = open(body);
            List<String> prefixes = new ArrayList<>();
            List<String> uris = new ArrayList<>();
            int depth = 0;
            long start = 0;
            int nameLength = 0;
            while (reader.hasNext()) {
                int event = reader.next();
                if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
                    throw new DescriptionException("document types and entities are not allowed");
                }
                if (event == XMLStreamConstants.START_ELEMENT && ++depth <= 2) {
                    if (depth == 1) {
                        if (!reader.getLocalName().equals("ActivityDescriptions")) {
                            return List.of(body);
                        }
                        for (int i = 0; i < reader.getNamespaceCount(); i++) {
                            prefixes.add(reader.getNamespacePrefix(i));
                            uris.add(reader.getNamespaceURI(i));
                        }
                    } else {
                        start = reader.getLocationInfo().getStartingCharOffset();
                        String prefix = reader.getPrefix();
                        nameLength = 1
                                + reader.getLocalName().length()
                                + (prefix == null || prefix.isEmpty() ? 0 : prefix.length() + 1);
                        namespaces.setLength(0);
                        inherited(reader, prefixes, uris, namespaces);
                    }
                } else if (event == XMLStreamConstants.END_ELEMENT && depth-- == 2) {
                    if (pieces.size() == MAX_DESCRIPTIONS) {
                        throw new DescriptionException(
                                "ActivityDescriptions",
                                "more than " + MAX_DESCRIPTIONS + " descriptions in one request");
                    }
                    budget.keep(namespaces.length());
                    int from = Math.toIntExact(start);
                    int end = Math.toIntExact(reader.getLocationInfo().getEndingCharOffset());
                    pieces.add(body.substring(from, from + nameLength)
                            + namespaces
                            + body.substring(from + nameLength, end));
                }
            }
        } catch (XMLStreamException e) {
            throw malformed(e);
        }
        if (pieces.isEmpty()) {
            throw new DescriptionException("ActivityDescriptions", "holds no ActivityDescription");
        }
        return List.copyOf(pieces);
    }

    private static void inherited(
            XMLStreamReader2 reader, List<String> prefixes, List<String> uris, StringBuilder namespaces) {
        for (int i = 0; i < prefixes.size(); i++) {
            String prefix = prefixes.get(i) == null ? "" : prefixes.get(i);
            boolean own = false;
            for (int k = 0; k < reader.getNamespaceCount(); k++) {
                String declared = reader.getNamespacePrefix(k);
                own |= prefix.equals(declared == null ? "" : declared);
            }
            if (!own && uris.get(i) != null) {
                String uri =
                        uris.get(i).replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
                namespaces
                        .append(prefix.isEmpty() ? " xmlns" : " xmlns:" + prefix)
                        .append("=\"")
                        .append(uri)
                        .append('"');
            }
        }
    }

    private static XMLStreamReader2 open(String text) throws XMLStreamException {
        return (XMLStreamReader2)
                FACTORY.createXMLStreamReader(new StringReader(text.substring(Languages.beginning(text))));
    }

    private static AdlElement closed(AdlElement element, String text) throws DescriptionException {
        if (!element.children().isEmpty() && !text.isBlank()) {
            throw Place.in(
                    new DescriptionException(
                            element.name(), "holds text beside its elements: " + SafeText.of(text.strip())),
                    element.line(),
                    element.column());
        }
        return new AdlElement(
                element.name(), element.optional(), text, element.children(), element.line(), element.column());
    }

    private static String name(XMLStreamReader2 reader) {
        String namespace = reader.getNamespaceURI() == null ? "" : reader.getNamespaceURI();
        return SafeText.of(
                NAMESPACES.contains(namespace) ? reader.getLocalName() : "{" + namespace + "}" + reader.getLocalName());
    }

    private static boolean optional(XMLStreamReader2 reader) {
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String value = reader.getAttributeValue(i).trim();
            if (reader.getAttributeLocalName(i).equals("optional") && (value.equals("true") || value.equals("1"))) {
                return true;
            }
        }
        return false;
    }

    private static DescriptionException malformed(XMLStreamException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf("\n at [");
        DescriptionException error = new DescriptionException("the job description is no XML that is accepted here: "
                + SafeText.of(end < 0 ? message : message.substring(0, end)));
        Location at = e.getLocation();
        return at == null || at.getLineNumber() < 1
                ? error
                : Place.in(error, at.getLineNumber(), Math.max(1, at.getColumnNumber()));
    }
}
