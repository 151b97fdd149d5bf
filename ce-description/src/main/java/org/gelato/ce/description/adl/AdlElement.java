package org.gelato.ce.description.adl;

import java.util.List;
import java.util.Optional;
import org.gelato.ce.description.DescriptionException;

/**
 * An element of a description.
 *
 * @param name without prefix; with its namespace in braces when that is not one of ADL
 * @param optional whether the job runs without what the element says
 * @param line of its beginning, from 1, as is column
 */
record AdlElement(String name, boolean optional, String text, List<AdlElement> children, int line, int column) {
    /** The last element of this name that it holds itself. */
    Optional<AdlElement> last(String child) {
        return children.stream().filter(c -> c.name().equals(child)).reduce((earlier, later) -> later);
    }

    /** The text of an element that has no others in it. */
    String leaf(String path) throws DescriptionException {
        if (!children.isEmpty()) {
            throw new DescriptionException(path, "holds elements where a text belongs");
        }
        return text;
    }
}
