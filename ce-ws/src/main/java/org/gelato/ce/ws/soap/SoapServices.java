package org.gelato.ce.ws.soap;

import com.sun.xml.ws.transport.http.servlet.WSServlet;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import java.net.URI;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.CallLimits;
import org.gelato.ce.ws.http.CallMeter;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.HardenedXml;
import org.gelato.ce.ws.web.XmlLimits;

/**
 * Registers SOAP services in a web application, embedded or as a WAR: one Metro servlet, and the gate before it. The services
 * serve {@code /ce-cream/services/…} of the host whatever the context path is: the root, or {@code /ce-cream} itself.
 * Called once, by the container's start thread.
 */
public final class SoapServices implements ServletContextListener {
    private static final String HOME = "/ce-cream";
    private static final String SERVLET = "soap";

    private final URI baseUrl;
    private final CallerResolver callers;
    private final List<SoapService> services;
    private final XmlLimits limits;
    private final CallLimits callLimits;
    private final CallMeter meter;

    /** @param baseUrl {@code https://host:port}: WSDLs name it whatever the client calls the host */
    public SoapServices(
            URI baseUrl,
            CallerResolver callers,
            List<SoapService> services,
            XmlLimits limits,
            CallLimits callLimits,
            CallMeter meter) {
        this.baseUrl = baseUrl;
        this.callers = callers;
        this.services = List.copyOf(services);
        this.limits = limits;
        this.callLimits = callLimits;
        this.meter = meter;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        register(event.getServletContext());
    }

    /** Does the listener's work for callers that may add servlets but no listeners which do: container initializers. */
    public void register(ServletContext context) {
        HardenedXml xml = new HardenedXml(limits);
        xml.useForMetro();
        Map<String, SoapService> byPath = new LinkedHashMap<>();
        Map<String, String> names = new HashMap<>();
        for (SoapService service : services) {
            byPath.put(path(context, service), service);
            names.put(path(context, service), service.contract().name());
        }
        context.setAttribute(WSServlet.JAXWS_RI_RUNTIME_INFO, Metro.serve(context, byPath, xml));
        new AsyncExchanges(MemoryBudget.ofHeap(limits.maxBytes()), MinimumRate.Slowest.USUAL, System::nanoTime)
                .addTo(context);
        ServletRegistration.Dynamic servlet = context.addServlet(SERVLET, new WSServlet());
        servlet.setAsyncSupported(true);
        servlet.addMapping(byPath.keySet().toArray(String[]::new));
        FilterRegistration.Dynamic address = context.addFilter("configured-address", new ConfiguredAddress(baseUrl));
        address.setAsyncSupported(true);
        address.addMappingForServletNames(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, SERVLET);
        FilterRegistration.Dynamic gate =
                context.addFilter("soap-gate", new SoapGate(names, callers, limits, callLimits, meter));
        gate.setAsyncSupported(true);
        gate.addMappingForServletNames(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, SERVLET);
    }

    private static String path(ServletContext context, SoapService service) {
        return (context.getContextPath().equals(HOME) ? "" : HOME) + "/services/"
                + service.contract().name();
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        event.getServletContext().removeAttribute(WSServlet.JAXWS_RI_RUNTIME_INFO);
    }
}
