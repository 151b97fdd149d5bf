package org.gelato.ce.cli.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.WireFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as bytes and back, as several kinds of software write them. */
class SoapEnvelopeTest {
    private static Element body(String xml) throws XMLStreamException {
        return SoapEnvelope.body(xml.getBytes(StandardCharsets.UTF_8));
    }

    private static Element of(String content) throws XMLStreamException {
        return body("<E:Envelope xmlns:E='http://schemas.xmlsoap.org/soap/envelope/'><E:Header><x/></E:Header><E:Body>"
                + content + "</E:Body></E:Envelope>");
    }

    @Test
    void whatIsSentArrivesAsItIs() throws Exception {
        String text = " a <b> & \"c\" ]]> 'd'\r\n\te \r \u00e9 \uD83C\uDF66 ";
        Element sent = new Element("JobRegisterRequest")
                .add(new Element("jobDescriptionList")
                        .attribute("jobDescriptionId", "\"<&")
                        .add("JDL", text));
        Element back = SoapEnvelope.body(SoapEnvelope.of(sent, "urn:x", true));
        assertThat(back.name()).isEqualTo("JobRegisterRequest");
        assertThat(back.child("jobDescriptionList").attribute("jobDescriptionId"))
                .isEqualTo("\"<&");
        assertThat(back.child("jobDescriptionList").text("JDL")).isEqualTo(text);
    }

