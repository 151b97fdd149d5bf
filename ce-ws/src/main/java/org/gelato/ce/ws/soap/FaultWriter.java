package org.gelato.ce.ws.soap;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.gelato.ce.ws.web.XmlText;

/** Writes faults as whole documents, in either SOAP version. Thread-safe. */
public final class FaultWriter {
    private static final String SOAP = "S";
    private static final String DETAIL = "f";
    private final XMLOutputFactory factory = new com.ctc.wstx.stax.WstxOutputFactory();

    /** Writes in the Envelope. */
    private interface Content {
        void write(XMLStreamWriter xml) throws XMLStreamException;
    }

    public byte[] document(SoapFault fault, SoapVersion version) {
        return envelope(version, xml -> {
            fault(xml, version, version.faultCode(fault.client()), fault.text());
            if (version == SoapVersion.SOAP_11) {
                xml.writeStartElement("detail");
            } else {
                start(xml, version, "Detail");
            }
            detail(xml, fault);
        });
    }

    /** The fault of a request with headers that we do not know and must not ignore: SOAP has a code and a form for it. */
    public byte[] notUnderstood(List<QName> headers, SoapVersion version) {
        return envelope(version, xml -> {
            if (version == SoapVersion.SOAP_12) {
                start(xml, version, "Header");
                for (QName header : headers) {
                    start(xml, version, "NotUnderstood");
                    if (header.getNamespaceURI().isEmpty()) {
                        xml.writeAttribute("qname", header.getLocalPart());
                    } else {
                        xml.writeNamespace(DETAIL, header.getNamespaceURI());
                        xml.writeAttribute("qname", DETAIL + ":" + header.getLocalPart());
                    }
                    xml.writeEndElement();
                }
                xml.writeEndElement();
            }
            fault(
                    xml,
                    version,
                    version.name("MustUnderstand"),
                    "MustUnderstand headers:" + headers + " are not understood");
        });
    }

    private byte[] envelope(SoapVersion version, Content content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try {
            XMLStreamWriter xml = factory.createXMLStreamWriter(out, StandardCharsets.UTF_8.name());
            xml.writeStartDocument(StandardCharsets.UTF_8.name(), "1.0");
            start(xml, version, "Envelope");
            xml.writeNamespace(SOAP, version.namespace());
            content.write(xml);
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("cannot write a fault to memory", e);
        }
        return out.toByteArray();
    }

    /** Begins the Body and in it the fault. */
    private static void fault(XMLStreamWriter xml, SoapVersion version, QName code, String message)
            throws XMLStreamException {
        String text = XmlText.clean(message);
        start(xml, version, "Body");
        start(xml, version, "Fault");
        if (version == SoapVersion.SOAP_11) {
            leaf(xml, new QName("faultcode"), SOAP + ":" + code.getLocalPart());
            leaf(xml, new QName("faultstring"), text);
        } else {
            start(xml, version, "Code");
            leaf(xml, version.name("Value"), SOAP + ":" + code.getLocalPart());
            xml.writeEndElement();
            start(xml, version, "Reason");
            start(xml, version, "Text");
            xml.writeAttribute("xml", "http://www.w3.org/XML/1998/namespace", "lang", "en");
            xml.writeCharacters(text);
            xml.writeEndElement();
            xml.writeEndElement();
        }
    }

    private static void detail(XMLStreamWriter xml, SoapFault fault) throws XMLStreamException {
        QName name = fault.detail();
        xml.writeStartElement(DETAIL, name.getLocalPart(), name.getNamespaceURI());
        xml.writeNamespace(DETAIL, name.getNamespaceURI());
        for (Map.Entry<String, String> field : fault.fields().entrySet()) {
            leaf(xml, fault.field(field.getKey()), XmlText.clean(field.getValue()));
        }
        xml.writeEndElement();
    }

    private static void start(XMLStreamWriter xml, SoapVersion version, String local) throws XMLStreamException {
        xml.writeStartElement(SOAP, local, version.namespace());
    }

    private static void leaf(XMLStreamWriter xml, QName name, String text) throws XMLStreamException {
        if (name.getNamespaceURI().isEmpty()) {
            xml.writeStartElement(name.getLocalPart());
        } else {
            String prefix = xml.getPrefix(name.getNamespaceURI());
            xml.writeStartElement(prefix, name.getLocalPart(), name.getNamespaceURI());
        }
        xml.writeCharacters(text);
        xml.writeEndElement();
    }
}
