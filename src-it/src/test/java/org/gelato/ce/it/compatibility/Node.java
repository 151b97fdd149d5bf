package org.gelato.ce.it.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Element;

/** An element of a response, by local names; the namespaces were checked when it was read. */
record Node(Element element) {
    String name() {
        return element.getLocalName();
    }

    String namespace() {
        return element.getNamespaceURI() == null ? "" : element.getNamespaceURI();
    }

    List<Node> children() {
        List<Node> children = new ArrayList<>();
        for (org.w3c.dom.Node n = element.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element e) {
                children.add(new Node(e));
            }
        }
        return children;
    }

    /** Names of the children in their order. */
    List<String> names() {
        return children().stream().map(Node::name).toList();
    }

    List<Node> all(String name) {
        return children().stream().filter(c -> c.name().equals(name)).toList();
    }

    Optional<Node> find(String name) {
        return all(name).stream().findFirst();
    }

    /** The first descendant on a path of names; fails without it. */
    Node at(String... path) {
        Node here = this;
        for (String name : path) {
            Node parent = here;
            here = here.find(name).orElseThrow(() -> new AssertionError("no " + name + " in " + parent));
        }
        return here;
    }

    /** Text on a path of names. */
    String text(String... path) {
        return at(path).element.getTextContent();
    }

    /** The text of an attribute; null when it is absent. */
    String attribute(String name) {
        return element.hasAttribute(name) ? element.getAttribute(name) : null;
    }

    /** Value of a Property child by its name. */
    Optional<String> property(String name) {
        return all("property").stream()
                .filter(p -> p.text("name").equals(name))
                .map(p -> p.text("value"))
                .findFirst();
    }

    @Override
    public String toString() {
        return children().isEmpty() ? name() + "=" + element.getTextContent() : name() + children();
    }
}
