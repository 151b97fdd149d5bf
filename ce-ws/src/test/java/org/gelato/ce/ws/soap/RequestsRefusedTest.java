package org.gelato.ce.ws.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.ws.soap.SoapServer.CREAM2;
import static org.gelato.ce.ws.soap.SoapServer.DELEGATION;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hostile and broken requests: each gets a fault that names the error, and none reaches a service. */
class RequestsRefusedTest {
    private static final String PURGE = "http://glite.org/2007/11/ce/cream/JobPurge";
    private static final String REGISTER = "http://glite.org/2007/11/ce/cream/JobRegister";
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
        server.jobs.calls.clear();
        server.delegations.calls.clear();
    }

    private static void assertRefused(SoapServer.Response response, String text) {
        assertThat(response.status()).as(response.body()).isEqualTo(500);
        XmlResponse fault = response.xml().at("Body", "Fault");
        assertThat(fault.names("")).containsExactly("faultcode", "faultstring", "detail");
        assertThat(fault.at("faultcode").text()).endsWith(":Client");
        assertThat(fault.at("faultstring").text()).contains(text);
        assertThat(fault.at("detail").names(XmlResponse.T)).containsExactly("GenericFault");
        assertThat(fault.at("detail", "GenericFault").names(XmlResponse.T))
                .containsExactly("MethodName", "Timestamp", "ErrorCode", "Description", "FaultCause");
        assertThat(fault.at("detail", "GenericFault", "FaultCause").text()).contains(text);
        assertThat(server.jobs.calls).isEmpty();
    }

    @Test
    void aDoctypeIsRefusedAndNothingOfItIsRead() throws Exception {
        String dtd = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\"><!ENTITY y \"&x;&x;\">]>";
        String envelope = Envelopes.soap11("<t:JobPurgeRequest><t:status>&y;</t:status></t:JobPurgeRequest>")
                .replace("?>\n", "?>\n" + dtd);
        assertRefused(server.call(CREAM2, PURGE, envelope), "DOCTYPE");
        SoapServer.Response delegation = server.call(DELEGATION, "", dtd + "<a/>");
        assertThat(delegation
                        .xml()
                        .at("Body", "Fault", "detail", "DelegationException", "msg")
                        .text())
                .contains("DOCTYPE");
    }

    @Test
    void aPathThatCouldBeReadInTwoWaysReachesNoService() throws Exception {
        for (String path : List.of(CREAM2 + ";x", "/docs/..;" + CREAM2, "/docs/.." + CREAM2, "/%2e" + DELEGATION)) {
            assertThat(server.call(path, PURGE, Envelopes.soap11("<t:JobPurgeRequest/>"))
                            .status())
                    .as(path)
                    .isEqualTo(400);
        }
        assertThat(server.jobs.calls).isEmpty();
    }

    @Test
    void tenThousandNestedElementsAreRefused() throws Exception {
        String deep = "<t:x>".repeat(10_000) + "</t:x>".repeat(10_000);
        assertRefused(
                server.call(CREAM2, PURGE, Envelopes.soap11("<t:JobPurgeRequest>" + deep + "</t:JobPurgeRequest>")),
                "Depth limit (100)");
        assertRefused(server.call(CREAM2, PURGE, Envelopes.soap11(deep, "<t:JobPurgeRequest/>")), "Depth limit (100)");
    }

    @Test
    void fiftyMegabytesAreRefusedByTheirLengthAlone() throws Exception {
        SoapServer.Response response = server.exchange(out -> {
            String head = "POST " + CREAM2 + " HTTP/1.1\r\nHost: ce\r\nContent-Type: text/xml\r\nSOAPAction: \""
                    + REGISTER + "\"\r\nContent-Length: 52428800\r\n\r\n<";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
        });
        assertRefused(response, "larger than 10485760 bytes");
        assertThat(response.head()).containsIgnoringCase("Connection: close");
    }

    /** What is not read says its version by its type alone. */
    @Test
    void aTooLargeRequestGetsAFaultOfItsOwnVersion() throws Exception {
        SoapServer.Response response = server.exchange(out -> {
            String head = "POST " + CREAM2 + " HTTP/1.1\r\nHost: ce\r\nContent-Type: application/soap+xml\r\n"
                    + "Content-Length: 52428800\r\n\r\n<";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
        });
        assertThat(response.head()).contains("Content-Type: application/soap+xml;charset=utf-8");
        XmlResponse fault = response.xml().at("Body", "Fault");
        assertThat(fault.names(XmlResponse.SOAP_12)).containsExactly("Code", "Reason", "Detail");
        assertThat(fault.at("Reason", "Text").text()).contains("larger than 10485760 bytes");
    }

    @Test
    void fiftyMegabytesInChunksAreReadNoFurtherThanTheLimit() throws Exception {
        AtomicLong sent = new AtomicLong();
        SoapServer.Response response = server.exchange(out -> {
            out.write(("POST " + CREAM2 + " HTTP/1.1\r\nHost: ce\r\nContent-Type: text/xml\r\nSOAPAction: \"" + REGISTER
                            + "\"\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            String start = Envelopes.soap11("<t:JobRegisterRequest><t:jobDescriptionList><t:JDL>");
            byte[] first = start.substring(0, start.indexOf("</E:Body>")).getBytes(StandardCharsets.US_ASCII);
            byte[] filler = " ".repeat(64 << 10).getBytes(StandardCharsets.US_ASCII);
            // one chunk over the limit and no end: the response must come without it
            for (byte[] chunk = first; sent.get() <= 10 << 20; chunk = filler) {
                out.write((Integer.toHexString(chunk.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                out.write(chunk);
                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                sent.addAndGet(chunk.length);
            }
        });
        assertRefused(response, "larger than 10485760 bytes");
    }

    @Test
    void aStrangerIsRefusedHoweverMuchIsSent() throws Exception {
        server.callers.refusal = "Authorization failure: no client certificate";
        SoapServer.Response response = server.exchange(out -> {
            String envelope = Envelopes.soap11("<t:JobRegisterRequest>");
            String head = "POST " + CREAM2 + " HTTP/1.1\r\nHost: ce\r\nContent-Type: text/xml\r\nSOAPAction: \""
                    + REGISTER + "\"\r\nContent-Length: 52428800\r\n\r\n";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(envelope.substring(0, envelope.indexOf("</E:Body>")).getBytes(StandardCharsets.US_ASCII));
            out.write(" ".repeat(128 << 10).getBytes(StandardCharsets.US_ASCII));
        });
        assertThat(response.status()).isEqualTo(500);
        assertThat(response.xml().at("Body", "Fault", "detail").names(XmlResponse.T))
                .containsExactly("AuthorizationFault");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<t:JobPurgeRequest><t:fromDate>yesterday</t:fromDate></t:JobPurgeRequest>|fromDate must be",
                "<t:JobPurgeRequest><t:toDate>2026-02-31T00:00:00Z</t:toDate></t:JobPurgeRequest>|toDate must be",
                "<t:JobPurgeRequest><t:toDate/></t:JobPurgeRequest>|toDate must be",
                "<t:JobPurgeRequest><jobId><id>CREAM000000001</id></jobId></t:JobPurgeRequest>|does not take the element jobId",
                "<t:JobPurgeRequest><t:jobid/></t:JobPurgeRequest>|it means all jobs",
                "<t:JobPurgeRequest xsi:nil='true'/>|JobPurgeRequest must not be nil",
                "<t:JobPurgeRequest xsi:nil=' 1 '><t:jobId><t:id>CREAM1</t:id></t:jobId></t:JobPurgeRequest>|must not be nil",
                "<t:JobPurgeRequest/><t:JobPurgeRequest/>|more than one element",
                "<t:JobStatusRequest/>|must hold {http://glite.org/2007/11/ce/cream/types}JobPurgeRequest",
                "<JobPurgeRequest/>|but holds JobPurgeRequest",
                "''|but holds nothing",
                "<t:JobPurgeRequest>&nbsp;</t:JobPurgeRequest>|nbsp",
                "<t:JobPurgeRequest>|not acceptable XML",
            })
    void whatCouldMatchMoreJobsThanIntendedIsRefused(String body, String text) throws Exception {
        assertRefused(server.call(CREAM2, PURGE, Envelopes.soap11(body)), text);
    }

    @Test
    void aNilRequestForANumberIsTheClientsFault() throws Exception {
        String nil = "<t:ServiceInfoRequest xsi:nil='true'>0</t:ServiceInfoRequest>";
        assertRefused(
                server.call(CREAM2, PURGE.replace("JobPurge", "ServiceInfo"), Envelopes.soap11(nil)),
                "ServiceInfoRequest must not be nil");
    }

    @Test
    void anEnvelopeHoldsHeaderAndBodyAlone() throws Exception {
        String good = Envelopes.soap11("<t:JobPurgeRequest/>");
        assertRefused(server.call(CREAM2, PURGE, good.replace("<E:Body>", "<t:x/><E:Body>")), "only Header and Body");
        assertRefused(server.call(CREAM2, PURGE, good.replace("</E:Body>", "</E:Body><t:x/>")), "only Header and Body");
        assertRefused(server.call(CREAM2, PURGE, good.replace("<E:Body>", "x<E:Body>")), "only elements may be");
        assertRefused(server.call(CREAM2, PURGE, good.replace("<E:Body>", "<E:Body>x")), "only elements may be");
    }

    @Test
    void aJobIdWithoutIdIsNoFilterForAllJobs() throws Exception {
        for (String id :
                new String[] {"<t:jobId/>", "<t:jobId><t:id> </t:id></t:jobId>", "<t:jobId xsi:nil='true'/>"}) {
            SoapServer.Response response =
                    server.call(CREAM2, PURGE, Envelopes.soap11("<t:JobPurgeRequest>" + id + "</t:JobPurgeRequest>"));
            XmlResponse fault = response.xml().at("Body", "Fault", "detail", "InvalidArgumentFault");
            assertThat(fault.at("Description").text()).isEqualTo("job id not specified!");
            assertThat(fault.at("MethodName").text()).isEqualTo("jobPurge");
            assertThat(server.jobs.calls).isEmpty();
        }
    }

    @Test
    void anInvalidAutoStartDoesNotStartJobs() throws Exception {
        assertRefused(
                server.call(
                        CREAM2,
                        REGISTER,
                        Envelopes.soap11("<t:JobRegisterRequest><t:jobDescriptionList><t:JDL>[]</t:JDL>"
                                + "<t:autoStart>perhaps</t:autoStart></t:jobDescriptionList></t:JobRegisterRequest>")),
                "autoStart must be true or false but is \"perhaps\"");
    }

    @Test
    void tooManyAttributesAreRefused() throws Exception {
        StringBuilder attributes = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            attributes.append(" a").append(i).append("='1'");
        }
        assertRefused(
                server.call(CREAM2, PURGE, Envelopes.soap11("<t:JobPurgeRequest" + attributes + "/>")),
                "not acceptable XML");
    }

    @Test
    void tooManyElementsAreRefused() throws Exception {
        assertRefused(
                server.call(
                        CREAM2,
                        PURGE,
                        Envelopes.soap11("<t:JobPurgeRequest>" + "<t:a/>".repeat(200_001) + "</t:JobPurgeRequest>")),
                "not acceptable XML");
    }

    @Test
    void anUnknownOperationIsNamed() throws Exception {
        assertRefused(
                server.call(CREAM2, "http://glite.org/2007/11/ce/cream/JobEat", Envelopes.soap11("<t:JobEatRequest/>")),
                "no operation has the element {http://glite.org/2007/11/ce/cream/types}JobEatRequest");
        assertRefused(server.call(CREAM2, "", "<html/>"), "not a SOAP 1.1 or 1.2 envelope");
        assertRefused(server.call(CREAM2, "", "no XML at all"), "not acceptable XML");
        assertRefused(server.call(CREAM2, "", ""), "not acceptable XML");
    }

    @Test
    void xml11IsRefusedAsItsControlCharactersCouldNotBeAnswered() throws Exception {
        String envelope = Envelopes.soap11("<t:JobPurgeRequest><t:status>&#1;</t:status></t:JobPurgeRequest>");
        assertRefused(server.call(CREAM2, PURGE, envelope.replace("version=\"1.0\"", "version=\"1.1\"")), "XML 1.1");
        assertRefused(server.call(CREAM2, PURGE, envelope), "not acceptable XML");
    }

    @Test
    void otherContentsAndMethodsAreRefused() throws Exception {
        String envelope = Envelopes.soap11("");
        assertThat(server.call(CREAM2, "application/fastinfoset", "", envelope).status())
                .isEqualTo(415);
        assertThat(server.call(CREAM2, "multipart/related; type=\"text/xml\"", "", envelope)
                        .status())
                .isEqualTo(415);
        assertThat(server.call(CREAM2, "text/xml; charset=utf-7", "", envelope).status())
                .isEqualTo(415);
        assertThat(server.call(CREAM2, "text/xml", "Content-Encoding: gzip\r\n", envelope)
                        .status())
                .isEqualTo(415);
        assertThat(server.get(CREAM2).status()).isEqualTo(405);
        assertThat(server.jobs.calls).isEmpty();
    }

    @Test
    void aFaultHasTheVersionOfTheRequest() throws Exception {
        SoapServer.Response response =
                server.call(CREAM2, "application/soap+xml; charset=utf-8", "", Envelopes.soap12("<t:JobEatRequest/>"));
        assertThat(response.status()).isEqualTo(500);
        assertThat(response.head()).containsIgnoringCase("Content-Type: application/soap+xml");
        XmlResponse fault = response.xml().at("Body", "Fault");
        assertThat(fault.names(XmlResponse.SOAP_12)).containsExactly("Code", "Reason", "Detail");
        assertThat(fault.at("Code", "Value").text()).endsWith(":Sender");
        assertThat(fault.at("Reason", "Text").text()).contains("JobEatRequest");
        assertThat(fault.at("Detail").names(XmlResponse.T)).containsExactly("GenericFault");
    }
}
