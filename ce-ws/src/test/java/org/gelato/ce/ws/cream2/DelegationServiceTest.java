package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.ws.soap.Envelopes;
import org.gelato.ce.ws.soap.FakeDelegations;
import org.gelato.ce.ws.soap.SoapServer;
import org.gelato.ce.ws.soap.XmlResponse;
import org.gelato.ce.ws.web.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DelegationServiceTest {
    private static final String PROXY = "-----BEGIN CERTIFICATE-----\nMIID\nAbC=\n-----END CERTIFICATE-----\n";
    private static SoapServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new SoapServer("");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void forget() {
        server.callers.refusal = null;
        server.delegations.calls.clear();
        server.delegations.failure = null;
    }

    private static SoapServer.Response call(String body) throws IOException {
        return server.call("/" + SoapServer.DELEGATION, "", Envelopes.soap11(body));
    }

    private static XmlResponse ok(String body, String response) throws IOException {
        SoapServer.Response answer = call(body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.xml().at("Body").names(XmlResponse.D)).containsExactly(response);
        return answer.xml().at("Body", response);
    }

    private static void assertFault(SoapServer.Response response, String text, String message) {
        assertThat(response.status()).as(response.body()).isEqualTo(500);
        XmlResponse fault = response.xml().at("Body", "Fault");
        assertThat(fault.at("faultstring").text()).isEqualTo(text);
        assertThat(fault.at("detail").names(XmlResponse.D)).containsExactly("DelegationException");
        XmlResponse detail = fault.at("detail", "DelegationException");
        assertThat(detail.names("")).containsExactly("msg");
        assertThat(detail.at("msg").text()).isEqualTo(message);
    }

    @Test
    void everyOperationReturnsUnqualifiedParts() throws Exception {
        assertPart(ok("<d:getVersion/>", "getVersionResponse"), "getVersionReturn", Version.text());
        assertPart(
                ok("<d:getInterfaceVersion></d:getInterfaceVersion>", "getInterfaceVersionResponse"),
                "getInterfaceVersionReturn",
                "2.0");
        assertPart(
                ok("<d:getServiceMetadata><key>color</key></d:getServiceMetadata>", "getServiceMetadataResponse"),
                "getServiceMetadataReturn",
                "color");
        assertPart(
                ok("<d:getProxyReq><delegationID>one</delegationID></d:getProxyReq>", "getProxyReqResponse"),
                "getProxyReqReturn",
                FakeDelegations.CSR);
        assertPart(
                ok("<d:renewProxyReq><delegationID>one</delegationID></d:renewProxyReq>", "renewProxyReqResponse"),
                "renewProxyReqReturn",
                FakeDelegations.CSR);
        assertPart(
                ok(
                        "<d:getTerminationTime><delegationID>one</delegationID></d:getTerminationTime>",
                        "getTerminationTimeResponse"),
                "getTerminationTimeReturn",
                "2026-03-04T05:06:07.000Z");
        assertThat(server.delegations.calls)
                .containsExactly(
                        "getProxyReq dteam001 [one]",
                        "renewProxyReq dteam001 [one]",
                        "getTerminationTime dteam001 [one]");
    }

    private static void assertPart(XmlResponse response, String name, String text) {
        assertThat(response.names("")).containsExactly(name);
        assertThat(response.at(name).text()).isEqualTo(text);
    }

    @Test
    void aNewRequestBringsItsId() throws Exception {
        XmlResponse made = ok("<d:getNewProxyReq/>", "getNewProxyReqResponse").at("getNewProxyReqReturn");
        assertThat(made.names("")).containsExactly("proxyRequest", "delegationID");
        assertThat(made.at("proxyRequest").text()).isEqualTo(FakeDelegations.CSR);
        assertThat(made.at("delegationID").text()).isEqualTo("abc123");
    }

    @Test
    void operationsWithoutResultAnswerAnEmptyElement() throws Exception {
        assertThat(ok(
                                "<d:putProxy><delegationID>one</delegationID><proxy>" + PROXY + "</proxy></d:putProxy>",
                                "putProxyResponse")
                        .children())
                .isEmpty();
        assertThat(ok("<d:destroy><delegationID>one</delegationID></d:destroy>", "destroyResponse")
                        .children())
                .isEmpty();
        assertThat(server.delegations.calls)
                .containsExactly("putProxy dteam001 [one, " + PROXY + "]", "destroy dteam001 [one]");
    }

    @Test
    void qualifiedParametersAndSpacesAroundIdsAreAccepted() throws Exception {
        ok(
                "<d:putProxy><d:delegationID>\n one </d:delegationID><d:proxy>" + PROXY + "</d:proxy></d:putProxy>",
                "putProxyResponse");
        ok(
                "<destroy xmlns='http://www.gridsite.org/namespaces/delegation-2'><delegationID>one</delegationID></destroy>",
                "destroyResponse");
        assertThat(server.delegations.calls)
                .containsExactly("putProxy dteam001 [one, " + PROXY + "]", "destroy dteam001 [one]");
    }

    @Test
    void theBodyDecidesWhateverTheSoapAction() throws Exception {
        for (String action : new String[] {
            "http://www.gridsite.org/namespaces/delegation-2/getVersion",
            "http://www.gridsite.org/namespaces/delegation-2/Delegation/getProxyReqRequest"
        }) {
            SoapServer.Response response =
                    server.call(SoapServer.DELEGATION, action, Envelopes.soap11("<d:getInterfaceVersion/>"));
            assertThat(response.xml().at("Body").names(XmlResponse.D)).containsExactly("getInterfaceVersionResponse");
        }
    }

    @Test
    void anAbsentIdReachesTheServiceAsEmpty() throws Exception {
        ok("<d:getProxyReq/>", "getProxyReqResponse");
        assertThat(server.delegations.calls).containsExactly("getProxyReq dteam001 []");
    }

    @Test
    void soap12IsAnsweredInSoap12() throws Exception {
        SoapServer.Response response =
                server.call(SoapServer.DELEGATION, "application/soap+xml", "", Envelopes.soap12("<d:getVersion/>"));
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(response.head()).containsIgnoringCase("Content-Type: application/soap+xml");
        assertThat(response.xml().name()).isEqualTo("{" + XmlResponse.SOAP_12 + "}Envelope");
        SoapServer.Response refused = server.call(
                SoapServer.DELEGATION,
                "application/soap+xml",
                "",
                Envelopes.soap12("<d:destroy><delegationID>unknown</delegationID></d:destroy>"));
        XmlResponse fault = refused.xml().at("Body", "Fault");
        assertThat(fault.at("Code", "Value").text()).endsWith(":Sender");
        assertThat(fault.at("Reason", "Text").text()).isEqualTo(FakeDelegations.NOT_FOUND);
        assertThat(fault.at("Detail", "DelegationException").names("")).containsExactly("msg");
    }

    @Test
    void aRefusalIsInFaultstringAndInAnUnqualifiedMsg() throws Exception {
        assertFault(
                call("<d:getTerminationTime><delegationID>unknown</delegationID></d:getTerminationTime>"),
                FakeDelegations.NOT_FOUND,
                FakeDelegations.NOT_FOUND);
    }

    @Test
    void anAuthorizationFailureReportsWhy() throws Exception {
        server.callers.refusal =
                "CN=Mallory not authorized for {http://www.gridsite.org/namespaces/delegation-2}destroy";
        assertFault(
                call("<d:destroy><delegationID>one</delegationID></d:destroy>"),
                "Authorization error",
                server.callers.refusal);
        assertThat(server.delegations.calls).isEmpty();
    }

    @Test
    void aProxyMustBeThere() throws Exception {
        SoapServer.Response response = call("<d:putProxy><delegationID>one</delegationID></d:putProxy>");
        assertThat(response.xml().at("Body", "Fault", "faultstring").text())
                .startsWith("Failed to load certificate chain");
        assertThat(server.delegations.calls).isEmpty();
    }

    @Test
    void nothingInternalGetsOut() throws Exception {
        server.delegations.failure = new IllegalStateException("jdbc:mysql://secret");
        SoapServer.Response response = call("<d:destroy><delegationID>one</delegationID></d:destroy>");
        assertThat(response.body()).doesNotContain("secret").doesNotContain("IllegalState");
        assertThat(response.xml().at("Body", "Fault", "faultstring").text())
                .matches("internal error \\(error [0-9a-f]{8}, see the log of the service\\)");
        server.delegations.failure =
                ServiceException.internal("database error occurred", new IllegalStateException("secret"));
        assertThat(call("<d:destroy><delegationID>one</delegationID></d:destroy>")
                        .body())
                .contains("database error occurred")
                .doesNotContain("secret");
    }

    @Test
    void anUnknownOperationIsNamed() throws Exception {
        String text = "no operation has the element {http://www.gridsite.org/namespaces/delegation-2}eat";
        assertFault(call("<d:eat/>"), text, text);
        assertFault(call(""), "the SOAP Body is empty", "the SOAP Body is empty");
    }
}
