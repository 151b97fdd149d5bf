package org.gelato.ce.ws.soap;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** An element of a response; names are checked with their namespaces. */
public record XmlResponse(Element element) {
    public static final String T = "http://glite.org/2007/11/ce/cream/types";
    public static final String D = "http://www.gridsite.org/namespaces/delegation-2";
    public static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
    public static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";

    public static XmlResponse parse(String text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return new XmlResponse(factory.newDocumentBuilder()
                    .parse(new InputSource(new StringReader(text)))
                    .getDocumentElement());
        } catch (Exception e) {
            throw new AssertionError("not XML: " + text, e);
        }
    }

    /** {@code {namespace}name}. */
    public String name() {
        return "{" + (element.getNamespaceURI() == null ? "" : element.getNamespaceURI()) + "}"
                + element.getLocalName();
    }

    /** All child elements in order. */
    public List<XmlResponse> children() {
        List<XmlResponse> children = new ArrayList<>();
        NodeList nodes = element.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            if (nodes.item(i).getNodeType() == Node.ELEMENT_NODE) {
                children.add(new XmlResponse((Element) nodes.item(i)));
            }
        }
        return children;
    }

    /** Local names of the children in order; fails when one stands outside the namespace. */
    public List<String> names(String namespace) {
        return children().stream()
                .map(c -> {
                    if (!c.name().startsWith("{" + namespace + "}")) {
                        throw new AssertionError(c.name() + " is not in " + namespace);
                    }
                    return c.element.getLocalName();
                })
                .toList();
    }

    /** The n-th child of that local name, from 0. */
    public XmlResponse child(String local, int n) {
        return children().stream()
                .filter(c -> c.element.getLocalName().equals(local))
                .skip(n)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + local + " number " + n + " in " + this));
    }

    /** First descendant by local names. */
    public XmlResponse at(String... path) {
        XmlResponse here = this;
        for (String local : path) {
            here = here.child(local, 0);
        }
        return here;
    }

    public String text() {
        return element.getTextContent();
    }

    /** The text of an attribute; null when it is absent. */
    public String attribute(String name) {
        return element.hasAttribute(name) ? element.getAttribute(name) : null;
    }

    @Override
    public String toString() {
        return name() + children();
    }
}
