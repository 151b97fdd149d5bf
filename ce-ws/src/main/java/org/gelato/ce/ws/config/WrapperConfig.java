package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.wrapper.ProxyGuard;
import org.gelato.ce.core.wrapper.WrapperPatience;
import org.gelato.ce.description.TransferPrograms;

/**
 * Job wrappers.
 *
 * @param events how they report
 * @param caDirectory authorities by which wrappers verify this CE over HTTPS, where a worker node names none itself
 * @param scanInterval time between two scans of a spool directory
 * @param proxyGuard how wrappers renew their proxies
 * @param runtimeEnvironments directory of their snippets; null for none
 * @param programs the site's for transfers
 * @param patience how long wrappers wait for what may pass
 */
public record WrapperConfig(
        Events events,
        Path caDirectory,
        Duration scanInterval,
        ProxyGuard proxyGuard,
        Path runtimeEnvironments,
        TransferPrograms programs,
        WrapperPatience patience) {
    private static final String PROGRAMS = "gelato.wrapper.transfer-programs";
    private static final String EVENTS = "gelato.wrapper.events";

    /** The ways of reporting. */
    public enum Events {
        SPOOL,
        HTTPS
    }

    static WrapperConfig read(ConfigReader r) {
        Path caDirectory = r.optionalPath("gelato.wrapper.ca-directory");
        return new WrapperConfig(
                events(r),
                caDirectory == null ? r.path("gelato.tls.ca-directory") : caDirectory,
                r.duration("gelato.wrapper.scan-interval", Duration.ofMillis(100), Duration.ofMinutes(10)),
                new ProxyGuard(
                        r.duration("gelato.wrapper.delegation-time-slot", Duration.ofSeconds(1), Duration.ofDays(7)),
                        r.duration("gelato.wrapper.proxy-retry-wait", Duration.ofSeconds(1), Duration.ofDays(1))),
                r.optionalPath("gelato.wrapper.runtime-environments"),
                programs(r),
                new WrapperPatience(
                        r.duration("gelato.wrapper.patience", Duration.ofSeconds(1), Duration.ofDays(7)),
                        r.duration("gelato.wrapper.transfer-patience", Duration.ofSeconds(1), Duration.ofDays(7)),
                        r.optionalPath("gelato.wrapper.kept-output.directory"),
                        r.bytes("gelato.wrapper.kept-output.max-size", 1, 1L << 50),
                        r.duration("gelato.wrapper.hook-limit", Duration.ofSeconds(1), Duration.ofDays(1))));
    }

    private static TransferPrograms programs(ConfigReader r) {
        try {
            return TransferPrograms.of(r.texts(PROGRAMS));
        } catch (IllegalArgumentException e) {
            r.refuse(PROGRAMS, e.getMessage());
            return TransferPrograms.NONE;
        }
    }

    private static Events events(ConfigReader r) {
        boolean shared = r.flag(SandboxConfig.SHARED);
        Events events = r.optionalChoice(EVENTS, Events.class);
        if (events == null) {
            return shared ? Events.SPOOL : Events.HTTPS;
        }
        if (events == Events.SPOOL && !shared) {
            r.refuse(EVENTS, "https where " + SandboxConfig.SHARED + " = false, for the spool is in the sandbox");
        }
        return events;
    }
}
