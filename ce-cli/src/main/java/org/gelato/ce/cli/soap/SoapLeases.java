package org.gelato.ce.cli.soap;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Answer;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.LeaseReport;
import org.gelato.ce.cli.wire.Leases;
import org.gelato.ce.cli.wsdl.cream2.JobSetLeaseIdRequest;
import org.gelato.ce.cli.wsdl.cream2.Lease;

/** The lease operations of the job service. */
final class SoapLeases implements Leases {
    private final SoapPorts ports;

    SoapLeases(SoapPorts ports) {
        this.ports = ports;
    }

    @Override
    public LeaseReport set(String id, Instant end) {
        Lease lease = new Lease();
        lease.setLeaseId(id);
        lease.setLeaseTime(WireTimes.of(end));
        return report(ports.call(() -> ports.cream2().setLease(lease)));
    }

    @Override
    public LeaseReport get(String id) {
        return report(ports.call(() -> ports.cream2().getLease(id)));
    }

    @Override
    public List<LeaseReport> list() {
        return ports.call(() -> ports.cream2().getLeaseList()).getResult().stream()
                .map(SoapLeases::report)
                .toList();
    }

    @Override
    public void delete(String id) {
        ports.call(() -> {
            ports.cream2().deleteLease(id);
            return null;
        });
    }

    @Override
    public List<Answer<Void>> attach(String id, JobSelector jobs) {
        JobSetLeaseIdRequest request = new JobSetLeaseIdRequest();
        request.setNewLeaseId(id);
        request.setJobFilter(ports.filter(jobs));
        return SoapComputingElement.refusals(ports.call(() -> ports.cream2().jobSetLeaseId(request)));
    }

    private static LeaseReport report(Lease lease) {
        if (lease == null || lease.getLeaseId() == null) {
            throw new CliException("the CE sent a lease without its id");
        }
        return new LeaseReport(lease.getLeaseId(), WireTimes.instant(lease.getLeaseTime()));
    }
}
