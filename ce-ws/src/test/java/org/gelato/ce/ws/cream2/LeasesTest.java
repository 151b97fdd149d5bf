package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.lease.Lease;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.soap.SoapServer;
import org.gelato.ce.ws.soap.XmlResponse;
import org.junit.jupiter.api.Test;

class LeasesTest extends Cream2TestBase {
    private static final Lease LEASE = new Lease("L1", Instant.parse("2026-01-02T10:00:00.123456Z"));

    private static void assertEmptyBody(SoapServer.Response response) {
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(response.xml().at("Body").children()).isEmpty();
    }

    private static void assertLease(XmlResponse lease) {
        assertThat(lease.names(XmlResponse.T)).containsExactly("leaseId", "leaseTime");
        assertThat(lease.at("leaseId").text()).isEqualTo("L1");
        assertThat(lease.at("leaseTime").text()).isEqualTo("2026-01-02T10:00:00.123Z");
    }

    @Test
    void setLeaseReturnsTheTimeGranted() throws Exception {
        server.leases.kept = List.of(LEASE);
        assertLease(ok(
                "setLease",
                "<t:setLeaseRequest><t:leaseId> L1 </t:leaseId><t:leaseTime>2026-11-20T22:48:06+01:00</t:leaseTime>"
                        + "</t:setLeaseRequest>",
                "setLeaseResponse"));
        assertThat(server.leases.calls).containsExactly("set L1 2026-11-20T21:48:06Z");
    }

    @Test
    void whatIsMissingReachesTheCoreAsNothing() throws Exception {
        server.leases.failure = ServiceException.invalid("leaseId not specified!");
        XmlResponse fault = fault(
                call("setLease", "<t:setLeaseRequest><t:leaseId> </t:leaseId></t:setLeaseRequest>"),
                "InvalidArgumentFault",
                "Client",
                "leaseId not specified!");
        assertFields(fault, "jobLease", "0", "leaseId not specified!", null);
        assertThat(server.leases.calls).containsExactly("set null null");
        assertFields(
                fault(
                        call("getLease", "<t:getLeaseRequest/>"),
                        "InvalidArgumentFault",
                        "Client",
                        "leaseId not specified!"),
                "getLease",
                "0",
                "leaseId not specified!",
                null);
        assertFields(
                fault(
                        call("deleteLease", "<t:deleteLeaseRequest/>"),
                        "InvalidArgumentFault",
                        "Client",
                        "leaseId not specified!"),
                "deleteLease",
                "0",
                "leaseId not specified!",
                null);
    }

    @Test
    void aLeaseInThePastIsAGenericFaultOfJobLease() throws Exception {
        server.leases.failure = new ServiceException(
                FaultCode.LEASE_REFUSED, "CommandException occured", "lease time (yesterday) expired!");
        assertFields(
                fault(
                        call(
                                "setLease",
                                "<t:setLeaseRequest><t:leaseId>L1</t:leaseId><t:leaseTime>2020-01-01T00:00:00Z"
                                        + "</t:leaseTime></t:setLeaseRequest>"),
                        "GenericFault",
                        "Server",
                        "CommandException occured"),
                "jobLease",
                "1",
                "CommandException occured",
                "lease time (yesterday) expired!");
    }

    @Test
    void aLeaseIsShown() throws Exception {
        server.leases.kept = List.of(LEASE);
        assertLease(ok("getLease", "<t:getLeaseRequest>L1</t:getLeaseRequest>", "getLeaseResponse"));
        assertThat(server.leases.calls).containsExactly("get L1");
    }

    @Test
    void anUnknownLeaseIsAGenericFault() throws Exception {
        server.leases.failure = new ServiceException(FaultCode.LEASE_REFUSED, "lease L9 not found!", "N/A");
        assertFields(
                fault(
                        call("getLease", "<t:getLeaseRequest>L9</t:getLeaseRequest>"),
                        "GenericFault",
                        "Server",
                        "lease L9 not found!"),
                "getLease",
                "1",
                "lease L9 not found!",
                "N/A");
    }

