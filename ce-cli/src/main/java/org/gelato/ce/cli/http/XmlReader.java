package org.gelato.ce.cli.http;

import com.ctc.wstx.stax.WstxInputFactory;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads XML that others wrote: without document types, and with nothing from outside. Stateless. */
public final class XmlReader {
    private static final XMLInputFactory FACTORY = factory();

    private XmlReader() {}

    private static XMLInputFactory factory() {
        // By its name: to look it up takes a search through all jars.
        XMLInputFactory factory = new WstxInputFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }

    /** Over a whole document. */
    public static XMLStreamReader of(byte[] document) throws XMLStreamException {
        return FACTORY.createXMLStreamReader(new ByteArrayInputStream(document));
    }

    /** Over a whole document. */
    public static XMLStreamReader of(String document) throws XMLStreamException {
        return FACTORY.createXMLStreamReader(new StringReader(document));
    }
}
