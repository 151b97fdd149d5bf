package org.gelato.ce.ws.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.ws.soap.SoapServer.CREAM2;
import static org.gelato.ce.ws.soap.SoapServer.DELEGATION;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.gelato.ce.core.delegation.ByteDamage;

/**
 * Valid requests with damage in their bytes or in their tree, in several encodings and cut into chunks anywhere: each
 * gets a success or a fault that blames the client. A fault of the server's own would mean that the gate let through what
 * the code behind it does not understand.
 */
class DamagedEnvelopeTest {
    private static final String ACTION = "http://glite.org/2007/11/ce/cream/";
    private static final String JOB = "<t:jobId><t:id>CREAM000000001</t:id><t:creamURL>https://ce:8443/x</t:creamURL>"
            + "<t:property><t:name>a</t:name><t:value>b</t:value></t:property></t:jobId>";

    /** Address, SOAPAction, header and body of valid requests of every shape. */
    private static final List<Valid> GOOD = List.of(
            new Valid(CREAM2, "ServiceInfo", "", "<t:ServiceInfoRequest>0</t:ServiceInfoRequest>"),
            new Valid(CREAM2, "JobList", "", ""),
            new Valid(
                    CREAM2,
                    "JobStatus",
                    "",
                    "<t:JobStatusRequest>" + JOB + "<t:status>IDLE</t:status><t:fromDate>2026-11-20T22:48:06Z"
                            + "</t:fromDate><t:toDate>2026-11-21</t:toDate><t:delegationId>d</t:delegationId>"
                            + "<t:leaseId>l</t:leaseId></t:JobStatusRequest>"),
            new Valid(CREAM2, "JobPurge", "", "<t:JobPurgeRequest>" + JOB + JOB + "</t:JobPurgeRequest>"),
            new Valid(
                    CREAM2,
                    "JobRegister",
                    "<t:iceId>ice</t:iceId>",
                    "<t:JobRegisterRequest><t:jobDescriptionList jobDescriptionId=\"JobName_1\"><t:JDL><![CDATA[[ a = \"]"
                            + "]]></t:JDL><t:delegationId>d</t:delegationId><t:autoStart>false</t:autoStart>"
                            + "</t:jobDescriptionList></t:JobRegisterRequest>"),
            new Valid(DELEGATION, "", "", "<d:getVersion/>"),
            new Valid(
                    DELEGATION, "", "", "<d:getTerminationTime><delegationID>d</delegationID></d:getTerminationTime>"),
            new Valid(
                    DELEGATION,
                    "",
                    "",
                    "<d:putProxy><d:delegationID>d</d:delegationID><d:proxy>-----BEGIN&#10;x</d:proxy></d:putProxy>"));

    private static final List<String> TYPES = List.of(
            "text/xml; charset=utf-8",
            "text/xml",
            "text/xml; charset=utf-16",
            "text/xml; charset=iso-8859-1",
            "text/xml; charset=us-ascii",
            "application/soap+xml; charset=utf-8");

    private static final List<Charset> ENCODINGS = List.of(
            StandardCharsets.UTF_8, StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.ISO_8859_1);

    private static SoapServer server;

    @BeforeContainer
    static void start() throws Exception {
        server = new SoapServer("");
    }

    @AfterContainer
    static void stop() throws Exception {
        server.close();
    }

    private record Valid(String path, String operation, String header, String body) {
        String action() {
            return operation.isEmpty() ? "" : ACTION + operation;
        }

        String envelope() {
            return header.isEmpty() ? Envelopes.soap11(body) : Envelopes.soap11(header, body);
        }
    }

    @Property
    void damagedBytes(
            @ForAll @IntRange(max = 7) int which,
            @ForAll("damages") List<ByteDamage> damages,
            @ForAll @IntRange(max = 5) int type,
            @ForAll @IntRange(min = 1, max = 200) int chunk)
            throws IOException {
        Valid valid = GOOD.get(which);
        byte[] bytes = valid.envelope().getBytes(StandardCharsets.UTF_8);
        for (ByteDamage damage : damages) {
            bytes = damage.done(bytes);
        }
        survives(valid, TYPES.get(type), bytes, chunk);
    }

