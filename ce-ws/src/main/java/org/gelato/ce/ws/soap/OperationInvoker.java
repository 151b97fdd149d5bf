package org.gelato.ce.ws.soap;

import com.sun.xml.ws.api.message.Packet;
import com.sun.xml.ws.api.server.Invoker;
import com.sun.xml.ws.api.server.WSEndpoint;
import com.sun.xml.ws.api.server.WSWebServiceContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.xml.ws.handler.MessageContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import javax.xml.stream.Location;
import javax.xml.stream.XMLStreamException;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.token.BearerChallenge;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.HttpFaults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metro's way to the operations of a service, and the one place where exceptions become faults. A response that fails before anything of
 * it was sent is a fault; later the connection is ended, without the end of the chunked body, so that no client takes a part for the
 * whole. Thread-safe.
 */
final class OperationInvoker extends Invoker {
    private static final Logger log = LoggerFactory.getLogger(OperationInvoker.class);
    private static final String UNKNOWN_OPERATION = "request";
    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** Bytes in memory before anything is sent: what fails until then is still a fault. */
    private static final int AT_FIRST = 16 << 10;

    private final SoapService service;
    private final FaultWriter faults = new FaultWriter();

    OperationInvoker(SoapService service) {
        this.service = service;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Metro declares it
    public void start(WSWebServiceContext context, WSEndpoint endpoint) {
        // the service gets all it needs when it is made
    }

    @Override
    public Object invoke(Packet packet, Method method, Object... arguments) {
        throw new IllegalStateException("a service takes whole messages");
    }

    @Override
    @SuppressWarnings("unchecked") // A Provider<Packet> returns what it takes.
    public <T> T invokeProvider(Packet packet, T ignored) {
        Packet answer = packet.createServerResponse(
                new Call(packet).answer(), packet.endpoint.getPort(), null, packet.endpoint.getBinding());
        FaultCode fault = GatedRequest.of(request(packet)).fault();
        if (fault == FaultCode.UNAVAILABLE) {
            // SOAP prescribes 500; where the same call may succeed later, HTTP says so.
            answer.put(MessageContext.HTTP_RESPONSE_CODE, HttpFaults.status(fault));
        }
        return (T) answer;
    }

    private static HttpServletRequest request(Packet packet) {
        return (HttpServletRequest) packet.get(MessageContext.SERVLET_REQUEST);
    }

    private final class Call {
        private EnvelopeCodec.Request envelope;
        private final HttpServletRequest request;
        private final HttpServletResponse response;
        private final GatedRequest gated;
        private final SoapVersion version;
        private String operation = UNKNOWN_OPERATION;
        private Caller caller;

        Call(Packet packet) {
            envelope = (EnvelopeCodec.Request) packet.getInternalMessage();
            request = OperationInvoker.request(packet);
            response = (HttpServletResponse) packet.get(MessageContext.SERVLET_RESPONSE);
            gated = GatedRequest.of(request);
            version = envelope.version();
        }

        EnvelopeCodec.Answer answer() {
            SoapRequest soap;
            try {
                soap = admitted();
            } catch (XMLStreamException | RuntimeException e) {
                return refused(presentable(e));
            }
            envelope = null; // the response may take long
            try {
                if (!soap.notUnderstood().isEmpty()) {
                    return fault(FaultCode.REQUEST_REFUSED, faults.notUnderstood(soap.notUnderstood(), version));
                }
                StreamedResponse served = service.serve(new SoapCall(
                        caller,
                        operation,
                        soap.iceId(),
                        idempotencyKey(),
                        soap.payload(),
                        refusals -> HttpFaults.mark(response, refusals)));
                return begun(new ResponseEnvelope(version, served));
            } catch (RuntimeException | Error e) { // Metro would show the client any other
                return fault(service.fault(operation, e));
            }
        }

        /** A request of an operation that its caller may call. */
        private SoapRequest admitted() throws XMLStreamException {
            SoapRequest soap;
            try {
                soap = envelope.read();
                operation = service.dispatch(action(), soap);
                gated.isFor(operation);
            } catch (RequestRefused | XMLStreamException e) {
                if (gated.sender() instanceof Authentication.Refused refused) {
                    throw refused.reason();
                }
                throw e;
            }
            caller = SoapGate.authorize(gated, service.contract().protocol(), operation);
            return soap;
        }

        private EnvelopeCodec.Answer refused(RuntimeException failure) {
            if (!(failure instanceof ServiceException) || failure instanceof RequestRefused) {
                // The rest of the body is unread and not worth reading.
                response.setHeader("Connection", "close");
            }
            // SOAP faults keep their status.
            BearerChallenge.apply(response, failure);
            return fault(service.fault(operation, failure));
        }

        private EnvelopeCodec.Answer fault(SoapFault fault) {
            return fault(fault.code(), faults.document(fault, version));
        }

        private EnvelopeCodec.Answer fault(FaultCode code, byte[] document) {
            gated.failed(code);
            HttpFaults.mark(response, code);
            return new EnvelopeCodec.Answer(version) {
                @Override
                public boolean isFault() {
                    return true;
                }

                @Override
                void writeTo(OutputStream out) throws IOException {
                    out.write(document);
                }
            };
        }

        private EnvelopeCodec.Answer begun(StreamedResponse whole) {
            ByteArrayOutputStream first = new ByteArrayOutputStream(1024);
            boolean more = true;
            while (more && first.size() < AT_FIRST) {
                more = written(whole, first);
            }
            boolean rest = more;
            return new EnvelopeCodec.Answer(version) {
                @Override
                void writeTo(OutputStream out) throws IOException {
                    first.writeTo(out);
                    if (rest) {
                        Exchange.of(request).stream(to -> next(whole, to));
                    }
                }
            };
        }

        private boolean written(StreamedResponse whole, ByteArrayOutputStream to) {
            try {
                return whole.writeNext(to);
            } catch (IOException e) {
                throw new IllegalStateException("memory takes all", e);
            }
        }

        private boolean next(StreamedResponse whole, OutputStream out) throws IOException {
            try {
                return whole.writeNext(out);
            } catch (RuntimeException e) {
                log.warn(
                        "The response to {} of {} is broken off, as it could not be read to its end: {}",
                        operation,
                        caller.identity().subject(),
                        service.fault(operation, e).text());
                throw new IOException("the response to " + operation + " is broken off", e);
            }
        }

        private String idempotencyKey() {
            List<String> values = Collections.list(request.getHeaders(IDEMPOTENCY_KEY));
            return values.isEmpty() ? null : String.join(", ", values);
        }

        private String action() {
            String header = request.getHeader("SOAPAction");
            String action = header == null || header.isBlank()
                    ? MediaType.parse(request.getContentType())
                            .map(MediaType::action)
                            .orElse(null)
                    : header;
            if (action == null) {
                return null;
            }
            String plain = action.strip();
            if (plain.length() >= 2 && plain.startsWith("\"") && plain.endsWith("\"")) {
                plain = plain.substring(1, plain.length() - 1).strip();
            }
            return plain;
        }
    }

    private static RuntimeException presentable(Exception e) {
        if (!(e instanceof XMLStreamException broken)) {
            return (RuntimeException) e;
        }
        String message = broken.getMessage() == null ? "" : broken.getMessage();
        int end = message.indexOf('\n');
        Location at = broken.getLocation();
        String where = at == null ? "" : " (line " + at.getLineNumber() + ", column " + at.getColumnNumber() + ")";
        return new RequestRefused("the request is not acceptable XML: "
                + (end < 0 ? message : message.substring(0, end)).strip() + where);
    }
}
