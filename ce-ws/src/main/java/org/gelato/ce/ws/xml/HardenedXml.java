package org.gelato.ce.ws.xml;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import com.sun.xml.ws.api.streaming.XMLStreamReaderFactory;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;

/**
 * The one place where XML limits are applied. Its readers are Woodstox, resolve no entity, load nothing, do not read
 * DTDs and stop at the limits of {@link XmlLimits}; a byte limit is in the stream they read from. Thread-safe once
 * made.
 */
public final class HardenedXml {
    private final XmlLimits limits;
    private final WstxInputFactory factory;

    public HardenedXml(XmlLimits limits) {
        this.limits = limits;
        this.factory = new WstxInputFactory();
        harden(factory);
        // A scan keeps few texts; joined ones would be in memory beside the body.
        factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    }

    private void harden(WstxInputFactory target) {
        target.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        target.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        target.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        target.setProperty(XMLInputFactory.IS_COALESCING, true);
        // a text read on demand would fail by an unchecked exception
        target.getConfig().doParseLazily(false);
        target.setProperty(WstxInputProperties.P_MAX_ELEMENT_DEPTH, limits.maxDepth());
        target.setProperty(WstxInputProperties.P_MAX_ELEMENT_COUNT, (long) limits.maxElements());
        target.setProperty(WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, limits.maxAttributes());
        target.setProperty(WstxInputProperties.P_MAX_ATTRIBUTE_SIZE, limits.maxAttributeLength());
        target.setProperty(WstxInputProperties.P_MAX_CHARACTERS, (long) limits.maxBytes());
    }

    public XmlLimits limits() {
        return limits;
    }

    /**
     * A reader on a request.
     *
     * @param charset of the Content-Type; null lets the document decide
     */
    public XMLStreamReader reader(InputStream in, String charset) throws XMLStreamException {
        return charset == null ? factory.createXMLStreamReader(in) : factory.createXMLStreamReader(in, charset);
    }

    /** A reader on a request that was read before. */
    public XMLStreamReader reader(byte[] document, String charset) throws XMLStreamException {
        return reader(new ByteArrayInputStream(document), charset);
    }

    /**
     * Makes Metro read with Woodstox under the same limits, for the class loader of the calling thread. Without this
     * Metro takes whatever StAX it finds first, the slower one of the JDK included.
     */
    public void useForMetro() {
        WstxInputFactory metro = new WstxInputFactory();
        XMLStreamReaderFactory woodstox = new XMLStreamReaderFactory.Woodstox(metro);
        XMLStreamReaderFactory untyped = new XMLStreamReaderFactory.NoLock(metro) {
            @Override
            public XMLStreamReader doCreate(String systemId, InputStream in, boolean rejectDTDs) {
                return new UntypedReader(woodstox.doCreate(systemId, in, rejectDTDs));
            }

            @Override
            public XMLStreamReader doCreate(String systemId, Reader in, boolean rejectDTDs) {
                return new UntypedReader(woodstox.doCreate(systemId, in, rejectDTDs));
            }
        };
        // after Metro's constructor, which sets wider limits of its own
        harden(metro);
        XMLStreamReaderFactory.set(untyped);
    }

    /**
     * Shows no {@code xsi:type}. No type of our schemas is derived from another, so a right one says nothing; with a wrong one JAXB makes an
     * object of a class that its place cannot hold, and Metro calls that a failure of ours.
     */
    private static final class UntypedReader extends StreamReaderDelegate {
        private static final String NOWHERE = "urn:ignored";

        UntypedReader(XMLStreamReader reader) {
            super(reader);
        }

        private static boolean isType(String namespace, String name) {
            return XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(namespace) && name.equals("type");
        }

        @Override
        public String getAttributeNamespace(int index) {
            String namespace = super.getAttributeNamespace(index);
            return isType(namespace, getAttributeLocalName(index)) ? NOWHERE : namespace;
        }

        @Override
        public QName getAttributeName(int index) {
            return new QName(getAttributeNamespace(index), getAttributeLocalName(index));
        }

        @Override
        public String getAttributeValue(String namespace, String name) {
            return isType(namespace, name) ? null : super.getAttributeValue(namespace, name);
        }
    }
}
