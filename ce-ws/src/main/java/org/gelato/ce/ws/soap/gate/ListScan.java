package org.gelato.ce.ws.soap.gate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamReader;

/**
 * Collects the texts of a request of a {@link ListForm}. Whatever else is in the Body makes it no list: Metro then reads it, and it means
 * what it meant before. For one request and one thread.
 */
final class ListScan {
    private static final int ITEM = 1;
    private static final int TEXT = 2;

    private final List<ListForm> forms;
    private final List<Map<QName, String>> items = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private Map<QName, String> item = Map.of();
    /** The payload's; null where the request is no list, as far as it was read. */
    private ListForm form;

    /** The element whose text is collected; null for none. */
    private QName reading;

    ListScan(List<ListForm> forms) {
        this.forms = forms;
    }

    /** The payload begins. */
    void payload(QName name) {
        for (ListForm one : forms) {
            if (one.payloads().contains(name)) {
                form = one;
            }
        }
    }

    /** Whether it is a list so far. */
    boolean isOne() {
        return form != null;
    }

    private void isNone() {
        form = null;
        items.clear();
        text.setLength(0);
    }

    /**
     * An element begins.
     *
     * @param below how many levels below the payload
     */
    void start(int below, QName name, boolean nil, XMLStreamReader reader) {
        if (nil) {
            isNone();
        } else if (below == ITEM && name.equals(form.item())) {
            item = new HashMap<>();
            for (int i = 0; i < reader.getAttributeCount(); i++) {
                if (form.attributes().contains(reader.getAttributeName(i))) {
                    item.put(reader.getAttributeName(i), reader.getAttributeValue(i));
                }
            }
        } else if (below == TEXT
                && (name.equals(form.text()) || form.others().contains(name))
                && !item.containsKey(name)) { // of two, one would be lost
            reading = name;
            text.setLength(0);
        } else if (below != TEXT || !form.beside().contains(name)) {
            isNone();
        }
    }

    /** Text in an element of that level. */
    void characters(int below, XMLStreamReader reader) {
        if (reading != null) {
            text.append(reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
        } else if (below < TEXT && !reader.isWhiteSpace()) {
            isNone();
        }
    }

    /** An element ends. */
    void end(int below) {
        if (reading != null) {
            item.put(reading, text.toString());
            reading = null;
        } else if (below == ITEM) {
            if (item.getOrDefault(form.text(), "").isBlank()) {
                isNone();
            } else {
                items.add(item.size() == 1 ? Map.copyOf(item) : item);
            }
        }
    }

    /** The texts of the items in their order, as they came, by the names of elements and attributes; none where the request is no list. */
    List<Map<QName, String>> items() {
        return List.copyOf(items);
    }
}
