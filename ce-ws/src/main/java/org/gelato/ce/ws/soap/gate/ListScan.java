package org.gelato.ce.ws.soap.gate;

import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamReader;

/**
 * Collects the texts of a request of a {@link ListForm}. Whatever else is in the Body makes it no list: Metro then reads it, and it means
 * what it meant before. For one request and one thread.
 */
final class ListScan {
    private static final int ITEM = 1;
    private static final int TEXT = 2;

    private final ListForm form;
    private final List<String> texts = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private boolean list;
    private boolean inText;
    private boolean hasText;

    /** @param form null for a service without lists */
    ListScan(ListForm form) {
        this.form = form;
    }

    /** The payload begins. */
    void payload(QName name) {
        list = form != null && form.payloads().contains(name);
    }

    /** Whether it is a list so far. */
    boolean isOne() {
        return list;
    }

    /**
     * An element begins.
     *
     * @param below how many levels below the payload
     */
    void start(int below, QName name, boolean nil) {
        if (nil) {
            list = false;
        } else if (below == ITEM) {
            hasText = false;
            list = name.equals(form.item());
        } else if (below == TEXT && name.equals(form.text())) {
            list = !hasText; // of two, one would be lost
            hasText = true;
            inText = true;
            text.setLength(0);
        } else {
            list = below == TEXT && form.beside().contains(name);
        }
    }

    /** Text in an element of that level. */
    void characters(int below, XMLStreamReader reader) {
        if (inText) {
            text.append(reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
        } else if (below < TEXT && !reader.isWhiteSpace()) {
            list = false;
        }
    }

    /** An element ends. */
    void end(int below) {
        if (inText) {
            inText = false;
            String stripped = text.toString().strip();
            list = !stripped.isEmpty();
            texts.add(stripped);
        } else if (below == ITEM) {
            list = hasText;
        }
    }

    /** The texts in their order, without space around them; none where the request is no list. */
    List<String> texts() {
        return list ? List.copyOf(texts) : List.of();
    }
}
