package org.gelato.ce.ws.soap.gate;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.xml.soap.SOAPConstants;
import jakarta.xml.soap.SOAPElement;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPFactory;
import jakarta.xml.soap.SOAPFault;
import jakarta.xml.ws.soap.SOAPFaultException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.xml.XmlText;

/** Writes a fault in either SOAP version: as a whole response of the gate, or as an exception for Metro. Thread-safe. */
final class FaultWriter {
    private static final String SOAP = "S";
    private static final String DETAIL = "f";
    private final XMLOutputFactory factory = new com.ctc.wstx.stax.WstxOutputFactory();

    /** Answers with the fault, and HTTP 500 or, where it passes, 503. */
    void answer(HttpServletResponse response, SoapFault fault, SoapVersion version) throws IOException {
        byte[] body = envelope(fault, version);
        HttpFaults.mark(response, fault.code());
        response.setStatus(status(fault.code()));
        response.setContentType(version.mediaType() + ";charset=utf-8");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** SOAP prescribes 500; where the same call may succeed later, HTTP says so. */
    static int status(FaultCode code) {
        return code == FaultCode.UNAVAILABLE ? HttpFaults.status(code) : HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
    }

    private byte[] envelope(SoapFault fault, SoapVersion version) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try {
            XMLStreamWriter xml = factory.createXMLStreamWriter(out, StandardCharsets.UTF_8.name());
            xml.writeStartDocument(StandardCharsets.UTF_8.name(), "1.0");
            start(xml, version, "Envelope");
            xml.writeNamespace(SOAP, version.namespace());
            start(xml, version, "Body");
            start(xml, version, "Fault");
            String code = SOAP + ":" + version.faultCode(fault.client()).getLocalPart();
            String text = XmlText.clean(fault.text());
            if (version == SoapVersion.SOAP_11) {
                leaf(xml, new QName("faultcode"), code);
                leaf(xml, new QName("faultstring"), text);
                xml.writeStartElement("detail");
            } else {
                start(xml, version, "Code");
                leaf(xml, version.name("Value"), code);
                xml.writeEndElement();
                start(xml, version, "Reason");
                start(xml, version, "Text");
                xml.writeAttribute("xml", "http://www.w3.org/XML/1998/namespace", "lang", "en");
                xml.writeCharacters(text);
                xml.writeEndElement();
                xml.writeEndElement();
                start(xml, version, "Detail");
            }
            detail(xml, fault);
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("cannot write a fault to memory", e);
        }
        return out.toByteArray();
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

    /** The exception that makes Metro send the fault. */
    SOAPFaultException exception(SoapFault fault, SoapVersion version) {
        try {
            SOAPFactory soap = SOAPFactory.newInstance(
                    version == SoapVersion.SOAP_11 ? SOAPConstants.SOAP_1_1_PROTOCOL : SOAPConstants.SOAP_1_2_PROTOCOL);
            SOAPFault target = soap.createFault();
            target.setFaultCode(version.faultCode(fault.client()));
            target.setFaultString(XmlText.clean(fault.text()), Locale.ENGLISH);
            QName name = fault.detail();
            SOAPElement detail =
                    target.addDetail().addChildElement(name.getLocalPart(), DETAIL, name.getNamespaceURI());
            for (Map.Entry<String, String> field : fault.fields().entrySet()) {
                QName child = fault.field(field.getKey());
                SOAPElement element = fault.qualified()
                        ? detail.addChildElement(child.getLocalPart(), DETAIL, child.getNamespaceURI())
                        : detail.addChildElement(child);
                element.addTextNode(XmlText.clean(field.getValue()));
            }
            return new SOAPFaultException(target);
        } catch (SOAPException e) {
            throw new IllegalStateException("cannot build a fault", e);
        }
    }
}
