package org.gelato.ce.ws.soap;

import com.sun.xml.ws.transport.http.servlet.ServletAdapter;
import com.sun.xml.ws.transport.http.servlet.WSServletDelegate;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.function.Supplier;

/**
 * Metro's way from a path to its endpoint. Endpoints of SOAP 1.2 are made when the first request needs one: CREAM's clients
 * speak SOAP 1.1, and a start is shorter without. Any thread may call.
 */
final class LateSoap12 extends WSServletDelegate {
    private final Supplier<List<ServletAdapter>> soap12;
    private final ServletContext context;
    private Endpoints late;

    /**
     * @param soap11 the endpoints of SOAP 1.1
     * @param soap12 makes those of SOAP 1.2; called once, unless it fails
     */
    LateSoap12(List<ServletAdapter> soap11, Supplier<List<ServletAdapter>> soap12, ServletContext context) {
        super(soap11, context);
        this.soap12 = soap12;
        this.context = context;
    }

    @Override
    protected ServletAdapter getTarget(HttpServletRequest request) {
        ServletAdapter target = super.getTarget(request);
        return target == null ? late().find(request) : target;
    }

    private synchronized Endpoints late() {
        if (late == null) {
            late = new Endpoints(soap12.get(), context);
        }
        return late;
    }

    @Override
    public synchronized void destroy() {
        super.destroy();
        if (late != null) {
            late.destroy();
        }
    }

    /** Lets this class get an endpoint. */
    private static final class Endpoints extends WSServletDelegate {
        Endpoints(List<ServletAdapter> adapters, ServletContext context) {
            super(adapters, context);
        }

        ServletAdapter find(HttpServletRequest request) {
            return getTarget(request);
        }
    }
}
