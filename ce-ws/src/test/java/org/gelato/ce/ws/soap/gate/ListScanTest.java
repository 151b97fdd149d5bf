package org.gelato.ce.ws.soap.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.gelato.ce.ws.soap.Envelopes;
import org.gelato.ce.ws.soap.XmlResponse;
import org.gelato.ce.ws.xml.HardenedXml;
import org.gelato.ce.ws.xml.XmlLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListScanTest {
    private static final HardenedXml XML = new HardenedXml(XmlLimits.defaults());
    private static final String JOB = "<t:jobId><t:id>CREAM1</t:id><t:creamURL>https://x/CREAM2</t:creamURL></t:jobId>";

    private static final List<ListForm> FORMS = List.of(
            new ListForm(
                    Set.of(type("Request")), type("jobId"), type("id"), Set.of(), Set.of(), Set.of(type("creamURL"))),
            new ListForm(
                    Set.of(type("Register")),
                    type("job"),
                    type("JDL"),
                    Set.of(type("lease")),
                    Set.of(new QName("ref")),
                    Set.of()));

    private static final SoapService SERVICE = (SoapService) Proxy.newProxyInstance(
            SoapService.class.getClassLoader(),
            new Class<?>[] {SoapService.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "typedElements" -> Map.of();
                case "understoodHeaders" -> Set.of(type("iceId"));
                case "unqualifiedParts" -> false;
                case "lists" -> FORMS;
                default -> throw new AssertionError(method + " was called");
            });

    private static QName type(String local) {
        return new QName(XmlResponse.T, local);
    }

    private static List<String> listed(String header, String body) throws Exception {
        byte[] document =
                Envelopes.soap11(header, "<t:Request>" + body + "</t:Request>").getBytes(StandardCharsets.UTF_8);
        return new RequestScan(XML.reader(document, null), SERVICE)
                .run().listed().stream().map(item -> item.get(type("id"))).toList();
    }

    private static List<Map<QName, String>> registered(String body) throws Exception {
        byte[] document =
                Envelopes.soap11("<t:Register>" + body + "</t:Register>").getBytes(StandardCharsets.UTF_8);
        return new RequestScan(XML.reader(document, null), SERVICE).run().listed();
    }

    @Test
    void textsOfItemsAreKeptByTheirNames() throws Exception {
        assertThat(registered(
                        "<t:job ref='1' other='2' t:ref='3' t:lease='4'><t:lease> L </t:lease><t:JDL>[ a ]\n</t:JDL></t:job>"
                                + "<t:job><t:JDL>[]</t:JDL><t:lease/></t:job>"))
                .containsExactly(
                        Map.of(new QName("ref"), "1", type("lease"), " L ", type("JDL"), "[ a ]\n"),
                        Map.of(type("JDL"), "[]", type("lease"), ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<t:job ref='1'/>",
                "<t:job><t:lease>L</t:lease></t:job>",
                "<t:job><t:JDL> </t:JDL></t:job>",
                "<t:job><t:JDL>[]</t:JDL><t:lease>L</t:lease><t:lease>M</t:lease></t:job>",
                "<t:job><t:JDL>[]</t:JDL><t:lease xsi:nil='true'/></t:job>",
                "<t:job><t:JDL>[]</t:JDL><t:more>L</t:more></t:job>",
                "<t:job><t:JDL>[]</t:JDL><ref>L</ref></t:job>",
                "<t:job><t:JDL>[]</t:JDL></t:job><t:jobId><t:id>a</t:id></t:jobId>"
            })
    void anotherRegistrationIsNoList(String body) throws Exception {
        assertThat(registered(body)).isEmpty();
    }

    @Test
    void listsAreRead() throws Exception {
        assertThat(listed("", JOB + "<t:jobId><t:id> https://ce:8443/CREAM2\n</t:id></t:jobId>"))
                .containsExactly("CREAM1", " https://ce:8443/CREAM2\n");
        assertThat(listed(
                        "<t:iceId>wms</t:iceId>",
                        "\n<t:jobId >\t<t:id>a<!-- b -->c<![CDATA[<d]]></t:id>\r\n</t:jobId>"))
                .containsExactly("ac<d");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<t:jobId/>",
                "<t:jobId><t:id/></t:jobId>",
                "<t:jobId><t:id> </t:id></t:jobId>",
                "<t:jobId><t:creamURL>u</t:creamURL></t:jobId>",
                "<t:jobId><t:id>a</t:id></t:jobId><t:jobId><t:creamURL>u</t:creamURL></t:jobId>",
                "<t:jobId><t:id>a</t:id><t:id>b</t:id></t:jobId>",
                "<t:jobId><t:id xsi:nil='true'>a</t:id></t:jobId>",
                "<t:jobId xsi:nil='1'><t:id>a</t:id></t:jobId>",
                "<t:jobId><t:id>a<t:b/></t:id></t:jobId>",
                "<t:jobId><t:id>a</t:id><t:creamURL><t:id>b</t:id></t:creamURL></t:jobId>",
                "<t:jobId><id>a</id></t:jobId>",
                "<jobId><id>a</id></jobId>",
                "<t:jobId>a<t:id>a</t:id></t:jobId>",
                "a<t:jobId><t:id>a</t:id></t:jobId>",
                "<t:id>a</t:id>",
                "<t:jobId><t:id>a</t:id></t:jobId><t:status>IDLE</t:status>",
                "<t:status>IDLE</t:status><t:jobId><t:id>a</t:id></t:jobId>",
                "<t:jobId><t:id>a</t:id></t:jobId><t:leaseId>L</t:leaseId>",
                "<t:jobId><t:id>a</t:id><t:property><t:name>n</t:name><t:value>v</t:value></t:property></t:jobId>"
            })
    void nothingElseIsAList(String body) throws Exception {
        assertThat(listed("", body)).isEmpty();
    }

    @Test
    void ofAnotherOperationOrWithAnUnknownHeaderItIsNoList() throws Exception {
        assertThat(listed("<t:strange>x</t:strange>", JOB)).isEmpty();
        byte[] other = Envelopes.soap11("<t:Other>" + JOB + "</t:Other>").getBytes(StandardCharsets.UTF_8);
        assertThat(new RequestScan(XML.reader(other, null), SERVICE).run().listed())
                .isEmpty();
    }
}
