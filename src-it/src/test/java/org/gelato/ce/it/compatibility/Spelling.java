package org.gelato.ce.it.compatibility;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.it.badinput.RawClient;
import org.gelato.ce.it.badinput.RawClient.Reply;

/**
 * The ways in which clients write the same (docs/developer/protocol/cream2-wire.md section 1,
 * docs/developer/protocol/client-observations.md).
 */
enum Spelling {
    /** The original command line client: double slash, quoted SOAPAction. */
    ORIGINAL,
    /** Its job-submit, which writes one slash. */
    ORIGINAL_SUBMIT,
    /** ARC: the bare operation name, without quotes. */
    BARE_ACTION,
    /** Axis2: SOAP 1.2, the action in the content type. */
    SOAP_12,
    /** SOAP 1.2 without any action. */
    SOAP_12_WITHOUT_ACTION,
    EMPTY_ACTION,
    WITHOUT_ACTION,
    DEFAULT_NAMESPACES,
    CHUNKED,
    /** WMS: the instance's name in a header that must be understood. */
    ICE_HEADER,
    /** Unknown headers, as of WS-Addressing. */
    UNKNOWN_HEADERS,
    /** White space and comments between elements. */
    SPACED;

    private static final String ICE = "<CREAMTYPES:iceId SOAP-ENV:mustUnderstand=\"1\">ice.example</CREAMTYPES:iceId>";
    private static final String WSA = "<w:To xmlns:w=\"http://www.w3.org/2005/08/addressing\">here</w:To>"
            + "<x:trace xmlns:x=\"urn:x\"><x:deep/></x:trace>";

    /** Whether the Body alone must identify the operation. */
    boolean hidesAction() {
        return this == EMPTY_ACTION || this == WITHOUT_ACTION || this == SOAP_12_WITHOUT_ACTION;
    }

    boolean isSoap12() {
        return this == SOAP_12 || this == SOAP_12_WITHOUT_ACTION;
    }

    Reply send(RawClient client, WireOperation operation, String body) throws IOException {
        String slashes = this == ORIGINAL || this == SPACED ? "/" : "";
        return client.post(slashes + operation.path(), headers(operation), document(body), this == CHUNKED);
    }

    private String document(String body) {
        return switch (this) {
            case SOAP_12, SOAP_12_WITHOUT_ACTION -> Envelope.soap12("", body);
            case DEFAULT_NAMESPACES -> Envelope.defaultNamespaces("", body);
            case ICE_HEADER -> Envelope.original(ICE, body);
            case UNKNOWN_HEADERS -> Envelope.original(WSA, body);
            case SPACED -> Envelope.original("", "\n  " + body.replace("><", "><!-- . -->\n  <") + "\n");
            default -> Envelope.original("", body);
        };
    }

    private Map<String, String> headers(WireOperation operation) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("User-Agent", "gSOAP/2.8");
        headers.put("Accept-Encoding", "gzip,deflate");
        switch (this) {
            case SOAP_12 ->
                headers.put(
                        "Content-Type", "application/soap+xml; charset=UTF-8; action=\"" + operation.action() + "\"");
            case SOAP_12_WITHOUT_ACTION -> headers.put("Content-Type", "application/soap+xml; charset=UTF-8");
            default -> headers.put("Content-Type", "text/xml; charset=utf-8");
        }
        switch (this) {
            case SOAP_12, SOAP_12_WITHOUT_ACTION, WITHOUT_ACTION -> {
                // none
            }
            case EMPTY_ACTION -> headers.put("SOAPAction", "\"\"");
            case BARE_ACTION -> headers.put("SOAPAction", operation.bareAction());
            default -> headers.put("SOAPAction", '"' + operation.action() + '"');
        }
        return headers;
    }
}
