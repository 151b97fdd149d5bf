package org.gelato.ce.ws.soap;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The whole document around the element that an answer writes. For one thread at a time. */
public final class ResponseEnvelope implements StreamedResponse {
    private final SoapVersion version;
    private final StreamedResponse payload;
    private boolean begun;

    /** @param payload null for an empty Body */
    public ResponseEnvelope(SoapVersion version, StreamedResponse payload) {
        this.version = version;
        this.payload = payload;
    }

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
        if (!begun) {
            write(
                    out,
                    "<?xml version='1.0' encoding='UTF-8'?><S:Envelope xmlns:S=\"" + version.namespace() + "\"><S:Body"
                            + (payload == null ? "/>" : ">"));
            begun = true;
        }
        boolean more = payload != null && payload.writeNext(out);
        if (!more) {
            write(out, (payload == null ? "" : "</S:Body>") + "</S:Envelope>");
        }
        return more;
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
