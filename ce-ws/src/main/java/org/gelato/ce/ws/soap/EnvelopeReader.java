package org.gelato.ce.ws.soap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.gelato.ce.ws.web.XmlText;

/**
 * Reads a whole request once: it must be one well-formed SOAP envelope within the limits, and typed texts must be right. For one request
 * and one thread.
 */
public final class EnvelopeReader {
    private static final int MAX_TYPED_TEXT = 256;
    /** Of headers that are not understood: a fault repeats them. */
    private static final int MAX_NAMED = 10;

    private static final int LONGEST_NAMED = 300;
    private static final int ENVELOPE = 1;
    private static final int SECTION = 2;
    private static final int PAYLOAD = 3;

    private final XMLStreamReader reader;
    private final SoapService.Contract service;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder typedText = new StringBuilder();
    private final List<QName> notUnderstood = new ArrayList<>();
    private SoapVersion version;
    private RequestElement payload;
    /** The innermost open element of the Body; null outside of the payload. */
    private RequestElement open;

    private boolean hasHeader;
    /** After the Body comes nothing. */
    private boolean inBody;

    private String iceId;
    private QName collecting;
    private int collectingDepth;

    public EnvelopeReader(XMLStreamReader reader, SoapService.Contract service) {
        this.reader = reader;
        this.service = service;
    }

    /** The version, for the response to a refused request; empty before the envelope. */
    public Optional<SoapVersion> version() {
        return Optional.ofNullable(version);
    }

    /**
     * Reads to the end.
     *
     * @throws RequestRefused when the document is not a request we serve
     * @throws XMLStreamException when it is not well-formed, over a limit of the parser, or cannot be read
     */
    public SoapRequest read() throws RequestRefused, XMLStreamException {
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
        return new SoapRequest(payload, iceId, notUnderstood);
    }

    private void start(int depth) throws RequestRefused {
        switch (depth) {
            case ENVELOPE ->
                version = SoapVersion.ofEnvelope(reader.getName())
                        .orElseThrow(() -> new RequestRefused("the document is not a SOAP 1.1 or 1.2 envelope"));
            case SECTION -> section(reader.getName());
            default -> {
                if (inBody) {
                    element(depth);
                } else if (depth == PAYLOAD) {
                    header(reader.getName());
                }
            }
        }
    }

    private void section(QName name) throws RequestRefused {
        if (name.equals(version.name("Body"))) {
            if (inBody) {
                throw new RequestRefused("the SOAP envelope has more than one Body");
            }
            inBody = true;
        } else if (inBody || hasHeader || !name.equals(version.name("Header"))) {
            throw new RequestRefused("the SOAP envelope holds " + XmlText.shorten(name.toString())
                    + " where only Header and Body may be");
        } else {
            hasHeader = true;
        }
    }

    private void header(QName name) {
        if (service.understoodHeaders().contains(name)) {
            collect(name, PAYLOAD);
        } else if (version.mustUnderstand(reader) && notUnderstood.size() < MAX_NAMED) {
            boolean isShort = name.toString().length() <= LONGEST_NAMED;
            notUnderstood.add(isShort ? name : new QName(XmlText.shorten(name.getLocalPart())));
        }
    }

    private void element(int depth) throws RequestRefused {
        String namespace = reader.getNamespaceURI() == null ? "" : reader.getNamespaceURI();
        String local = reader.getLocalName();
        if (depth == PAYLOAD) {
            if (payload != null) {
                throw new RequestRefused("the SOAP Body holds more than one element");
            }
            // No operation's element is nillable: what it is bound to, a number even, would be missing.
            if (isNil()) {
                throw new RequestRefused(XmlText.shorten(local) + " must not be nil");
            }
        }
        // Parameters of an rpc request stand in no namespace, and some clients put them into one.
        boolean own = depth == PAYLOAD || service.unqualifiedParts() || namespace.equals(service.namespace());
        open = new RequestElement(open, namespace, local, own);
        if (depth == PAYLOAD) {
            payload = open;
        } else if (isNil()) {
            open.setNil();
        }
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String of = reader.getAttributeNamespace(i);
            if (of == null || of.isEmpty()) {
                open.attribute(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
            }
        }
        text.setLength(0);
        if (collecting == null
                && namespace.equals(service.namespace())
                && service.typedElements().containsKey(local)) {
            collect(new QName(namespace, local), depth);
        }
    }

    /** Begins a text that is checked, or a header's. */
    private void collect(QName name, int depth) {
        collecting = name;
        collectingDepth = depth;
        typedText.setLength(0);
    }

    private void end(int depth) throws RequestRefused {
        boolean collected = collecting != null && depth == collectingDepth;
        if (open != null) {
            open.setText(collected ? typed() : text.isEmpty() ? "" : text.toString());
            text.setLength(0);
            open = open.parent();
        } else if (collected) {
            iceId = typedText.toString().strip();
        }
        if (collected) {
            collecting = null;
        }
    }

    private String typed() throws RequestRefused {
        String value = typedText.toString().strip();
        Map<String, WireType> types = service.typedElements();
        types.get(collecting.getLocalPart()).check(collecting.getLocalPart(), value);
        return value;
    }

    private void characters(int depth) throws RequestRefused {
        // of an rpc request the payload too holds elements alone
        if ((depth < PAYLOAD || (depth == PAYLOAD && inBody && service.unqualifiedParts())) && !reader.isWhiteSpace()) {
            throw new RequestRefused("the SOAP envelope holds text where only elements may be");
        }
        if (collecting != null && depth == collectingDepth) {
            append(typedText);
            if (typedText.length() > MAX_TYPED_TEXT) {
                throw new RequestRefused(
                        collecting.getLocalPart() + " is longer than " + MAX_TYPED_TEXT + " characters");
            }
        } else if (open != null) {
            append(text);
        }
    }

    private void append(StringBuilder to) {
        to.append(reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
    }

    private boolean isNil() {
        String nil = reader.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil");
        return nil != null && (nil.strip().equals("true") || nil.strip().equals("1"));
    }
}
