package org.gelato.ce.ws.cream2;

import jakarta.xml.bind.JAXBException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.xml.XMLConstants;
import javax.xml.namespace.NamespaceContext;
import org.gelato.ce.ws.cream2.wsdl.Event;
import org.gelato.ce.ws.cream2.wsdl.JobId;
import org.gelato.ce.ws.cream2.wsdl.JobInfoResult;
import org.gelato.ce.ws.cream2.wsdl.JobRegisterResult;
import org.gelato.ce.ws.cream2.wsdl.JobStatusResult;
import org.gelato.ce.ws.cream2.wsdl.Result;
import org.glassfish.jaxb.runtime.api.Bridge;
import org.glassfish.jaxb.runtime.api.JAXBRIContext;
import org.glassfish.jaxb.runtime.api.TypeReference;

/**
 * Writes single elements of a response by the generated classes, as they are within an element that made the types'
 * namespace the default. Thread-safe.
 *
 * @param <W> the generated class
 */
final class ResultWriter<W> {
    static final ResultWriter<JobRegisterResult> REGISTERED = of("result", JobRegisterResult.class);
    static final ResultWriter<JobStatusResult> STATUS = of("result", JobStatusResult.class);
    static final ResultWriter<JobInfoResult> INFO = of("result", JobInfoResult.class);
    static final ResultWriter<Result> COMMAND = of("result", Result.class);
    static final ResultWriter<JobId> ID = of("result", JobId.class);
    static final ResultWriter<Event> EVENT = of("event", Event.class);

    private static final NamespaceContext WITHIN = new NamespaceContext() {
        @Override
        public String getNamespaceURI(String prefix) {
            return prefix.isEmpty() ? Cream2Operation.TYPES : XMLConstants.NULL_NS_URI;
        }

        @Override
        public String getPrefix(String uri) {
            return uri.equals(Cream2Operation.TYPES) ? XMLConstants.DEFAULT_NS_PREFIX : null;
        }

        @Override
        public Iterator<String> getPrefixes(String uri) {
            String prefix = getPrefix(uri);
            return prefix == null
                    ? Collections.emptyIterator()
                    : List.of(prefix).iterator();
        }
    };

    private final Bridge<W> bridge;

    private ResultWriter(Bridge<W> bridge) {
        this.bridge = bridge;
    }

    @SuppressWarnings("unchecked") // The bridge is of the reference's type.
    private static <W> ResultWriter<W> of(String element, Class<W> type) {
        TypeReference reference = new TypeReference(Cream2Operation.type(element), type);
        try {
            JAXBRIContext context = JAXBRIContext.newInstance(
                    new Class<?>[] {type}, List.of(reference), Map.of(), Cream2Operation.TYPES, false, null);
            return new ResultWriter<>(context.createBridge(reference));
        } catch (JAXBException e) {
            throw new IllegalStateException("the generated classes cannot be written", e);
        }
    }

    /** Writes things in the form that a mapping gives them. */
    <T> SlicedResponse.Writer<T> by(Function<T, W> mapping) {
        return (thing, out) -> write(mapping.apply(thing), out);
    }

    private void write(W element, OutputStream out) throws IOException {
        try {
            bridge.marshal(element, out, WITHIN, null);
        } catch (JAXBException e) {
            for (Throwable t = e; t != null; t = t.getCause()) {
                if (t instanceof IOException io) {
                    throw io;
                }
            }
            throw new IllegalStateException("an element of a response could not be written", e);
        }
    }
}
