package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.base.Key;

/**
 * The privileged helper.
 *
 * @param command program and arguments; empty for the helper that comes with this software
 * @param config the helper's own configuration file; null for its default
 */
public record HelperConfig(
        @Key List<String> command, @Key(optional = true) Path config) {}
