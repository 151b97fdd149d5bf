package org.gelato.ce.core.jdl;

/** Only plain jobs are run here. */
final class TypeRule {
    private TypeRule() {}

    static void check(Attributes attributes) throws JdlException {
        only(attributes, "Type", "Job");
        only(attributes, "JobType", "Normal");
    }

    private static void only(Attributes attributes, String name, String allowed) throws JdlException {
        String value = attributes.string(name);
        if (value != null && !value.equalsIgnoreCase(allowed)) {
            throw new JdlException(name + " \"" + Excerpt.of(value) + "\" not allowed");
        }
    }
}
