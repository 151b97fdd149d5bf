package org.gelato.ce.ws.soap;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamReader;

/** The two SOAP versions; a response has the version of its request. */
public enum SoapVersion {
    SOAP_11(
            "http://schemas.xmlsoap.org/soap/envelope/",
            "text/xml",
            "Client",
            "Server",
            "actor",
            Set.of("http://schemas.xmlsoap.org/soap/actor/next")),
    SOAP_12(
            "http://www.w3.org/2003/05/soap-envelope",
            "application/soap+xml",
            "Sender",
            "Receiver",
            "role",
            Set.of(
                    "http://www.w3.org/2003/05/soap-envelope/role/next",
                    "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver"));

    private final String namespace;
    private final String mediaType;
    private final String clientCode;
    private final String serverCode;
    private final String role;

    @SuppressWarnings("ImmutableEnumChecker") // of Set.of
    private final Set<String> ourRoles;

    SoapVersion(
            String namespace,
            String mediaType,
            String clientCode,
            String serverCode,
            String role,
            Set<String> ourRoles) {
        this.namespace = namespace;
        this.mediaType = mediaType;
        this.clientCode = clientCode;
        this.serverCode = serverCode;
        this.role = role;
        this.ourRoles = ourRoles;
    }

    /** Namespace of Envelope, Header, Body and Fault. */
    public String namespace() {
        return namespace;
    }

    /** Content type of responses. */
    public String contentType() {
        return mediaType + ";charset=utf-8";
    }

    /** The version that a request's Content-Type names; 1.1 for a type of no version. */
    public static SoapVersion ofContentType(String header) {
        boolean own = header != null && header.strip().toLowerCase(Locale.ROOT).startsWith(SOAP_12.mediaType);
        return own ? SOAP_12 : SOAP_11;
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

    /** Whether the header that the reader is at is for us, and not to be ignored. */
    boolean mustUnderstand(XMLStreamReader header) {
        String must = header.getAttributeValue(namespace, "mustUnderstand");
        String to = header.getAttributeValue(namespace, role);
        return must != null
                && (must.strip().equals("1") || must.strip().equals("true"))
                && (to == null || to.isBlank() || ourRoles.contains(to.strip()));
    }

    QName name(String local) {
        return new QName(namespace, local);
    }

    /** Fault code: whose mistake it was. */
    QName faultCode(boolean client) {
        return name(client ? clientCode : serverCode);
    }
}
