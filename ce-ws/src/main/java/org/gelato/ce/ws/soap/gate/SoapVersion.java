package org.gelato.ce.ws.soap.gate;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.xml.namespace.QName;

/** The two SOAP versions; a response has the version of its request. */
public enum SoapVersion {
    SOAP_11("http://schemas.xmlsoap.org/soap/envelope/", "text/xml", "Client", "Server"),
    SOAP_12("http://www.w3.org/2003/05/soap-envelope", "application/soap+xml", "Sender", "Receiver");

    private final String namespace;
    private final String mediaType;
    private final String clientCode;
    private final String serverCode;

    SoapVersion(String namespace, String mediaType, String clientCode, String serverCode) {
        this.namespace = namespace;
        this.mediaType = mediaType;
        this.clientCode = clientCode;
        this.serverCode = serverCode;
    }

    /** Namespace of Envelope, Header, Body and Fault. */
    public String namespace() {
        return namespace;
    }

    /** Content type without parameters. */
    public String mediaType() {
        return mediaType;
    }

    /** The version whose Envelope this is; empty when it is none. */
    static Optional<SoapVersion> ofEnvelope(QName root) {
        for (SoapVersion version : values()) {
            if (root.equals(version.name("Envelope"))) {
                return Optional.of(version);
            }
        }
        return Optional.empty();
    }

    /** A document with nothing in its Body, in UTF-8. */
    byte[] emptyEnvelope() {
        return ("<S:Envelope xmlns:S=\"" + namespace + "\"><S:Body/></S:Envelope>").getBytes(StandardCharsets.UTF_8);
    }

    QName name(String local) {
        return new QName(namespace, local);
    }

    /** Fault code: whose mistake it was. */
    QName faultCode(boolean client) {
        return name(client ? clientCode : serverCode);
    }
}
