package org.gelato.ce.ws.web;

import java.net.URI;
import java.time.Instant;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.event.JobEvents;
import org.gelato.ce.core.intake.WrapperClaims;
import org.gelato.ce.core.intake.WrapperEvents;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.sandbox.Sandboxes;
import org.gelato.ce.core.lease.Leases;

/**
 * Everything the protocol packages need, made by the composition root and handed to them through the servlet context.
 *
 * @param baseUrl {@code https://host:port}, without a slash at the end: job ids and creamURL start with it
 * @param version version of this software, {@code d.dd…}: at least two digits after the first dot
 * @param startedAt start of the service
 * @param sandboxAccess how clients of old reach sandboxes by GridFTP
 * @param sandboxes how files go in and out over HTTPS
 * @param wrapperClaims which wrapper runs a job, where it does not see the sandbox
 */
public record CeServices(
        URI baseUrl,
        String version,
        Instant startedAt,
        CallerResolver callers,
        Jobs jobs,
        Delegations delegations,
        Admission admission,
        WrapperEvents wrapperEvents,
        AccountCommands accounts,
        Leases leases,
        Explainer explainer,
        JobEvents jobEvents,
        SandboxAccess sandboxAccess,
        Sandboxes sandboxes,
        WrapperClaims wrapperClaims) {
    /** Name of the servlet context attribute that holds the one instance. */
    public static final String ATTRIBUTE = CeServices.class.getName();
}
