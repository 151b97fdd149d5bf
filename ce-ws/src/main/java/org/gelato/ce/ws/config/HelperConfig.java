package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.util.List;

/**
 * The privileged helper.
 *
 * @param command program and arguments; empty for the helper that comes with this software
 * @param config the helper's own configuration file; null for its default
 */
public record HelperConfig(List<String> command, Path config) {
    static HelperConfig read(ConfigReader r) {
        return new HelperConfig(r.texts("gelato.helper.command"), r.optionalPath("gelato.helper.config"));
    }
}
