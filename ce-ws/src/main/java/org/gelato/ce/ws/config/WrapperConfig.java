package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.wrapper.ProxyGuard;
import org.gelato.ce.core.wrapper.WrapperPatience;
import org.gelato.ce.description.TransferPrograms;

/**
 * Job wrappers.
 *
 * @param events how they report
 * @param caDirectory authorities by which wrappers verify this CE over HTTPS, where a worker node names none itself
 * @param proxyGuard how wrappers renew their proxies
 * @param runtimeEnvironments directory of their snippets; null for none
 * @param programs the site's for transfers
 * @param patience how long wrappers wait for what may pass
 */
public record WrapperConfig(
        @Key(optional = true) Events events,
        @Key(optional = true) Path caDirectory,
        @Key(Key.BESIDE) ProxyGuard proxyGuard,
        @Key(optional = true) Path runtimeEnvironments,
        TransferPrograms programs,
        @Key(Key.BESIDE) WrapperPatience patience) {
    private static final Duration HOOK_LIMIT = Duration.ofMinutes(10);
    private static final String PROGRAMS = "gelato.wrapper.transfer-programs";
    private static final String EVENTS = "gelato.wrapper.events";

    /** The ways of reporting. */
    public enum Events {
        SPOOL,
        HTTPS
    }

    /**
     * @param shared whether worker nodes see the sandboxes
     * @param caDirectory of the CE, where wrappers have no other
     */
    static WrapperConfig read(Binder r, boolean shared, Path caDirectory) {
        WrapperConfig site = r.read("gelato.wrapper", WrapperConfig.class, programs(r), HOOK_LIMIT);
        if (site.events == Events.SPOOL && !shared) {
            r.refuse(EVENTS, "https where " + SandboxConfig.SHARED + " = false, for the spool is in the sandbox");
        }
        Events usual = shared ? Events.SPOOL : Events.HTTPS;
        return new WrapperConfig(
                site.events == null ? usual : site.events,
                site.caDirectory == null ? caDirectory : site.caDirectory,
                site.proxyGuard,
                site.runtimeEnvironments,
                site.programs,
                site.patience);
    }

    private static TransferPrograms programs(Binder r) {
        try {
            return TransferPrograms.of(r.texts(PROGRAMS));
        } catch (IllegalArgumentException e) {
            r.refuse(PROGRAMS, e.getMessage());
            return TransferPrograms.NONE;
        }
    }
}