    @Property
    void damagedTree(
            @ForAll @IntRange(max = 7) int which,
            @ForAll("pieces") List<Piece> pieces,
            @ForAll @IntRange(max = 3) int encoding,
            @ForAll @IntRange(min = 1, max = 5000) int chunk)
            throws IOException {
        Valid valid = GOOD.get(which);
        String text = valid.envelope();
        for (Piece piece : pieces) {
            text = piece.put(text);
        }
        Charset charset = ENCODINGS.get(encoding);
        String type = encoding == 1 || encoding == 2 ? "text/xml; charset=" + charset.name() : "text/xml";
        survives(valid, type, text.getBytes(charset), chunk);
    }

    private static void survives(Valid valid, String type, byte[] body, int chunk) throws IOException {
        server.jobs.calls.clear();
        SoapServer.Response response = server.exchange(out -> {
            out.write(("POST " + valid.path() + " HTTP/1.1\r\nHost: ce\r\nConnection: close\r\nContent-Type: " + type
                            + "\r\nSOAPAction: \"" + valid.action() + "\"\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            chunks(out, body, chunk);
        });
        XmlResponse content = XmlResponse.parse(plain(response.body())).at("Body");
        if (response.status() == 200) {
            assertThat(response.body()).doesNotContain("Fault>");
            return;
        }
        assertThat(response.status()).as(response.body()).isEqualTo(500);
        XmlResponse fault = content.at("Fault");
        String blamed = fault.children().get(0).element().getTextContent().strip();
        assertThat(blamed).as(response.body()).matches("(?s).*:(Client|Sender)");
        assertThat(server.jobs.calls).isEmpty();
    }

    /** A response to a request in UTF-16, which comes in UTF-16 and was read as UTF-8; others as they are. */
    private static String plain(String body) {
        return body.substring(Math.max(0, body.indexOf('<'))).replace("\0", "");
    }

    /** A server that has refused already may close before all is sent. */
    private static void chunks(OutputStream out, byte[] body, int chunk) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int at = 0; at < body.length; at += chunk) {
            int length = Math.min(chunk, body.length - at);
            all.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            all.write(body, at, length);
            all.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        all.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        try {
            out.write(all.toByteArray());
        } catch (IOException e) {
            // the response, which is there already, is checked
        }
    }

    /** Something put before or into a tag or a text. */
    record Piece(int tag, int place, String what, int times) {
        String put(String text) {
            int tags = (int) text.chars().filter(c -> c == '<').count();
            int at = -1;
            for (int i = 0; i <= tag % tags; i++) {
                at = text.indexOf('<', at + 1);
            }
            int end = Math.max(at + 1, text.indexOf('>', at));
            int where = switch (place) {
                case 0 -> at;
                case 1 -> end;
                default -> Math.min(text.length(), end + 1);
            };
            int fitting = Math.max(1, Math.min(times, 100_000 / what.length()));
            return text.substring(0, where) + what.repeat(fitting) + text.substring(where);
        }
    }

    @Provide
    Arbitrary<List<ByteDamage>> damages() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.integers().between(0, 3000).withDistribution(RandomDistribution.uniform()),
                        Arbitraries.integers().between(0, 255))
                .as(ByteDamage::new)
                .list()
                .ofMaxSize(4);
    }

    @Provide
    Arbitrary<List<Piece>> pieces() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 60),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(
                                "<t:x>",
                                "</t:x>",
                                "<t:x/>",
                                JOB,
                                "<!DOCTYPE a [<!ENTITY b \"c\">]>",
                                "&b;",
                                "&lt;",
                                "&#0;",
                                "&#x10FFFF;",
                                "&#55296;",
                                "<!-- c -->",
                                "<?p i?>",
                                "<![CDATA[ x ]]>",
                                "]]>",
                                " a='b'",
                                " xmlns='urn:x'",
                                " xmlns:t='urn:x'",
                                " xsi:nil='true'",
                                " xsi:type='t:Lease'",
                                " E:mustUnderstand='1'",
                                " href='#a'",
                                "\ufeff",
                                "\u0000",
                                "\ud83d\ude00",
                                " ",
                                "9",
                                "-"),
                        Arbitraries.frequencyOf(
                                Tuple.of(6, Arbitraries.just(1)),
                                Tuple.of(1, Arbitraries.integers().between(2, 3000))))
                .as(Piece::new)
                .list()
                .ofMaxSize(3);
    }
}
