package org.gelato.ce.ws.web;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import com.sun.xml.ws.api.streaming.XMLStreamReaderFactory;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The one place where XML limits are applied. Its readers are Woodstox, resolve no entity, load nothing, do not read
 * DTDs and stop at the limits of {@link XmlLimits}; who gathers a body stops at the limit of bytes. Thread-safe once
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

    /**
     * A reader on a request.
     *
     * @param charset of the Content-Type; null lets the document decide
     */
    public XMLStreamReader reader(InputStream in, String charset) throws XMLStreamException {
        return charset == null ? factory.createXMLStreamReader(in) : factory.createXMLStreamReader(in, charset);
    }

    /** A reader on a request that is in memory. */
    public XMLStreamReader reader(byte[] document, String charset) throws XMLStreamException {
        return reader(new ByteArrayInputStream(document), charset);
    }

    /**
     * Makes Metro read its descriptions with Woodstox under the same limits, for the class loader of the calling thread. Without this
     * Metro takes whatever StAX it finds first, the slower one of the JDK included.
     */
    public void useForMetro() {
        WstxInputFactory metro = new WstxInputFactory();
        XMLStreamReaderFactory woodstox = new XMLStreamReaderFactory.Woodstox(metro);
        // after Metro's constructor, which sets wider limits of its own
        harden(metro);
        XMLStreamReaderFactory.set(woodstox);
    }
}
