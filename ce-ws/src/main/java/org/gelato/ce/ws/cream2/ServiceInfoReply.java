package org.gelato.ce.ws.cream2;

import java.time.Clock;
import java.util.function.Consumer;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.Version;

/** What getServiceInfo returns (docs/developer/protocol/cream2-wire.md section 7). */
final class ServiceInfoReply {
    private static final String INTERFACE_VERSION = "2.1";
    private static final int WITH_LIMITS = 2;
    private static final String NO_GRIDFTP =
            "off: clients that know GridFTP alone (glite-ce-*) can neither bring local files of an InputSandbox nor fetch"
                    + " output; ce does both over HTTPS";

    private final CeInstance ce;
    private final Admission admission;
    private final ClusterProperties cluster;
    private final boolean gridFtp;
    private final Clock clock;

    /** @param gridFtp whether clients can bring and fetch files by GridFTP */
    ServiceInfoReply(CeInstance ce, Admission admission, ClusterProperties cluster, boolean gridFtp, Clock clock) {
        this.ce = ce;
        this.admission = admission;
        this.cluster = cluster;
        this.gridFtp = gridFtp;
        this.clock = clock;
    }

    /** Writes the answer at a verbosity; the limits, the batch system and what blocks come from 2 on. */
    Consumer<ElementWriter> at(int verbosity) {
        Admission.State state = admission.state();
        return to -> {
            to.leaf("interfaceVersion", INTERFACE_VERSION)
                    .leaf("serviceVersion", Version.ofCream(ce.version()))
                    .leaf("description", "CREAM 2")
                    .leaf("startupTime", ce.startedAt())
                    .leaf("doesAcceptNewJobSubmissions", String.valueOf(state.accepting()));
            if (verbosity >= WITH_LIMITS) {
                properties(state, to);
            }
            to.leaf("status", "RUNNING");
            if (verbosity >= WITH_LIMITS && !state.accepting()) {
                to.open("message")
                        .leaf("type", "SUBMISSION_ERROR_MESSAGE")
                        .leaf("message", state.message() == null ? "Submissions are disabled!" : state.message())
                        .leaf("timastamp", clock.instant())
                        .close("message");
            }
        };
    }

    private void properties(Admission.State state, ElementWriter to) {
        JobMapping.property("SUBMISSION_THRESHOLD_MESSAGE", state.thresholds(), to);
        cluster.all().forEach((name, value) -> JobMapping.property(name, value, to));
        if (!gridFtp) {
            JobMapping.property("GRIDFTP", NO_GRIDFTP, to);
        }
        for (String drained : admission.drained()) {
            JobMapping.property("DRAINED", drained, to);
        }
    }
}
