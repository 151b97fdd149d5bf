package org.gelato.ce.ws.config;

import java.time.Duration;

/**
 * Job wrappers.
 *
 * @param events how they report
 * @param scanInterval time between two looks into a spool directory
 */
public record WrapperConfig(Events events, Duration scanInterval) {
    /** The ways of reporting. */
    public enum Events {
        SPOOL,
        HTTPS
    }

    static WrapperConfig read(ConfigReader r) {
        return new WrapperConfig(
                r.choice("gelato.wrapper.events", Events.class),
                r.duration("gelato.wrapper.scan-interval", Duration.ofMillis(100), Duration.ofMinutes(10)));
    }
}