    @Test
    void elementsHaveTheNamespaceOfTheirStyle() {
        Element request = new Element("putProxy").add("proxy", "p");
        assertThat(new String(SoapEnvelope.of(request, "urn:x", false), StandardCharsets.UTF_8))
                .contains("<m:putProxy xmlns:m=\"urn:x\"><proxy>p</proxy></m:putProxy>");
        assertThat(new String(SoapEnvelope.of(request, "urn:x", true), StandardCharsets.UTF_8))
                .contains("<m:putProxy xmlns:m=\"urn:x\"><m:proxy>p</m:proxy></m:putProxy>");
        assertThat(new String(SoapEnvelope.of(null, "urn:x", true), StandardCharsets.UTF_8))
                .contains("<s:Body></s:Body>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "\u0007", "\u001F", "\uFFFE", "\uD800", "\uDC00x"})
    void aCharacterThatXmlCannotHaveIsNamedBeforeTheCall(String text) {
        Element request = new Element("JobRegisterRequest").add("JDL", "a" + text);
        assertThatThrownBy(() -> SoapEnvelope.of(request, "urn:x", true))
                .isInstanceOf(CliException.class)
                .hasMessage(String.format(
                        "JDL holds the character U+%04X, which XML cannot have: remove it", text.codePointAt(0)));
    }

    @Test
    void absentNilAndEmptyDiffer() throws Exception {
        Element lease = of("<l xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><empty/><nil i:nil='true'/>"
                + "<not i:nil='false'>x</not><cdata><![CDATA[<a>]]>b</cdata></l>");
        assertThat(lease.text("absent")).isNull();
        assertThat(lease.text("nil")).isNull();
        assertThat(lease.text("empty")).isEmpty();
        assertThat(lease.text("not")).isEqualTo("x");
        assertThat(lease.text("cdata")).isEqualTo("<a>b");
    }

    @Test
    void timesHaveAnyZoneOrNone() throws Exception {
        Element lease = of("<l><a>2026-11-20T12:00:00.5Z</a><b> 2026-11-20T13:00:00+01:00 </b>"
                + "<c>2026-11-20T12:00:00</c><d>yesterday</d></l>");
        assertThat(lease.time("a")).isEqualTo(Instant.parse("2026-11-20T12:00:00.5Z"));
        assertThat(lease.time("b")).isEqualTo(Instant.parse("2026-11-20T12:00:00Z"));
        assertThat(lease.time("c").atZone(ZoneId.systemDefault()).getHour()).isEqualTo(12);
        assertThat(lease.time("d")).isNull();
        assertThat(lease.time("e")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no XML",
                "<html><body>Sign in</body></html>",
                "<Envelope/>",
                "<Envelope><Body><a></Body></Envelope>",
                "<Envelope><Body><a>",
                "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><Envelope><Body><a>&e;</a></Body></Envelope>"
            })
    void whatIsNoMessageIsRefused(String text) {
        assertThatThrownBy(() -> body(text)).isInstanceOf(XMLStreamException.class);
    }

    @Test
    void faultsOfEveryKindHaveTheirWords() throws Exception {
        Endpoint ce = Endpoint.parse("ce.example.org:8443");
        assertThat(Faults.of(ce, of("<Fault><faultstring>no such thing</faultstring></Fault>"), null))
                .isInstanceOfSatisfying(
                        ServiceFault.class, f -> assertThat(f.fault().kind()).isEqualTo("Fault"))
                .hasMessageEndingWith(": no such thing");
        assertThat(Faults.of(
                        ce,
                        of("<Fault><faultstring>f</faultstring><detail><x/><d:DelegationException xmlns:d='urn:d'>"
                                + "<msg>delegation gone</msg></d:DelegationException></detail></Fault>"),
                        "DELEGATION_UNKNOWN"))
                .hasMessageEndingWith(": delegation gone")
                .isInstanceOfSatisfying(
                        CliException.class,
                        f -> assertThat(f.advice()).hasValue("delegate first with ce delegate, or submit with -a"));
        assertThat(Faults.of(
                        ce,
                        of("<Fault><faultstring>f</faultstring><detail><GenericFault><ErrorCode>500</ErrorCode>"
                                + "<Description>down</Description></GenericFault></detail></Fault>"),
                        null))
                .isInstanceOfSatisfying(
                        ServiceFault.class, f -> assertThat(f.mayHaveBeenDone()).isTrue());
        assertThat(Faults.of(ce, of("<Fault/>"), null)).hasMessageContaining("no reason");
    }

    /** A CE names an error of its own by a code; by the same element it refuses what it has not begun with. */
    @Test
    void theCodeSaysWhetherSomethingMayHaveBeenDone() throws Exception {
        Endpoint ce = Endpoint.parse("ce.example.org:8443");
        for (String code : List.of("INTERNAL", "A_LATER_ONE", "STATUS_NOT_COMPATIBLE")) {
            assertThat(Faults.of(
                                    ce,
                                    of(
                                            "<Fault><detail><GenericFault><ErrorCode>0</ErrorCode></GenericFault></detail></Fault>"),
                                    code)
                            .mayHaveBeenDone())
                    .isEqualTo(!code.equals("STATUS_NOT_COMPATIBLE"));
        }
        assertThat(new ServiceFault(ce, new WireFault("InvalidArgumentFault", "400", "no", null, "A_LATER_ONE"))
                        .mayHaveBeenDone())
                .isFalse();
    }

    /** As of an older CE, or behind a proxy that drops headers. */
    @Test
    void aCeThatSendsNoCodesNamesAnErrorOfItsOwnByItsLog() throws Exception {
        assertThat(Faults.of(
                                Endpoint.parse("ce.example.org:8443"),
                                of("<Fault><detail><GenericFault><ErrorCode>0</ErrorCode><Description>internal error"
                                        + "</Description><FaultCause>error 1a2b, see the log of the service</FaultCause>"
                                        + "</GenericFault></detail></Fault>"),
                                null)
                        .mayHaveBeenDone())
                .isTrue();
    }

    /** Over SOAP a response has the codes of refused descriptions in its head, in their order. */
    @Test
    void refusedDescriptionsHaveTheirCodes() throws Exception {
        Element response = of("<JobRegisterResponse><result><DelegationProxyFault/></result><result><jobId/></result>"
                + "<result><GenericFault/></result><result><GenericFault/></result></JobRegisterResponse>");
        Faults.name(response, List.of("DELEGATION_ENDED", "QUEUE_UNKNOWN"));
        assertThat(response.children().stream().map(Faults::of))
                .extracting(fault -> fault == null ? "" : fault.faultCode())
                .containsExactly("DELEGATION_ENDED", "", "QUEUE_UNKNOWN", null);
    }
}
