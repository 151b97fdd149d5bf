package org.gelato.ce.ws.cream2;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.StreamedResponse;

/**
 * A response that is a list: its element, and in it one for each thing of each slice. The first slice is read when this is made,
 * so that what fails there fails the call. For one thread at a time.
 *
 * @param <T> what the core returns
 */
final class SlicedResponse<T> implements StreamedResponse {
    private final String element;
    private final Iterator<List<T>> slices;
    private final BiConsumer<T, ElementWriter> things;
    private final Consumer<ElementWriter> end;
    private final ElementWriter writer = new ElementWriter();
    private List<T> first;
    private boolean begun;
    private boolean filled;

    /**
     * @param element name of the response's element
     * @param things writes one thing's element
     * @param end writes what follows the things; null for nothing
     */
    SlicedResponse(
            String element,
            Iterator<List<T>> slices,
            BiConsumer<T, ElementWriter> things,
            Consumer<ElementWriter> end) {
        this.element = element;
        this.slices = slices;
        this.things = things;
        this.end = end;
        this.first = slices.hasNext() ? slices.next() : List.of();
    }

    /** A list that is there as a whole. */
    static <T> StreamedResponse of(String element, List<T> all, BiConsumer<T, ElementWriter> things) {
        return new SlicedResponse<>(element, List.of(all).iterator(), things, null);
    }

    /** An element that holds what is written. */
    static StreamedResponse of(String element, Consumer<ElementWriter> content) {
        return new SlicedResponse<>(element, List.<List<Void>>of().iterator(), null, content);
    }

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
        List<T> slice = first == null ? slices.next() : first;
        first = null;
        if (!begun) {
            writer.xml("<" + element + " xmlns=\"" + Cream2Operation.TYPES + "\"");
            begun = true;
        }
        for (T thing : slice) {
            fill();
            things.accept(thing, writer);
            writer.spill(out);
        }
        boolean more = slices.hasNext();
        if (!more) {
            if (end != null) {
                fill();
                end.accept(writer);
            }
            writer.xml(filled ? "</" + element + ">" : "/>");
        }
        writer.flush(out);
        return more;
    }

    private void fill() {
        if (!filled) {
            writer.xml(">");
            filled = true;
        }
    }
}
