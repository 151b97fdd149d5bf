package org.gelato.ce.it.arex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.gelato.ce.testkit.wire.WireResponse;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * What a response is made of, without its ids, times and other values.
 *
 * @param form of the body: empty, text, HTML, XML, JSON, PEM
 * @param names paths of all elements or members; those of a site's description are not followed
 * @param lists names of JSON members that are lists
 */
record Shape(String form, Set<String> names, Set<String> lists) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The two describe a site with different detail, and so do the clients' readers of it. */
    private static final Set<String> NOT_FOLLOWED = Set.of("Domains", "ComputingActivity");

    static Shape of(WireResponse response) {
        Set<String> names = new TreeSet<>();
        Set<String> lists = new TreeSet<>();
        String text = response.text().strip();
        String form;
        try {
            if (text.isEmpty()) {
                form = "empty";
            } else if (text.startsWith("-----BEGIN")) {
                form = "PEM "
                        + text.lines()
                                .filter(l -> l.startsWith("-----BEGIN"))
                                .distinct()
                                .count();
            } else if (response.mediaType().equals("application/json")) {
                form = "JSON";
                json("", JSON.readTree(text), names, lists);
            } else if (response.mediaType().endsWith("/xml")) {
                form = "XML";
                DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
                xml(
                        "",
                        factory.newDocumentBuilder()
                                .parse(new ByteArrayInputStream(response.body()))
                                .getDocumentElement(),
                        names);
            } else {
                form = text.toLowerCase(Locale.ROOT).contains("<html") ? "HTML" : "text";
            }
        } catch (IOException | SAXException | ParserConfigurationException e) {
            form = "not well-formed " + response.mediaType();
        }
        return new Shape(form, names, lists);
    }

    private static void json(String path, JsonNode node, Set<String> names, Set<String> lists) {
        if (node.isArray()) {
            node.forEach(one -> json(path, one, names, lists));
            return;
        }
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            String name = path + "/" + member.getKey();
            names.add(name);
            if (member.getValue().isArray()) {
                lists.add(name);
            }
            if (!NOT_FOLLOWED.contains(member.getKey())) {
                json(name, member.getValue(), names, lists);
            }
        }
    }

    private static void xml(String path, Node element, Set<String> names) {
        String name = path + "/" + element.getNodeName();
        names.add(name);
        if (NOT_FOLLOWED.contains(element.getNodeName())) {
            return;
        }
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeType() == Node.ELEMENT_NODE) {
                xml(name, child, names);
            }
        }
    }
}
