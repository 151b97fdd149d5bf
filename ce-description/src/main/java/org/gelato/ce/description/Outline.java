package org.gelato.ce.description;

import java.util.List;
import java.util.Set;

/**
 * What a client must know of a description that it sends as it is. What its attributes say is not judged: that is the part of the CE that
 * gets it.
 *
 * @param inputs the input files that have a name
 * @param names of what is set: attributes of xRSL in small letters without underscores, paths of elements in ADL
 * @param begin offset in the text at which something more can be set, before all else: behind the &amp; of xRSL, or the start tag of ADL; -1
 *     without one
 * @param prefix of that tag with its colon; empty when it has none
 */
public record Outline(List<Input> inputs, Set<String> names, int begin, String prefix) {
    /**
     * An input file.
     *
     * @param name as the job will find it
     * @param source null where none is given
     */
    public record Input(String name, String source) {}

    /** Of a text with more than one job. */
    public static DescriptionException several(String language) {
        return new DescriptionException("several jobs in one " + language + ": write one description in each file");
    }
}
