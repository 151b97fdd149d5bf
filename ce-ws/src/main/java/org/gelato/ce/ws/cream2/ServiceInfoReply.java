package org.gelato.ce.ws.cream2;

import java.time.Clock;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.ws.cream2.wsdl.ServiceInfo;
import org.gelato.ce.ws.cream2.wsdl.ServiceMessage;
import org.gelato.ce.ws.soap.gate.WireTime;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.Version;
import org.gelato.ce.ws.xml.XmlText;

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

    /** The answer at a verbosity; the limits, the batch system and what blocks come from 2 on. */
    ServiceInfo at(int verbosity) {
        Admission.State state = admission.state();
        ServiceInfo info = new ServiceInfo();
        info.setInterfaceVersion(INTERFACE_VERSION);
        info.setServiceVersion(Version.ofCream(ce.version()));
        info.setDescription("CREAM 2");
        info.setStartupTime(WireTime.toWire(ce.startedAt()));
        info.setDoesAcceptNewJobSubmissions(state.accepting());
        info.setStatus("RUNNING");
        if (verbosity >= WITH_LIMITS) {
            info.getProperty().add(JobMapping.property("SUBMISSION_THRESHOLD_MESSAGE", state.thresholds()));
            info.getProperty().addAll(cluster.list());
            if (!gridFtp) {
                info.getProperty().add(JobMapping.property("GRIDFTP", NO_GRIDFTP));
            }
            for (String drained : admission.drained()) {
                info.getProperty().add(JobMapping.property("DRAINED", XmlText.clean(drained)));
            }
            if (!state.accepting()) {
                ServiceMessage message = new ServiceMessage();
                message.setType("SUBMISSION_ERROR_MESSAGE");
                message.setMessage(
                        state.message() == null ? "Submissions are disabled!" : XmlText.clean(state.message()));
                message.setTimastamp(WireTime.toWire(clock.instant()));
                info.getMessage().add(message);
            }
        }
        return info;
    }
}
