package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.Schema;
import org.gelato.ce.it.badinput.RawClient.Reply;
import org.w3c.dom.Attr;
import org.w3c.dom.NamedNodeMap;
import org.xml.sax.SAXException;

/**
 * Reads responses as the strictest client would: HTTP status, content type, the request's SOAP version, one element or
 * none in the Body, that element valid by the published schema (order, namespaces, mandatory elements), and faults with
 * their element directly in the detail. Thread-safe.
 */
final class StrictReader {
    /** The form of UTC times with milliseconds; names of the elements that contain them. */
    private static final String TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z";

    private static final Set<String> TIMES = Set.of(
            "Timestamp",
            "timestamp",
            "timastamp",
            "startupTime",
            "leaseTime",
            "creationTime",
            "startSchedulingTime",
            "startProcessingTime",
            "executionCompletedTime",
            "getTerminationTimeReturn");

    private final Schema schema;
    private final String namespace;

    private StrictReader(Schema schema, String namespace) {
        this.schema = schema;
        this.namespace = namespace;
    }

    static StrictReader cream2(String wsdl) {
        return new StrictReader(PublishedSchema.ofDocuments(wsdl), Envelope.TYPES);
    }

    static StrictReader delegation(String wsdl) {
        return new StrictReader(PublishedSchema.ofCalls(wsdl), Envelope.DELEGATION);
    }

    /**
     * @param soap12 whether the request was SOAP 1.2
     * @param expected local name of the Body's element unless the response is a fault; null for an empty Body
     */
    Response read(Reply reply, boolean soap12, String expected) {
        String soap = soap12 ? Envelope.SOAP_12 : Envelope.SOAP_11;
        assertThat(reply.type().toLowerCase(Locale.ROOT).replace(" ", ""))
                .as(reply.body())
                .startsWith(soap12 ? "application/soap+xml;" : "text/xml;")
                .contains("charset=utf-8");
        Node envelope = new Node(PublishedSchema.parse(reply.body()).getDocumentElement());
        assertThat(envelope.namespace() + " " + envelope.name()).isEqualTo(soap + " Envelope");
        assertThat(envelope.children().stream().filter(c -> !c.name().equals("Header")))
                .as(reply.body())
                .singleElement()
                .satisfies(c -> assertThat(c.namespace() + " " + c.name()).isEqualTo(soap + " Body"));
        List<Node> content = envelope.at("Body").children();
        if (!content.isEmpty()
                && content.get(0).name().equals("Fault")
                && content.get(0).namespace().equals(soap)) {
            assertThat(reply.status()).as("HTTP status of a fault").isEqualTo(500);
            assertThat(content).hasSize(1);
            Fault fault = soap12 ? fault12(content.get(0)) : fault11(content.get(0));
            return new Response(null, fault, reply.body());
        }
        assertThat(reply.status()).as("HTTP status of " + reply.body()).isEqualTo(200);
        if (expected == null) {
            assertThat(content).as("an empty Body").isEmpty();
            assertThat(envelope.text("Body")).isBlank();
            return new Response(null, null, reply.body());
        }
        assertThat(content)
                .as(reply.body())
                .singleElement()
                .satisfies(c -> assertThat(c.namespace() + " " + c.name()).isEqualTo(namespace + " " + expected));
        check(content.get(0));
        return new Response(content.get(0), null, reply.body());
    }

    private Fault fault11(Node fault) {
        assertThat(fault.names()).startsWith("faultcode", "faultstring").endsWith("detail");
        assertThat(fault.children()).allSatisfy(c -> assertThat(c.namespace()).isEmpty());
        String code = code(fault.at("faultcode"), Envelope.SOAP_11, "Client", "Server");
        return fault(fault.at("detail"), fault.text("faultstring"), code.equals("Client"));
    }

    private Fault fault12(Node fault) {
        assertThat(fault.names()).startsWith("Code", "Reason").endsWith("Detail");
        String code = code(fault.at("Code", "Value"), Envelope.SOAP_12, "Sender", "Receiver");
        return fault(fault.at("Detail"), fault.text("Reason", "Text"), code.equals("Sender"));
    }

    private static String code(Node element, String soap, String... known) {
        String[] name = element.text().strip().split(":", 2);
        assertThat(name).as("prefix and name of the fault code").hasSize(2);
        assertThat(element.element().lookupNamespaceURI(name[0])).isEqualTo(soap);
        assertThat(name[1]).isIn((Object[]) known);
        return name[1];
    }

    private Fault fault(Node detail, String text, boolean client) {
        assertThat(detail.children())
                .as("the fault element alone in the detail")
                .hasSize(1);
        Node element = detail.children().get(0);
        assertThat(element.namespace()).isEqualTo(namespace);
        check(element);
        return Fault.of(element, text, client);
    }

    private void check(Node element) {
        try {
            schema.newValidator().validate(new DOMSource(element.element()));
        } catch (SAXException e) {
            throw new AssertionError(e.getMessage() + ": " + element, e);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        checkLeaves(element);
    }

    /** What the schema allows and docs/developer/protocol/cream2-wire.md section 4 does not: nil, and times in other forms. */
    private static void checkLeaves(Node element) {
        NamedNodeMap attributes = element.element().getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            Attr attribute = (Attr) attributes.item(i);
            assertThat(attribute.getNamespaceURI())
                    .as(attribute.getName())
                    .isNotEqualTo(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI);
        }
        if (TIMES.contains(element.name())) {
            assertThat(element.text()).as(element.name()).matches(TIME);
        }
        for (Node child : element.children()) {
            checkLeaves(child);
        }
    }
}
