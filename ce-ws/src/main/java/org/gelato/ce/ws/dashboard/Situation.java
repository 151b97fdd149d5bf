package org.gelato.ce.ws.dashboard;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.lrms.DiagnosticCommands;

/**
 * What a verdict is made of.
 *
 * @param now the moment it is of
 * @param host the name that the host certificate has to have
 * @param lrms the batch system's name, which its check has
 * @param look how an administrator looks at it
 * @param jobs null while the database does not respond
 * @param checks in their order
 * @param open whether new jobs are registered; where they are not, the reason is in the check {@code admission}
 * @param paused why the hand-over pauses; null when it does not
 * @param pollAge since the states of jobs were read last
 * @param hostCertificateEnds when the host certificate ends
 * @param disks directories by the names that admission has for their file systems
 */
public record Situation(
        Instant now,
        String host,
        String lrms,
        DiagnosticCommands look,
        Jobs jobs,
        List<Check> checks,
        boolean open,
        String paused,
        Duration pollAge,
        List<Drain> drains,
        Instant hostCertificateEnds,
        Map<String, Path> disks) {
    /**
     * Jobs that have not ended.
     *
     * @param here started, and not yet in the batch system
     * @param batch waiting there
     */
    public record Jobs(long here, long batch, long running) {}

    /**
     * What a health check found.
     *
     * @param detail its words
     * @param since when it found the same first; null for unknown
     */
    public record Check(
            String name,
            boolean ok,
            boolean degraded,
            @JsonSerialize(using = Foreign.class) String detail,
            Instant since) {}
}