    @Test
    void allLeasesAreListedForAnEmptyBody() throws Exception {
        assertThat(ok("getLeaseList", "", "getLeaseListResponse").children()).isEmpty();
        server.leases.kept = List.of(LEASE, LEASE);
        XmlResponse list = ok("getLeaseList", "", "getLeaseListResponse");
        assertThat(list.names(XmlResponse.T)).containsExactly("result", "result");
        assertLease(list.child("result", 1));
    }

    @Test
    void deleteLeaseReturnsAnEmptyBody() throws Exception {
        assertEmptyBody(call("deleteLease", "<t:deleteLeaseRequest>L1</t:deleteLeaseRequest>"));
        assertThat(server.leases.calls).containsExactly("delete L1");
    }

    @Test
    void jobSetLeaseIdTakesAFilter() throws Exception {
        server.jobs.commanded = List.of(
                new CommandResult("CREAM000000001", null),
                new CommandResult("CREAM000000002", new JobFault(FaultCode.STATUS_INVALID, null)));
        XmlResponse response = ok(
                "JobSetLeaseId",
                "<t:JobSetLeaseIdRequest><t:newLeaseId>L1</t:newLeaseId><t:jobFilter><t:jobId><t:id>CREAM000000001"
                        + "</t:id><t:creamURL>x</t:creamURL></t:jobId></t:jobFilter></t:JobSetLeaseIdRequest>",
                "JobSetLeaseIdResponse");
        assertThat(server.jobs.leaseId).isEqualTo("L1");
        assertThat(server.jobs.filter).isEqualTo(JobFilter.ofIds(List.of("CREAM000000001")));
        assertThat(response.child("result", 0).names(XmlResponse.T)).containsExactly("jobId");
        assertFields(
                response.child("result", 1).at("JobStatusInvalidFault"),
                "JOB_SET_LEASEID",
                "2",
                "the job has a status not compatible with the JOB_SET_LEASEID command!",
                "N/A");
    }

    @Test
    void withoutANewLeaseItIsTakenAway() throws Exception {
        server.jobs.leaseId = "before";
        ok("JobSetLeaseId", "<t:JobSetLeaseIdRequest><t:jobFilter/></t:JobSetLeaseIdRequest>", "JobSetLeaseIdResponse");
        assertThat(server.jobs.leaseId).isNull();
        assertThat(server.jobs.filter).isEqualTo(JobFilter.all());
    }

    @Test
    void aMissingFilterDoesNotMeanAllJobs() throws Exception {
        fault(
                call(
                        "JobSetLeaseId",
                        "<t:JobSetLeaseIdRequest><t:newLeaseId>L1</t:newLeaseId></t:JobSetLeaseIdRequest>"),
                "InvalidArgumentFault",
                "Client",
                "jobFilter not specified!");
        assertThat(server.jobs.calls).isEmpty();
    }

    private static String accept(boolean accept) {
        return "<t:acceptNewJobSubmissions>" + accept + "</t:acceptNewJobSubmissions>";
    }

    @Test
    void anAdministratorClosesAndOpensTheCeWithEmptyAnswers() throws Exception {
        server.callers.admin = true;
        assertEmptyBody(call("AcceptNewJobSubmissions", accept(false)));
        assertThat(server.admission.state.accepting()).isFalse();
        assertEmptyBody(call("AcceptNewJobSubmissions", accept(true)));
        assertThat(server.admission.state.accepting()).isTrue();
    }

    @Test
    void othersGetAnAuthorizationFaultWithTheTextTwice() throws Exception {
        assertFields(
                fault(
                        call("AcceptNewJobSubmissions", accept(false)),
                        "AuthorizationFault",
                        "Client",
                        "Authorization error"),
                "acceptNewJobSubmissions",
                "0",
                "for admins",
                "for admins");
    }
}
