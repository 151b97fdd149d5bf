package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.intake.SpoolHomes;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.sandbox.JobScripts;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.wrapper.CommonSettings;
import org.gelato.ce.core.wrapper.ProxySettings;
import org.gelato.ce.core.wrapper.RemoteSandbox;
import org.gelato.ce.core.wrapper.WrapperSettings;
import org.gelato.ce.core.wrapper.WrapperTokens;

/** Makes of a claimed start what its batch system gets: the wrapper's settings, and the script that is written with them. Thread-safe. */
public final class SubmissionBuilder {
    private final SandboxLayout layout;
    private final SpoolHomes homes;
    private final WrapperTokens tokens;
    private final JobScripts scripts;
    private final CommonSettings common;

    /**
     * @param homes gets the directory of each owner whose job is submitted
     * @param scripts writes the scripts; whole ones where worker nodes do not see the sandboxes
     * @param common what the wrappers of all jobs have in common
     */
    public SubmissionBuilder(
            SandboxLayout layout, SpoolHomes homes, WrapperTokens tokens, JobScripts scripts, CommonSettings common) {
        this.layout = layout;
        this.homes = homes;
        this.tokens = tokens;
        this.scripts = scripts;
        this.common = common;
    }

    /** Does not block; the future fails where the script cannot be written, and this throws where it cannot be made. */
    CompletableFuture<Submission> of(ClaimedCommand.Start start) {
        ClaimedCommand c = start.command();
        Path home = layout.home(c.owner(), c.account());
        Path sandbox = layout.sandbox(home, c.jobId());
        homes.add(c.account(), home);
        int attempt = c.job().batchJob().attempt() + 1;
        String ceId = common.urls().queue(c.lrms(), c.queue());
        WrapperSettings settings = new WrapperSettings(
                c.jobId(),
                attempt,
                // Only ARC REST takes descriptions of jobs with a session directory.
                common.urls().names(c.jobId(), start.request().files().paths()),
                ceId,
                sandbox,
                common.spool() ? layout.events(home) : null,
                common.spool() ? null : common.urls().events(),
                common.caDirectory(),
                tokens.of(c.jobId()),
                c.owner().vo() == null
                        ? start.request().origin().virtualOrganisation()
                        : c.owner().vo(),
                c.proxyFile() == null
                        ? null
                        : new ProxySettings(
                                common.shared() ? c.proxyFile() : null,
                                common.urls().proxy(c.jobId()),
                                c.proxyEnd(),
                                isRenewed(start) ? common.guard() : null,
                                isToken(c)),
                common.shared() ? null : remote(c),
                common.patience(),
                common.programs(),
                common.messages(),
                common.spool() ? null : common.urls().messages());
        return scripts.of(c.account(), home, start.request(), settings)
                .thenApply(script -> new Submission(
                        c.jobId(),
                        attempt,
                        c.account(),
                        c.queue(),
                        sandbox,
                        script,
                        start.request(),
                        c.route().settings(),
                        new Submission.Origin(c.owner(), isToken(c) ? null : c.proxyFile(), ceId, c.fromIce())));
    }

    /** A WMS renews the proxies of those of its jobs alone that name a MyProxy server. */
    private static boolean isRenewed(ClaimedCommand.Start start) {
        return !start.command().fromIce()
                || !start.request().others().getOrDefault("MyProxyServer", "").isBlank();
    }

    private static boolean isToken(ClaimedCommand c) {
        return c.proxyFile() != null && SandboxLayout.isToken(c.proxyFile());
    }

    private RemoteSandbox remote(ClaimedCommand c) {
        return new RemoteSandbox(
                common.urls().claims(),
                common.urls().input(c.jobId()),
                common.urls().output(c.jobId()));
    }
}
