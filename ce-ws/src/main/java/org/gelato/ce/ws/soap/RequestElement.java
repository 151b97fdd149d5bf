package org.gelato.ce.ws.soap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;

/**
 * An element of a request as it was read. Elements are found by name, in any order; others mean nothing. Complete once the request was
 * read; then for one thread at a time.
 */
public final class RequestElement {
    private static final RequestElement EMPTY = new RequestElement(null, "", "", false);

    private final String namespace;
    private final String local;
    private final boolean own;
    private final RequestElement parent;
    private List<RequestElement> children = List.of();
    private Map<String, String> attributes = Map.of();
    private String text = "";
    private boolean nil;

    /** @param own whether it stands where the service's elements do; a foreign one is never found */
    RequestElement(RequestElement parent, String namespace, String local, boolean own) {
        this.parent = parent;
        this.namespace = namespace;
        this.local = local;
        this.own = own;
        if (parent != null) {
            if (parent.children.isEmpty()) {
                parent.children = new ArrayList<>(4);
            }
            parent.children.add(this);
        }
    }

    RequestElement parent() {
        return parent;
    }

    void setText(String read) {
        text = read;
    }

    void attribute(String name, String value) {
        if (attributes.isEmpty()) {
            attributes = new HashMap<>();
        }
        attributes.put(name, value);
    }

    void setNil() {
        nil = true;
    }

    public QName name() {
        return new QName(namespace, local);
    }

    /** Its text as it came; of one with elements in it, what follows the last. */
    public String text() {
        return text;
    }

    /** The value of an attribute without a namespace; null when absent. */
    public String attribute(String name) {
        return attributes.get(name);
    }

    /** The elements of a name directly in it; those that are nil are empty. */
    public List<RequestElement> all(String name) {
        List<RequestElement> found = new ArrayList<>(children.size());
        for (RequestElement child : children) {
            if (child.own && child.local.equals(name)) {
                found.add(child.nil ? EMPTY : child);
            }
        }
        return found;
    }

    /** The last element of a name directly in it; null when absent. */
    public RequestElement last(String name) {
        for (int i = children.size() - 1; i >= 0; i--) {
            RequestElement child = children.get(i);
            if (child.own && child.local.equals(name)) {
                return child;
            }
        }
        return null;
    }

    /** The text of {@link #last}; null when absent. */
    public String text(String name) {
        RequestElement last = last(name);
        return last == null ? null : last.text;
    }

    /** The text of {@link #last} without the blanks around it; null when absent. */
    public String stripped(String name) {
        String found = text(name);
        return found == null ? null : found.strip();
    }

    /** The first name of an element directly in it that is none of these; null for none. */
    public QName otherThan(Set<QName> known) {
        return children.stream()
                .map(RequestElement::name)
                .filter(name -> !known.contains(name))
                .findFirst()
                .orElse(null);
    }

    /** Whether it says that it has no value. */
    public boolean isNil() {
        return nil;
    }

    /** Without the texts, which may hold a proxy's key. */
    @Override
    public String toString() {
        return name() + " with " + children.size() + " elements";
    }
}
