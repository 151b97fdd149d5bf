package org.gelato.ce.core.lrms.type;

import java.util.function.Function;

/**
 * A key of CREAM's {@code cream-config.xml} that counts for one kind of batch system.
 *
 * @param name the old key
 * @param key the new key
 * @param value makes the new value of the old text; a {@link NumberFormatException} for what should be a number
 * @param otherwise why it is not needed with another batch system
 */
public record CreamMapping(String name, String key, Function<String, Object> value, String otherwise) {}
