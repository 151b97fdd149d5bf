package org.gelato.ce.core.lrms.type;

/**
 * An option of {@code ce server init} for one kind of batch system.
 *
 * @param name with its dashes: {@code --slurm-conf}
 * @param label of its value in the help: {@code FILE}
 * @param description a sentence for the help
 * @param key that gets the value
 * @param value what it is
 * @param needed whether the type cannot be set up without it
 */
public record SetupOption(String name, String label, String description, String key, Value value, boolean needed) {
    /** What a value is. */
    public enum Value {
        TEXT,
        /** A path, which is made absolute. */
        PATH,
        /** Texts; the option may be repeated. */
        TEXTS
    }
}
