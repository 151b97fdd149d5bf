package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import org.awaitility.Awaitility;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.soap.Envelopes;
import org.gelato.ce.ws.soap.SoapServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A response that cannot be read to its end is a fault while nothing of it was sent, and no answer at all after that. */
class BrokenOffResponseTest extends Cream2TestBase {
    private static final String ALL = "<t:JobStatusRequest/>";

    @AfterEach
    void mend() {
        server.jobs.laterFailure = null;
    }

    private static void answers(int jobs, int length) {
        JobStatus status = new JobStatus(JobState.DONE_FAILED, Instant.EPOCH, "1", "r".repeat(length), null);
        server.jobs.statuses = Collections.nCopies(jobs, new JobStatusResult("CREAM000000007", status, null));
    }

    @Test
    void whatFailsBeforeTheFirstByteIsAFault() throws Exception {
        answers(4, 10);
        server.jobs.laterFailure = ServiceException.invalid("too late");
        try (SoapServer.Connection connection = server.connect()) {
            SoapServer.Response response = connection.call(
                    "/" + SoapServer.CREAM2, "http://glite.org/2007/11/ce/cream/JobStatus", Envelopes.soap11(ALL));
            fault(response, "InvalidArgumentFault", "Client", "too late");
            assertThat(response.body()).doesNotContain("jobStatus>").doesNotContain("CREAM000000007");
        }
    }

    @Test
    void whatFailsLaterIsNeitherAnAnswerNorItsEnd() throws Exception {
        answers(4, 50_000);
        server.jobs.laterFailure = new IllegalStateException("the database is gone");
        assertThatThrownBy(() -> call("JobStatus", ALL))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed the connection");
        server.jobs.laterFailure = null;
        assertThat(call("JobStatus", ALL)
                        .xml()
                        .at("Body", "JobStatusResponse")
                        .names("http://glite.org/2007/11/ce/cream/types"))
                .hasSize(4);
    }

    @Test
    void slicesAreReadAsTheClientTakesThem() throws Exception {
        answers(2000, 50_000);
        int before = server.jobs.slicesRead.get();
        try (SoapServer.Connection connection = server.connect()) {
            connection.send(
                    "/" + SoapServer.CREAM2, "http://glite.org/2007/11/ce/cream/JobStatus", Envelopes.soap11(ALL));
            Awaitility.await().until(() -> server.jobs.slicesRead.get() > before);
            assertThat(server.jobs.slicesRead.get() - before).isLessThan(1000);
        }
    }

    @Test
    void aUsedUpQuotaIsAFaultThatNamesIt() throws Exception {
        String text = "The quota of stored job descriptions is used up: purge jobs that have ended to make room";
        server.jobs.failure = new ServiceException(FaultCode.OVER_QUOTA, text, "9 of 10 bytes are taken");
        SoapServer.Response response = call(
                "JobRegister",
                "<t:JobRegisterRequest><t:jobDescriptionList><t:JDL>[]</t:JDL></t:jobDescriptionList>"
                        + "</t:JobRegisterRequest>");
        assertFields(fault(response, "GenericFault", "Server", text), "execute", "0", text, "9 of 10 bytes are taken");
    }
}
