package org.gelato.ce.ws.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.gelato.ce.ws.web.HardenedXml;
import org.gelato.ce.ws.web.XmlLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests mean what they meant to the classes that were generated of the schema: of any order, with whatever else is in them. */
class EnvelopeReaderTest {
    private static final HardenedXml XML = new HardenedXml(XmlLimits.defaults());

    private static SoapService.Contract contract(boolean unqualifiedParts) {
        return new SoapService.Contract(
                "CREAM2",
                null,
                null,
                null,
                null,
                Set.of(new QName(XmlResponse.T, "iceId")),
                XmlResponse.T,
                Map.of("fromDate", WireType.DATE_TIME, "start", WireType.DEFAULTED_BOOLEAN),
                unqualifiedParts);
    }

    private static SoapRequest read(String envelope) throws Exception {
        return new EnvelopeReader(XML.reader(envelope.getBytes(StandardCharsets.UTF_8), null), contract(false)).read();
    }

    private static RequestElement payload(String content) throws Exception {
        return read(Envelopes.soap11("<t:Request>" + content + "</t:Request>")).payload();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "<t:id>a</t:id>|a",
                "<t:id> a\t</t:id>|\" a\t\"",
                "<t:id/>|\"\"",
                "<t:x/>|",
                "<t:id>a</t:id><t:x>b<t:id>c</t:id></t:x>|a",
                "<t:id>a</t:id><t:id>b</t:id>|b",
                "x<t:id>a</t:id>y|a",
                "<t:id>a<!-- b -->c<![CDATA[<d]]><?p i?>e</t:id>|ac<de",
                "<t:id>a<t:x>b</t:x>c</t:id>|c",
                "<t:id>a<t:x>b</t:x></t:id>|\"\"",
                "<t:id xsi:nil='true'>a</t:id>|a",
                "<t:id xsi:type='t:None'>a</t:id>|a",
                "<id>a</id>|",
                "<x:id xmlns:x='urn:x'>a</x:id>|",
                "<t:id>a</t:id><id>b</id>|a",
            })
    void theLastOfANameCounts(String content, String text) throws Exception {
        assertThat(payload(content).text("id")).isEqualTo(text);
    }

    @Test
    void itemsOfAListAreInTheirOrderAndEmptyWhenNil() throws Exception {
        List<RequestElement> all = payload(
                        "<t:job ref='1' t:ref='2'><t:id>a</t:id></t:job><t:x/><job/><t:job xsi:nil=' 1 ' ref='3'><t:id>b</t:id></t:job>")
                .all("job");
        assertThat(all).hasSize(2);
        assertThat(all.get(0).attribute("ref")).isEqualTo("1");
        assertThat(all.get(0).stripped("id")).isEqualTo("a");
        assertThat(all.get(1).attribute("ref")).isNull();
        assertThat(all.get(1).last("id")).isNull();
    }

    @Test
    void foreignElementsAreNamed() throws Exception {
        QName own = new QName(XmlResponse.T, "a");
        assertThat(payload("<t:a/><b/><t:a/>").otherThan(Set.of(own))).isEqualTo(new QName("b"));
        assertThat(payload("<t:a/><t:a/>").otherThan(Set.of(own))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<t:fromDate> 2026-11-20T22:48:06Z\t</t:fromDate>|fromDate|2026-11-20T22:48:06Z",
                "<t:fromDate>2026-11-20T22:48:06Z<t:x/></t:fromDate>|fromDate|2026-11-20T22:48:06Z",
                "<t:start>false<t:x>true</t:x></t:start>|start|false",
            })
    void aCheckedTextIsNotLost(String content, String name, String text) throws Exception {
        assertThat(payload(content).text(name)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "<t:fromDate/>",
        "<t:fromDate xsi:nil='true'/>",
        "<t:fromDate>2026-11-20</t:fromDate><t:fromDate>2026-11-20T22:48:06Z</t:fromDate>",
        "<t:x><t:fromDate>soon</t:fromDate></t:x>",
        "<t:start>perhaps</t:start>"
    })
    void aTextThatIsNotOfItsTypeIsRefusedWhereverItStands(String content) {
        assertThatThrownBy(() -> payload(content)).isInstanceOf(RequestRefused.class);
    }

    @Test
    void partsOfAnRpcRequestAreFoundInAnyNamespace() throws Exception {
        String envelope = Envelopes.soap11("<d:put><d:a>1</d:a><b>2</b><x:c xmlns:x='urn:x'>3</x:c></d:put>");
        RequestElement payload = new EnvelopeReader(
                        XML.reader(envelope.getBytes(StandardCharsets.UTF_8), null), contract(true))
                .read()
                .payload();
        assertThat(List.of(payload.text("a"), payload.text("b"), payload.text("c")))
                .containsExactly("1", "2", "3");
    }

    @ParameterizedTest
    @CsvSource({
        "<t:iceId E:mustUnderstand='1'>i</t:iceId>, true",
        "<t:x>i</t:x>, true",
        "<t:x E:mustUnderstand='0'/>, true",
        "<t:x E:mustUnderstand='1' E:actor='urn:other'/>, true",
        "<t:x E:mustUnderstand='1' E:actor='http://schemas.xmlsoap.org/soap/actor/next'/>, false",
        "<t:x E:mustUnderstand='1'/>, false",
        "<t:x E:mustUnderstand='true'><t:y/></t:x>, false"
    })
    void headersThatMustBeUnderstoodAreReported(String header, boolean understood) throws Exception {
        List<QName> not = read(Envelopes.soap11(header, "<t:Request/>")).notUnderstood();
        assertThat(not).isEqualTo(understood ? List.of() : List.of(new QName(XmlResponse.T, "x")));
    }

    @Test
    void theIceIdIsWithoutBlanks() throws Exception {
        SoapRequest request = read(Envelopes.soap11("<t:iceId> wms\n</t:iceId>", "<t:Request/>"));
        assertThat(request.iceId()).isEqualTo("wms");
    }
}
