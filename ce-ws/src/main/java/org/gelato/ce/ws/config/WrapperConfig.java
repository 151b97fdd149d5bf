package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Job wrappers.
 *
 * @param events how they report
 * @param caDirectory authorities by which wrappers believe this CE over HTTPS, where a worker node names none itself
 * @param scanInterval time between two looks into a spool directory
 */
public record WrapperConfig(Events events, Path caDirectory, Duration scanInterval) {
    /** The ways of reporting. */
    public enum Events {
        SPOOL,
        HTTPS
    }

    static WrapperConfig read(ConfigReader r) {
        Path caDirectory = r.optionalPath("gelato.wrapper.ca-directory");
        return new WrapperConfig(
                r.choice("gelato.wrapper.events", Events.class),
                caDirectory == null ? r.path("gelato.tls.ca-directory") : caDirectory,
                r.duration("gelato.wrapper.scan-interval", Duration.ofMillis(100), Duration.ofMinutes(10)));
    }
}
