package org.gelato.ce.ws.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.ws.soap.SoapServer.CREAM2;
import static org.gelato.ce.ws.soap.SoapServer.DELEGATION;

import com.sun.xml.ws.api.streaming.XMLStreamReaderFactory;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamReader;
import org.gelato.ce.ws.web.HardenedXml;
import org.gelato.ce.ws.web.XmlLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoapServicesTest {
    private static final String ACTION = "http://glite.org/2007/11/ce/cream/JobList";
    private static final String GET_VERSION = Envelopes.soap11("<d:getVersion/>");

    @ParameterizedTest
    @ValueSource(strings = {"", "/ce-cream"})
    void answersAtTheSameAddressWhateverTheContextPath(String contextPath) throws Exception {
        try (SoapServer server = new SoapServer(contextPath)) {
            for (String slash : new String[] {"", "/"}) {
                SoapServer.Response list = server.call(slash + CREAM2, ACTION, Envelopes.soap11(""));
                assertThat(list.status()).as(list.body()).isEqualTo(200);
                assertThat(list.head()).containsIgnoringCase("Content-Type: text/xml;charset=utf-8");
                assertThat(list.xml().at("Body").names(XmlResponse.T)).containsExactly("JobListResponse");
                SoapServer.Response version = server.call(slash + DELEGATION, "", GET_VERSION);
                assertThat(version.status()).as(version.body()).isEqualTo(200);
                assertThat(version.xml().at("Body").names(XmlResponse.D)).containsExactly("getVersionResponse");
            }
            assertThat(server.call(CREAM2.replace("/services", "//services"), ACTION, Envelopes.soap11(""))
                            .status())
                    .isEqualTo(200);
            assertThat(server.get("/ce-cream/services/CREAM2/soap12?wsdl").status())
                    .isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/ce-cream"})
    void givesTheDescriptionWithTheConfiguredAddress(String contextPath) throws Exception {
        try (SoapServer server = new SoapServer(contextPath)) {
            SoapServer.Response cream2 = server.get("/" + CREAM2 + "?wsdl");
            assertThat(cream2.status()).as(cream2.body()).isEqualTo(200);
            assertThat(cream2.body())
                    .contains("location=\"" + SoapServer.BASE + "/ce-cream/services/CREAM2\"")
                    .contains("soapAction=\"http://glite.org/2007/11/ce/cream/JobSetLeaseId\"")
                    .doesNotContain("localhost:8443", "my.host.example")
                    .doesNotContain("soap12");
            assertThat(server.get(
                                    "/" + CREAM2
                                            + "?wsDL HTTP/1.1\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: http\r\nX-Rest:")
                            .body())
                    .isEqualTo(cream2.body());
            SoapServer.Response delegation = server.get(DELEGATION + "?WSDL");
            assertThat(delegation.body())
                    .contains("location=\"" + SoapServer.BASE + "/ce-cream/services/gridsite-delegation\"");
        }
    }

    @Test
    void metroReadsWithWoodstoxUnderOurLimits() throws Exception {
        new HardenedXml(XmlLimits.defaults()).useForMetro();
        XMLStreamReader reader = XMLStreamReaderFactory.create(
                null, new ByteArrayInputStream("<a/>".getBytes(StandardCharsets.UTF_8)), "utf-8", true);
        assertThat(reader.getClass().getName()).startsWith("com.ctc.wstx.");
        String deep = "<a>".repeat(200) + "</a>".repeat(200);
        XMLStreamReader hostile = XMLStreamReaderFactory.create(
                null, new ByteArrayInputStream(deep.getBytes(StandardCharsets.UTF_8)), "utf-8", true);
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> {
                    while (hostile.hasNext()) {
                        hostile.next();
                    }
                })
                .hasMessageContaining("Depth");
    }

    /** On an element of any depth, right, wrong or of no schema: the element counts as without it. */
    @Test
    void theTypeThatAnElementNamesDoesNotCount() throws Exception {
        try (SoapServer server = new SoapServer("")) {
            for (String type :
                    new String[] {"t:Lease", "t:JobFilter", "t:None", "none:JobId", "xsd:string", "xsd:int", ""}) {
                String typed = " xsi:type='" + type + "'";
                String number = "<t:ServiceInfoRequest" + typed + ">0</t:ServiceInfoRequest>";
                assertThat(server.call(CREAM2, ACTION.replace("JobList", "ServiceInfo"), Envelopes.soap11(number))
                                .status())
                        .as(type)
                        .isEqualTo(200);
                String jobs = "<t:JobPurgeRequest" + typed + "><t:jobId" + typed + "><t:id" + typed
                        + ">CREAM000000001</t:id><t:creamURL" + typed
                        + ">https://ce:8443/x</t:creamURL></t:jobId></t:JobPurgeRequest>";
                server.jobs.calls.clear();
                SoapServer.Response purged =
                        server.call(CREAM2, ACTION.replace("JobList", "JobPurge"), Envelopes.soap11(jobs));
                assertThat(purged.body()).as(type).doesNotContain("Fault>");
                assertThat(server.jobs.calls).as(type).containsExactly("purge");
            }
        }
    }
}
