package org.gelato.ce.ws.soap;

/** Envelopes as the recorded client writes them: every prefix declared at the top. */
public final class Envelopes {
    private static final String PREFIXES = " xmlns:SOAP-ENC=\"http://schemas.xmlsoap.org/soap/encoding/\""
            + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\""
            + " xmlns:cream=\"http://glite.org/2007/11/ce/cream\""
            + " xmlns:t=\"http://glite.org/2007/11/ce/cream/types\""
            + " xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"";

    private Envelopes() {}

    public static String soap11(String body) {
        return envelope("http://schemas.xmlsoap.org/soap/envelope/", "", body);
    }

    public static String soap11(String header, String body) {
        return envelope("http://schemas.xmlsoap.org/soap/envelope/", "<E:Header>" + header + "</E:Header>", body);
    }

    public static String soap12(String body) {
        return envelope("http://www.w3.org/2003/05/soap-envelope", "", body);
    }

    private static String envelope(String namespace, String header, String body) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<E:Envelope xmlns:E=\"" + namespace + "\"" + PREFIXES + ">"
                + header + "<E:Body>" + body + "</E:Body></E:Envelope>";
    }
}
