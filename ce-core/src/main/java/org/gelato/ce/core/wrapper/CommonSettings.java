package org.gelato.ce.core.wrapper;

import java.nio.file.Path;
import org.gelato.ce.description.TransferPrograms;

/**
 * What the wrappers of all jobs of a CE have in common; {@link WrapperSettings} are those of one job.
 *
 * @param urls where wrappers reach this CE
 * @param spool whether wrappers leave their events in the spool; by HTTPS otherwise
 * @param caDirectory authorities by which wrappers verify this CE; null for the system's
 * @param guard how wrappers renew their proxies
 * @param shared whether worker nodes see the sandboxes
 * @param patience how long wrappers wait for what may pass
 * @param programs the site's for transfers
 * @param messages how much jobs may send while they run
 */
public record CommonSettings(
        ServiceUrls urls,
        boolean spool,
        Path caDirectory,
        ProxyGuard guard,
        boolean shared,
        WrapperPatience patience,
        TransferPrograms programs,
        MessageSettings messages) {}
