package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.soap.Envelopes;
import org.gelato.ce.ws.soap.SoapServer;
import org.gelato.ce.ws.soap.XmlResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DispatchTest extends Cream2TestBase {
    private static final String NO_ACTION = "";

    private static SoapServer.Response send(String header, String body) throws Exception {
        return server.call(SoapServer.CREAM2, "text/xml; charset=utf-8", header, Envelopes.soap11(body));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SOAPAction: \"http://glite.org/2007/11/ce/cream/JobInfo\"|<t:JobInfoRequest/>|info",
                "SOAPAction: http://glite.org/2007/11/ce/cream/JobInfo|<t:JobInfoRequest/>|info",
                "SOAPAction: JobInfo|<t:JobInfoRequest/>|info",
                "SOAPAction: \"JobInfo\"|<t:JobInfoRequest/>|info",
                "SOAPAction: \"\"|<t:JobInfoRequest/>|info",
                "SOAPAction: \"urn:whatever\"|<t:JobStatusRequest/>|status",
                "X-None: 1|<t:JobStatusRequest/>|status",
                "SOAPAction: JobList|''|list",
                "SOAPAction: JobList|<t:JobListRequest/>|list",
                "SOAPAction: \"\"|<t:JobListRequest/>|list",
                "SOAPAction: \"\"|''|list",
                "X-None: 1|''|list"
            })
    void theOperationIsFound(String header, String body, String called) throws Exception {
        SoapServer.Response response = send(header + "\r\n", body);
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(server.jobs.calls).containsExactly(called);
    }

    @Test
    void soap12IsAnsweredInSoap12() throws Exception {
        SoapServer.Response list = server.call(
                SoapServer.CREAM2,
                "application/soap+xml; charset=utf-8; action=\"http://glite.org/2007/11/ce/cream/JobList\"",
                NO_ACTION,
                Envelopes.soap12(""));
        assertThat(list.status()).as(list.body()).isEqualTo(200);
        assertThat(list.head()).containsIgnoringCase("Content-Type: application/soap+xml");
        assertThat(list.xml().name()).isEqualTo("{" + XmlResponse.SOAP_12 + "}Envelope");
        assertThat(list.xml().at("Body").names(XmlResponse.T)).containsExactly("JobListResponse");
        SoapServer.Response info = server.call(
                SoapServer.CREAM2, "application/soap+xml", NO_ACTION, Envelopes.soap12("<t:JobInfoRequest/>"));
        assertThat(info.xml().at("Body").names(XmlResponse.T)).containsExactly("JobInfoResponse");
        server.leases.failure = new ServiceException(FaultCode.LEASE_REFUSED, "refused", "N/A");
        SoapServer.Response leases = server.call(
                SoapServer.CREAM2, "application/soap+xml; action=getLeaseList", NO_ACTION, Envelopes.soap12(""));
        XmlResponse fault = leases.xml().at("Body", "Fault");
        assertThat(fault.names(XmlResponse.SOAP_12)).containsExactly("Code", "Reason", "Detail");
        assertThat(fault.at("Code", "Value").text()).endsWith(":Receiver");
        assertThat(fault.at("Detail").names(XmlResponse.T)).containsExactly("GenericFault");
    }

    @Test
    void otherSpellingsOfTheSameEnvelopeAreReadAlike() throws Exception {
        String bare = "<Envelope xmlns=\"http://schemas.xmlsoap.org/soap/envelope/\"><!-- c --><Body>"
                + "<JobCancelRequest xmlns=\"http://glite.org/2007/11/ce/cream/types\"><jobId><id>CREAM000000001</id>"
                + "</jobId></JobCancelRequest></Body></Envelope>";
        SoapServer.Response response = server.call(SoapServer.CREAM2, "text/xml", "SOAPAction: JobCancel\r\n", bare);
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(server.jobs.filter.ids()).containsExactly("CREAM000000001");
    }

    @Test
    void chunkedRequestsAreServed() throws Exception {
        String envelope = Envelopes.soap11("<t:JobStatusRequest/>");
        SoapServer.Response answer = server.exchange(out -> {
            StringBuilder request = new StringBuilder();
            for (String line : List.of(
                    "POST //ce-cream/services/CREAM2 HTTP/1.1",
                    "Host: ce",
                    "Content-Type: text/xml; charset=utf-8",
                    "Transfer-Encoding: chunked",
                    "")) {
                request.append(line).append("\r\n");
            }
            for (int at = 0; at < envelope.length(); at += 100) {
                String part = envelope.substring(at, Math.min(envelope.length(), at + 100));
                request.append(Integer.toHexString(part.length()))
                        .append("\r\n")
                        .append(part)
                        .append("\r\n");
            }
            out.write(request.append("0\r\n\r\n").toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        });
        response(answer, "JobStatusResponse");
    }
}
