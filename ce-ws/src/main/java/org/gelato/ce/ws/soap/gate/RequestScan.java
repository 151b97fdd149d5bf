package org.gelato.ce.ws.soap.gate;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.gelato.ce.ws.xml.XmlText;

/**
 * Reads a whole request once, as it comes in: it must be one well-formed SOAP envelope within the limits, and typed
 * texts must be right. What passes here can be parsed again without surprises. For one request and one thread.
 */
final class RequestScan {
    /** Enough for every element of any operation; more are not distinguished. */
    private static final int MAX_PARTS = 32;

    private static final int MAX_TYPED_TEXT = 256;
    private static final int ENVELOPE = 1;
    private static final int SECTION = 2;
    private static final int PAYLOAD = 3;
    private static final int PART = 4;

    private final XMLStreamReader reader;
    private final SoapService service;
    private final Set<QName> parts = new HashSet<>();
    private final StringBuilder text = new StringBuilder();
    private final ListScan list;
    private SoapVersion version = SoapVersion.SOAP_11;
    private QName payload;
    /** After the Body comes nothing. */
    private boolean inBody;

    private boolean hasUnknownHeader;
    private String iceId;
    private QName collecting;
    private int collectingDepth;

    RequestScan(XMLStreamReader reader, SoapService service) {
        this.reader = reader;
        this.service = service;
        this.list = new ListScan(service.lists());
    }

    /** The version as far as it is known, for the response to a refused request. */
    SoapVersion version() {
        return version;
    }

    /**
     * Reads to the end.
     *
     * @throws RequestRefused when the document is not a request we serve
     * @throws XMLStreamException when it is not well-formed, over a limit of the parser, or cannot be read
     */
    SoapRequest run() throws RequestRefused, XMLStreamException {
        int depth = 0;
        if ("1.1".equals(reader.getVersion())) {
            throw new RequestRefused("XML 1.1 is not accepted");
        }
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.DTD ->
                    throw new RequestRefused("a document type declaration (DOCTYPE) is not accepted");
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw new RequestRefused("entity references are not accepted");
                case XMLStreamConstants.START_ELEMENT -> start(++depth);
                case XMLStreamConstants.END_ELEMENT -> end(depth--);
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                    characters(depth);
                default -> {
                    // comments and processing instructions have no meaning here
                }
            }
        }
        if (!inBody) {
            throw new RequestRefused("the SOAP envelope has no Body");
        }
        return new SoapRequest(version, payload, parts, iceId, hasUnknownHeader ? List.of() : list.items());
    }

    private void start(int depth) throws RequestRefused {
        QName name = reader.getName();
        switch (depth) {
            case ENVELOPE ->
                version = SoapVersion.ofEnvelope(name)
                        .orElseThrow(() -> new RequestRefused("the document is not a SOAP 1.1 or 1.2 envelope"));
            case SECTION -> {
                if (name.equals(version.name("Body"))) {
                    if (inBody) {
                        throw new RequestRefused("the SOAP envelope has more than one Body");
                    }
                    inBody = true;
                } else if (inBody || !name.equals(version.name("Header"))) {
                    throw new RequestRefused("the SOAP envelope holds " + XmlText.shorten(name.toString())
                            + " where only Header and Body may be");
                }
            }
            case PAYLOAD -> {
                if (inBody) {
                    if (payload != null) {
                        throw new RequestRefused("the SOAP Body holds more than one element");
                    }
                    // No operation's element is nillable: what it is bound to, a number even, would be missing.
                    if (isNil()) {
                        throw new RequestRefused(XmlText.shorten(name.getLocalPart()) + " must not be nil");
                    }
                    payload = name;
                    list.payload(name);
                } else {
                    hasUnknownHeader |= !isIceId(name, depth);
                }
            }
            case PART -> {
                if (inBody && parts.size() < MAX_PARTS) {
                    parts.add(name);
                }
            }
            default -> {
                // further down only the parser and its limits apply
            }
        }
        if (depth > PAYLOAD && list.isOne()) {
            list.start(depth - PAYLOAD, name, isNil(), reader);
        }
        if (collecting == null && (inBody ? service.typedElements().containsKey(name) : isIceId(name, depth))) {
            collecting = name;
            collectingDepth = depth;
            text.setLength(0);
        }
    }

    private void end(int depth) throws RequestRefused {
        if (depth > PAYLOAD && list.isOne()) {
            list.end(depth - PAYLOAD);
        }
        if (collecting == null || depth != collectingDepth) {
            return;
        }
        Map<QName, WireType> types = service.typedElements();
        if (types.containsKey(collecting)) {
            types.get(collecting).check(collecting.getLocalPart(), text.toString());
        } else {
            iceId = text.toString().strip();
        }
        collecting = null;
    }

    private void characters(int depth) throws RequestRefused {
        // of an rpc request the payload too holds elements alone; Metro calls anything else a failure of its own
        if ((depth < PAYLOAD || (depth == PAYLOAD && inBody && service.unqualifiedParts())) && !reader.isWhiteSpace()) {
            throw new RequestRefused("the SOAP envelope holds text where only elements may be");
        }
        if (depth >= PAYLOAD && list.isOne()) {
            list.characters(depth - PAYLOAD, reader);
        }
        if (collecting != null && depth == collectingDepth) {
            text.append(reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
            if (text.length() > MAX_TYPED_TEXT) {
                throw new RequestRefused(
                        collecting.getLocalPart() + " is longer than " + MAX_TYPED_TEXT + " characters");
            }
        }
    }

    private boolean isNil() {
        String nil = reader.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil");
        return nil != null && (nil.strip().equals("true") || nil.strip().equals("1"));
    }

    private boolean isIceId(QName name, int depth) {
        return depth == PAYLOAD && service.understoodHeaders().contains(name);
    }
}
