package org.gelato.ce.core.base;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component of a record that is a key of the site's configuration. Its type says what is read: {@code int} a number, {@code long} a size,
 * {@code Duration}, {@code boolean}, {@code String}, {@code Path} (absolute and normalised), {@code URI}, an enum (its names in small letters
 * with dashes), {@code Optional<String>} (in a section of a list: empty where the key is absent, and an empty text is refused),
 * {@code List<String>} (in a section of a list also one text), {@code Map<String, String>}, {@code Map<String, Object>} (values as they are
 * written), or a record of further keys.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {
    /** The record's keys are beside the component, not in a section of its own. */
    String BESIDE = ".";

    /** Its name below the record's section; empty: the component's name in small letters with dashes. From {@code gelato.} on it is whole. */
    String value() default "";

    /** The least number, size or duration, as the site would write it. */
    String min() default "";

    /** The most. */
    String max() default "";

    /**
     * Regular expression of a text, which is stripped in a section of a list; with it a list has at least one text, all different, and each
     * matches.
     */
    String form() default "";

    /** What {@link #form()} accepts, in words. */
    String accepted() default "a text";

    /**
     * Whether a text may be empty; a path or an enum is null then. In a section of a list the key may be absent: an empty text or list, 0
     * or null.
     */
    boolean optional() default false;
}
