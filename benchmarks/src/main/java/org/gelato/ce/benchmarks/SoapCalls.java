package org.gelato.ce.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Calls as the legacy C++ client sends them: a double slash in the path, every prefix declared at the top. */
final class SoapCalls {
    /** Path of the job service. */
    static final String PATH = "//ce-cream/services/CREAM2";

    private static final String BEGIN = """
            <?xml version="1.0" encoding="UTF-8"?>
            <SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" \
            xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" \
            xmlns:CREAM="http://glite.org/2007/11/ce/cream" xmlns:CREAMTYPES="http://glite.org/2007/11/ce/cream/types" \
            xmlns:delegation2="http://www.gridsite.org/namespaces/delegation-2"><SOAP-ENV:Body>""";
    private static final String END = "</SOAP-ENV:Body></SOAP-ENV:Envelope>";

    private SoapCalls() {}

    /** The head of a call, without its length. */
    static Map<String, String> headers(String operation) {
        return Map.of(
                "Host", "ce.example.org:8443",
                "User-Agent", "gSOAP/2.8",
                "Content-Type", "text/xml; charset=utf-8",
                "Connection", "keep-alive",
                "Accept-Encoding", "gzip,deflate",
                "SOAPAction", "\"http://glite.org/2007/11/ce/cream/" + operation + "\"");
    }

    /** JobStatus of one job. */
    static byte[] status(String id, String creamUrl) {
        String job = element("id", id) + element("creamURL", creamUrl);
        return envelope(element("JobStatusRequest", element("jobId", job)));
    }

    /** JobRegister of one job that is not started. */
    static byte[] register(String jdl, String delegation) {
        String text = jdl.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        String description = element("JDL", text) + element("delegationId", delegation) + element("autoStart", "false");
        return envelope(element(
                "JobRegisterRequest",
                "<CREAMTYPES:jobDescriptionList jobDescriptionId=\"JobName_94493806024400\">" + description
                        + "</CREAMTYPES:jobDescriptionList>"));
    }

    private static String element(String name, String content) {
        return "<CREAMTYPES:" + name + ">" + content + "</CREAMTYPES:" + name + ">";
    }

    private static byte[] envelope(String body) {
        return (BEGIN + body + END).getBytes(StandardCharsets.UTF_8);
    }
}
