package org.gelato.ce.ws.soap.gate;

import com.sun.xml.ws.api.message.Packet;
import com.sun.xml.ws.api.server.Invoker;
import com.sun.xml.ws.api.server.WSEndpoint;
import com.sun.xml.ws.api.server.WSWebServiceContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.xml.ws.handler.MessageContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Metro's way to our operations: a new endpoint object for each call, and the one place where exceptions of operations
 * become faults. Thread-safe.
 */
public final class OperationInvoker extends Invoker {
    private final SoapService service;
    private final SoapVersion version;
    private final FaultWriter faults = new FaultWriter();

    public OperationInvoker(SoapService service, SoapVersion version) {
        this.service = service;
        this.version = version;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Metro declares it
    public void start(WSWebServiceContext context, WSEndpoint endpoint) {
        // endpoints get all they need when they are made
    }

    @Override
    public Object invoke(Packet packet, Method method, Object... arguments)
            throws InvocationTargetException, IllegalAccessException {
        HttpServletRequest request = (HttpServletRequest) packet.get(MessageContext.SERVLET_REQUEST);
        SoapCall call = (SoapCall) request.getAttribute(SoapCall.ATTRIBUTE);
        try {
            Object endpoint = service.endpoint(call);
            Object result = method.invoke(endpoint, arguments);
            if (endpoint instanceof StreamingEndpoint streaming && streaming.response() != null) {
                StreamedResponses.hand(request, streaming.response());
            }
            return result;
        } catch (InvocationTargetException e) {
            SoapFault fault = service.fault(call.operation(), e.getCause());
            SoapGate.failed(request, fault);
            throw new InvocationTargetException(faults.exception(fault, version));
        }
    }
}
