package org.gelato.ce.description.jdl;

import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.SafeText;

/** Only plain jobs are run here. */
final class TypeRule {
    private TypeRule() {}

    static void check(Attributes attributes) throws DescriptionException {
        only(attributes, "Type", "Job");
        only(attributes, "JobType", "Normal");
    }

    private static void only(Attributes attributes, String name, String allowed) throws DescriptionException {
        String value = attributes.string(name);
        if (value != null && !value.equalsIgnoreCase(allowed)) {
            throw DescriptionException.naming(name, name + " \"" + SafeText.of(value) + "\" not allowed");
        }
    }
}
