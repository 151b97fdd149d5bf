package org.gelato.ce.ws.soap.gate;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The whole document around the element a streamed answer writes, as Metro writes it. For one thread at a time. */
final class ResponseEnvelope implements StreamedResponse {
    private final SoapVersion version;
    private final StreamedResponse payload;
    private boolean begun;

    ResponseEnvelope(SoapVersion version, StreamedResponse payload) {
        this.version = version;
        this.payload = payload;
    }

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
        if (!begun) {
            write(
                    out,
                    "<?xml version='1.0' encoding='UTF-8'?><S:Envelope xmlns:S=\"" + version.namespace()
                            + "\"><S:Body>");
            begun = true;
        }
        boolean more = payload.writeNext(out);
        if (!more) {
            write(out, "</S:Body></S:Envelope>");
        }
        return more;
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
