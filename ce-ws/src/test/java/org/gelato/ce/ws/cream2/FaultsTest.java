package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.soap.SoapServer;
import org.gelato.ce.ws.soap.XmlResponse;
import org.junit.jupiter.api.Test;

class FaultsTest extends Cream2TestBase {
    private static final String STATUS = "<t:JobStatusRequest/>";

    @Test
    void aStrangerGetsAnAuthorizationFault() throws Exception {
        server.callers.refusal = "CN=Mallory not authorized for {http://glite.org/2007/11/ce/cream}JobStatus";
        XmlResponse fault = fault(call("JobStatus", STATUS), "AuthorizationFault", "Client", "Authorization error");
        assertFields(fault, "JobStatus", "0", server.callers.refusal, "Authorization error");
        fault(call("JobList", ""), "AuthorizationFault", "Client", "Authorization error");
        assertThat(server.jobs.calls).isEmpty();
    }

    @Test
    void aLimitedProxyGetsAnAuthorizationFaultFromTheCore() throws Exception {
        server.jobs.failure = new ServiceException.NotAuthorized("Cannot submit job: proxy is limited");
        XmlResponse fault = fault(
                call(
                        "JobRegister",
                        "<t:JobRegisterRequest><t:jobDescriptionList><t:JDL>[]</t:JDL></t:jobDescriptionList>"
                                + "</t:JobRegisterRequest>"),
                "AuthorizationFault",
                "Client",
                "Authorization error");
        assertFields(fault, "JobRegister", "0", "Cannot submit job: proxy is limited", "Authorization error");
    }

    @Test
    void aStatusFilterThatLeavesNothingIsAGenericFault() throws Exception {
        server.jobs.failure = new ServiceException(
                FaultCode.STATUS_NOT_COMPATIBLE, "no job in one of the given states can take the command");
        String text = "Status specified not compatible for the request command.";
        assertFields(fault(call("JobStatus", STATUS), "GenericFault", "Server", text), "execute", "0", text, text);
    }

    @Test
    void abrokenDatabaseIsNamedAndNoMore() throws Exception {
        server.jobs.failure =
                ServiceException.internal("database error occurred", new IllegalStateException("jdbc:mysql://secret"));
        XmlResponse fault = fault(call("JobStatus", STATUS), "GenericFault", "Server", "database error occurred");
        assertThat(fault.at("MethodName").text()).isEqualTo("execute");
        assertThat(fault.at("Description").text()).isEqualTo("database error occurred");
        assertThat(fault.at("FaultCause").text())
                .matches("database error occurred \\(error [0-9a-f]{8}, see the log of the service\\)");
    }

    /** Beside HTTP's status, which tells clients of all protocols to come again. */
    @Test
    void aDatabaseThatRefusesForAWhileIsNoIncident() throws Exception {
        server.jobs.failure = ServiceException.internal(
                "it failed", new IllegalStateException(new SQLException("--read-only", "HY000", 1290)));
        SoapServer.Response response = call("JobStatus", STATUS);
        assertThat(response.status()).as(response.body()).isEqualTo(503);
        assertThat(response.head()).contains("Retry-After: ");
        XmlResponse fault = response.xml().at("Body", "Fault");
        assertThat(fault.at("faultstring").text()).isEqualTo("database error occurred");
        assertThat(fault.at("detail", "GenericFault").at("FaultCause").text()).contains("try again");
    }

    @Test
    void nothingInternalGetsOut() throws Exception {
        for (RuntimeException failure :
                new RuntimeException[] {new IllegalStateException("secret"), new NullPointerException()}) {
            server.jobs.failure = failure;
            XmlResponse fault = fault(call("JobStatus", STATUS), "GenericFault", "Server", "internal error");
            assertThat(fault.at("Description").text()).isEqualTo("internal error");
            assertThat(fault.at("FaultCause").text()).matches("error [0-9a-f]{8}, see the log of the service");
        }
        assertThat(call("JobStatus", STATUS).body()).doesNotContain("Exception").doesNotContain("stack");
    }

    @Test
    void anErrorIsAFaultAsWell() throws Exception {
        server.jobs.work = () -> {
            throw new StackOverflowError("secret");
        };
        try {
            SoapServer.Response response = call("JobStatus", STATUS);
            fault(response, "GenericFault", "Server", "internal error");
            assertThat(response.body()).doesNotContain("secret");
        } finally {
            server.jobs.work = () -> {};
        }
    }

    @Test
    void textsXmlCannotHoldDoNotBreakTheFault() throws Exception {
        server.jobs.failure = ServiceException.invalid("bad \u0000 <thing>");
        fault(call("JobStatus", STATUS), "InvalidArgumentFault", "Client", "bad ? <thing>");
    }
}
