package org.gelato.ce.ws.arcrest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.gelato.ce.ws.http.ResponseSource;

/**
 * A list as a response, written slice by slice, so that its length does not matter. The first slice is read when this is made:
 * what fails there fails the call. For one thread at a time.
 */
final class ListResponse<T> implements ResponseSource {
    /** Items of a part: some hundred kilobytes. */
    private static final int MAX = 1000;

    private final Form form;
    private final Form.ListName name;
    private final Iterator<List<T>> slices;
    private final Function<T, Part> parts;
    private List<T> ready;
    private boolean begun;
    private boolean filled;

    /** @param parts makes an item of a thing; null leaves it out */
    ListResponse(Form form, Form.ListName name, Iterator<List<T>> slices, Function<T, Part> parts) {
        this.form = form;
        this.name = name;
        this.slices = new Bounded<>(slices);
        this.parts = parts;
        this.ready = this.slices.hasNext() ? this.slices.next() : List.of();
    }

    /** The same things in slices of a bounded length. */
    private static final class Bounded<T> implements Iterator<List<T>> {
        private final Iterator<List<T>> slices;
        private List<T> rest = List.of();

        Bounded(Iterator<List<T>> slices) {
            this.slices = slices;
        }

        @Override
        public boolean hasNext() {
            return !rest.isEmpty() || slices.hasNext();
        }

        @Override
        public List<T> next() {
            List<T> slice = rest.isEmpty() ? slices.next() : rest;
            int length = Math.min(MAX, slice.size());
            rest = slice.subList(length, slice.size());
            return slice.subList(0, length);
        }
    }

    /** Whether the part that is read already is the whole list. */
    boolean hasOnePart() {
        return !begun && !slices.hasNext();
    }

    @Override
    public boolean next(OutputStream out) throws IOException {
        List<T> slice = ready == null ? slices.next() : ready;
        ready = null;
        StringBuilder text = new StringBuilder();
        if (!begun) {
            form.begin(name, text);
            begun = true;
        }
        for (T thing : slice) {
            Part part = parts.apply(thing);
            if (part != null) {
                form.item(part, !filled, text);
                filled = true;
            }
        }
        boolean more = slices.hasNext();
        if (!more) {
            form.end(name, text);
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        return more;
    }
}
