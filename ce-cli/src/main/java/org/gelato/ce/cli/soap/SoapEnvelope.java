package org.gelato.ce.cli.soap;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.gelato.ce.cli.http.XmlReader;
import org.gelato.ce.cli.terminal.CliException;

/**
 * Messages of SOAP 1.1 as bytes and back. The client does without a SOAP library: to load one, and to make it ready for the two
 * services, took half of the processor time of a short command.
 */
final class SoapEnvelope {
    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";
    private static final String NIL = "xsi:nil";
    private static final Set<String> NIL_IS = Set.of("true", "1");

    private SoapEnvelope() {}

    /**
     * A request.
     *
     * @param body null for an empty one
     * @param namespace of the body's element
     * @param all whether that is the namespace of the elements below it, too, or these have none
     * @throws CliException for a character that XML cannot have
     */
    static byte[] of(Element body, String namespace, boolean all) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<s:Envelope xmlns:s=\"")
                .append(SOAP)
                .append("\"><s:Body>");
        if (body != null) {
            xml.append("<m:")
                    .append(body.name())
                    .append(" xmlns:m=\"")
                    .append(namespace)
                    .append('"');
            content(xml, body, all ? "m:" : "");
            xml.append("</m:").append(body.name()).append('>');
        }
        return xml.append("</s:Body></s:Envelope>\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** From behind the name and the namespace of an element to the beginning of its end; as deep as our requests. */
    private static void content(StringBuilder xml, Element element, String prefix) {
        element.attributes().forEach((name, value) -> {
            xml.append(' ').append(name).append("=\"");
            escape(xml, value, name, true);
            xml.append('"');
        });
        xml.append('>');
        if (element.text() != null) {
            escape(xml, element.text(), element.name(), false);
        }
        for (Element child : element.children()) {
            xml.append('<').append(prefix).append(child.name());
            content(xml, child, prefix);
            xml.append("</").append(prefix).append(child.name()).append('>');
        }
    }

    /** A bare carriage return would arrive as a line feed. Attributes of requests hold no white space. */
    private static void escape(StringBuilder xml, String text, String where, boolean quoted) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> xml.append("&amp;");
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '"' -> xml.append(quoted ? "&quot;" : "\"");
                case '\r' -> xml.append("&#xD;");
                default -> {
                    int point = text.codePointAt(i);
                    if (!isXml(point)) {
                        throw new CliException(String.format(
                                "%s holds the character U+%04X, which XML cannot have: remove it", where, point));
                    }
                    xml.appendCodePoint(point);
                    i += Character.charCount(point) - 1;
                }
            }
        }
    }

    private static boolean isXml(int point) {
        return point >= ' '
                ? point < Character.MIN_SURROGATE
                        || (point > Character.MAX_SURROGATE && point != 0xFFFE && point != 0xFFFF)
                : point == '\n' || point == '\t';
    }

    /**
     * The element in the Body of a response; null for an empty Body.
     *
     * @throws XMLStreamException for what is not XML, or no SOAP message
     */
    static Element body(byte[] response) throws XMLStreamException {
        Element envelope = read(XmlReader.of(response));
        Element body = envelope.name().equals("Envelope") ? envelope.child("Body") : null;
        if (body == null) {
            throw new XMLStreamException("it is no SOAP message");
        }
        return body.children().isEmpty() ? null : body.children().get(0);
    }

    private static Element read(XMLStreamReader in) throws XMLStreamException {
        Deque<Element> open = new ArrayDeque<>();
        StringBuilder text = new StringBuilder();
        Element root = new Element("");
        open.push(root);
        while (in.hasNext()) {
            switch (in.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    open.push(begin(in));
                    text.setLength(0);
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(in.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    Element ended = open.pop();
                    // Between children there is layout alone.
                    if (ended.children().isEmpty() && !NIL_IS.contains(String.valueOf(ended.attribute(NIL)))) {
                        ended.setText(text.toString());
                    }
                    text.setLength(0);
                    open.element().add(ended);
                }
                default -> {}
            }
        }
        return root.children().get(0);
    }

    private static Element begin(XMLStreamReader in) {
        Element element = new Element(in.getLocalName());
        for (int i = 0; i < in.getAttributeCount(); i++) {
            String space = in.getAttributeNamespace(i);
            boolean nil =
                    SCHEMA_INSTANCE.equals(space) && in.getAttributeLocalName(i).equals("nil");
            if (nil || space == null || space.isEmpty()) {
                element.attribute(nil ? NIL : in.getAttributeLocalName(i), in.getAttributeValue(i));
            }
        }
        return element;
    }
}
