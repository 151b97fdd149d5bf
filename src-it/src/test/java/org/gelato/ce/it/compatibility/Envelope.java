package org.gelato.ce.it.compatibility;

/** Envelopes around a Body's content. */
final class Envelope {
    static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
    static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
    static final String TYPES = "http://glite.org/2007/11/ce/cream/types";
    static final String DELEGATION = "http://www.gridsite.org/namespaces/delegation-2";

    private Envelope() {}

    /** As the original client writes it: one line, every prefix declared on the Envelope, also those it does not use. */
    static String original(String header, String body) {
        return envelope(SOAP_11, header, body);
    }

    static String soap12(String header, String body) {
        return envelope(SOAP_12, header, body);
    }

    private static String envelope(String soap, String header, String body) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <SOAP-ENV:Envelope xmlns:SOAP-ENV="%s" xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/" \
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" \
                xmlns:CREAM="http://glite.org/2007/11/ce/cream" xmlns:CREAMTYPES="%s" xmlns:delegation2="%s">\
                %s<SOAP-ENV:Body>%s</SOAP-ENV:Body></SOAP-ENV:Envelope>""".formatted(
                        soap,
                        TYPES,
                        DELEGATION,
                        header.isEmpty() ? "" : "<SOAP-ENV:Header>" + header + "</SOAP-ENV:Header>",
                        body);
    }

    /** As clients with default namespaces write it; the parameters of delegation calls stand in the namespace then. */
    static String defaultNamespaces(String header, String body) {
        String types = body.contains("<delegation2:") ? DELEGATION : TYPES;
        String bare = body.replaceAll("<(/?)(CREAMTYPES|delegation2):", "<$1")
                .replaceFirst("^<([A-Za-z]+)", "<$1 xmlns=\"" + types + "\"");
        return "<Envelope xmlns=\"" + SOAP_11 + "\">"
                + (header.isEmpty() ? "" : "<Header xmlns:CREAMTYPES=\"" + TYPES + "\">" + header + "</Header>")
                + "<Body>" + bare + "</Body></Envelope>";
    }
}
