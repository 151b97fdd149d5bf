package org.gelato.ce.ws.soap.gate;

import java.util.Set;
import javax.xml.namespace.QName;

/**
 * Requests that may be a list of items of texts and nothing else: then the gate has read all of them while it checked them, and Metro
 * need not read them again.
 *
 * @param payloads of the operations
 * @param item a member of the list
 * @param text its element that must be there, and not be blank
 * @param others of its elements that may be there, and mean something
 * @param attributes of an item that mean something
 * @param beside what may stand in an item and means nothing
 */
public record ListForm(
        Set<QName> payloads, QName item, QName text, Set<QName> others, Set<QName> attributes, Set<QName> beside) {
    public ListForm {
        payloads = Set.copyOf(payloads);
        others = Set.copyOf(others);
        attributes = Set.copyOf(attributes);
        beside = Set.copyOf(beside);
    }
}
