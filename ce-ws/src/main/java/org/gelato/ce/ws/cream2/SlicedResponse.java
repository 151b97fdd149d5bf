package org.gelato.ce.ws.cream2;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import org.gelato.ce.ws.soap.gate.StreamedResponse;

/**
 * A response that is a list: its element, and in it one for each thing of each slice. The first slice is read when this is made,
 * so that what fails there fails the call. For one thread at a time.
 *
 * @param <T> what the core returns
 */
final class SlicedResponse<T> implements StreamedResponse {
    private final String element;
    private final Iterator<List<T>> slices;
    private final Writer<T> things;
    private final Writer<Void> end;
    private List<T> first;
    private boolean begun;
    private boolean filled;

    interface Writer<T> {
        void write(T thing, OutputStream out) throws IOException;
    }

    /**
     * @param element name of the response's element
     * @param things writes one thing's element
     * @param end writes what follows the things; null for nothing
     */
    SlicedResponse(String element, Iterator<List<T>> slices, Writer<T> things, Writer<Void> end) {
        this.element = element;
        this.slices = slices;
        this.things = things;
        this.end = end;
        this.first = slices.hasNext() ? slices.next() : List.of();
    }

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
        List<T> slice = first == null ? slices.next() : first;
        first = null;
        if (!begun) {
            text(out, "<" + element + " xmlns=\"" + Cream2Operation.TYPES + "\"");
            begun = true;
        }
        for (T thing : slice) {
            fill(out);
            things.write(thing, out);
        }
        if (slices.hasNext()) {
            return true;
        }
        if (end != null) {
            fill(out);
            end.write(null, out);
        }
        text(out, filled ? "</" + element + ">" : "/>");
        return false;
    }

    private void fill(OutputStream out) throws IOException {
        if (!filled) {
            text(out, ">");
            filled = true;
        }
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
