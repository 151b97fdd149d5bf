package org.gelato.ce.it.compatibility;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The schema inside a published WSDL, as a client's stub generator takes it out. */
final class PublishedSchema {
    private static final String XSD = XMLConstants.W3C_XML_SCHEMA_NS_URI;
    private static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";

    private PublishedSchema() {}

    static Document parse(String xml) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        } catch (ParserConfigurationException | IOException e) {
            throw new IllegalStateException(e);
        } catch (SAXException e) {
            throw new AssertionError("not XML: " + xml, e);
        }
    }

    /** Of a document/literal service: its elements are the schema's. */
    static Schema ofDocuments(String wsdl) {
        return compile(schema(parse(wsdl)));
    }

    /** Of an rpc/literal service: each message is an element of its name, with the parts unqualified below it. */
    static Schema ofCalls(String wsdl) {
        Document description = parse(wsdl);
        Document schema = schema(description);
        for (Element message : elements(description, WSDL, "message")) {
            if (message.getAttribute("name").endsWith("Response")) {
                schema.getDocumentElement().appendChild(wrapper(schema, message));
            }
        }
        return compile(schema);
    }

    private static Element wrapper(Document schema, Element message) {
        Element element = schema.createElementNS(XSD, "xsd:element");
        element.setAttribute("name", message.getAttribute("name"));
        Element sequence = schema.createElementNS(XSD, "xsd:sequence");
        element.appendChild(schema.createElementNS(XSD, "xsd:complexType")).appendChild(sequence);
        for (Element part : elements(message, WSDL, "part")) {
            Element child = schema.createElementNS(XSD, "xsd:element");
            child.setAttribute("name", part.getAttribute("name"));
            child.setAttribute("type", part.getAttribute("type"));
            child.setAttribute("form", "unqualified");
            sequence.appendChild(child);
        }
        return element;
    }

    /** The schema element alone, with the prefixes that were declared around it. */
    private static Document schema(Document wsdl) {
        Element found = elements(wsdl, XSD, "schema").get(0);
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            Document alone = factory.newDocumentBuilder().newDocument();
            Element root = (Element) alone.importNode(found, true);
            NamedNodeMap around = wsdl.getDocumentElement().getAttributes();
            for (int i = 0; i < around.getLength(); i++) {
                Attr attribute = (Attr) around.item(i);
                if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
                    root.setAttributeNS(attribute.getNamespaceURI(), attribute.getName(), attribute.getValue());
                }
            }
            alone.appendChild(root);
            return alone;
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Schema compile(Document schema) {
        try {
            return SchemaFactory.newInstance(XSD).newSchema(new DOMSource(schema));
        } catch (SAXException e) {
            throw new AssertionError("the published schema is none", e);
        }
    }

    private static List<Element> elements(org.w3c.dom.Node below, String namespace, String name) {
        NodeList nodes = below instanceof Document d
                ? d.getElementsByTagNameNS(namespace, name)
                : ((Element) below).getElementsByTagNameNS(namespace, name);
        List<Element> list = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            list.add((Element) nodes.item(i));
        }
        return list;
    }
}
