package org.gelato.ce.ws.soap.gate;

import com.ctc.wstx.api.WstxOutputProperties;
import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import org.gelato.ce.ws.xml.HardenedXml;

/**
 * Takes the parameters of an rpc request out of their namespace, where rpc/literal wants them and some clients do not
 * put them (docs/developer/protocol/delegation-wire.md section 1). Only for requests that were scanned before. Thread-safe.
 */
final class UnqualifiedParts {
    private static final int PART = 4;
    private final HardenedXml xml;
    private final XMLOutputFactory factory = new WstxOutputFactory();

    UnqualifiedParts(HardenedXml xml) {
        this.xml = xml;
        // namespaces are copied as they stand; the output needs no second check
        factory.setProperty(XMLOutputFactory.IS_REPAIRING_NAMESPACES, false);
        factory.setProperty(WstxOutputProperties.P_OUTPUT_VALIDATE_STRUCTURE, false);
    }

    /** The same document in UTF-8, with the children of the payload in no namespace. */
    byte[] rewrite(byte[] document, String charset) throws XMLStreamException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(document.length + 256);
        XMLStreamReader in = xml.reader(document, charset);
        XMLStreamWriter to = factory.createXMLStreamWriter(out, StandardCharsets.UTF_8.name());
        int depth = 0;
        while (in.hasNext()) {
            switch (in.next()) {
                case XMLStreamConstants.START_ELEMENT -> start(in, to, ++depth == PART);
                case XMLStreamConstants.END_ELEMENT -> {
                    depth--;
                    to.writeEndElement();
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> to.writeCharacters(in.getText());
                default -> {
                    // nothing else has a meaning
                }
            }
        }
        to.close();
        return out.toByteArray();
    }

    private static void start(XMLStreamReader in, XMLStreamWriter to, boolean part) throws XMLStreamException {
        if (part) {
            to.writeStartElement("", in.getLocalName(), "");
            to.writeDefaultNamespace("");
        } else {
            to.writeStartElement(text(in.getPrefix()), in.getLocalName(), text(in.getNamespaceURI()));
        }
        for (int i = 0; i < in.getNamespaceCount(); i++) {
            String prefix = text(in.getNamespacePrefix(i));
            if (!prefix.isEmpty()) {
                to.writeNamespace(prefix, in.getNamespaceURI(i));
            } else if (!part) {
                to.writeDefaultNamespace(text(in.getNamespaceURI(i)));
            }
        }
        for (int i = 0; i < in.getAttributeCount(); i++) {
            String uri = text(in.getAttributeNamespace(i));
            if (uri.isEmpty()) {
                to.writeAttribute(in.getAttributeLocalName(i), in.getAttributeValue(i));
            } else {
                to.writeAttribute(in.getAttributePrefix(i), uri, in.getAttributeLocalName(i), in.getAttributeValue(i));
            }
        }
    }

    private static String text(String orNull) {
        return orNull == null ? "" : orNull;
    }
}
