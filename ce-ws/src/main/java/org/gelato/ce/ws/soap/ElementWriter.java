package org.gelato.ce.ws.soap;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.gelato.ce.ws.web.XmlText;

/**
 * Elements of a response as text; what is null is not written, and what XML cannot hold is replaced. For one thread at a time.
 */
public final class ElementWriter {
    private static final int MUCH = 8 << 10;

    private final StringBuilder text = new StringBuilder(1024);

    public ElementWriter open(String name) {
        text.append('<').append(name).append('>');
        return this;
    }

    public ElementWriter open(String name, String attribute, String value) {
        if (value == null) {
            return open(name);
        }
        text.append('<').append(name).append(' ').append(attribute).append("=\"");
        text.append(XmlText.escaped(value).replace("\n", "&#10;")).append("\">");
        return this;
    }

    public ElementWriter close(String name) {
        text.append("</").append(name).append('>');
        return this;
    }

    /** An element of a text. */
    public ElementWriter leaf(String name, String value) {
        return value == null ? this : open(name).text(value).close(name);
    }

    /** An element of a time. */
    public ElementWriter leaf(String name, Instant time) {
        if (time != null) {
            open(name);
            WireTime.append(text, time);
            close(name);
        }
        return this;
    }

    public ElementWriter text(String value) {
        text.append(XmlText.content(value));
        return this;
    }

    /** What is XML already. */
    public ElementWriter xml(String elements) {
        text.append(elements);
        return this;
    }

    /** Hands over what is there, if it is much. */
    public void spill(OutputStream out) throws IOException {
        if (text.length() >= MUCH) {
            flush(out);
        }
    }

    /** Hands over what is there. */
    public void flush(OutputStream out) throws IOException {
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        text.setLength(0);
    }
}
