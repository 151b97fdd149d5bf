package org.gelato.ce.ws.soap;

import com.sun.xml.ws.api.BindingID;
import com.sun.xml.ws.api.WSBinding;
import com.sun.xml.ws.api.server.Container;
import com.sun.xml.ws.api.server.SDDocumentSource;
import com.sun.xml.ws.api.server.WSEndpoint;
import com.sun.xml.ws.transport.http.servlet.ServletAdapter;
import com.sun.xml.ws.transport.http.servlet.ServletAdapterList;
import com.sun.xml.ws.transport.http.servlet.WSServlet;
import com.sun.xml.ws.transport.http.servlet.WSServletDelegate;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import java.net.URI;
import java.net.URL;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.CallLimits;
import org.gelato.ce.ws.http.CallMeter;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.soap.gate.OperationInvoker;
import org.gelato.ce.ws.soap.gate.SoapGate;
import org.gelato.ce.ws.soap.gate.SoapService;
import org.gelato.ce.ws.soap.gate.SoapVersion;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.xml.HardenedXml;
import org.gelato.ce.ws.xml.XmlLimits;

/**
 * Registers SOAP services in a web application, embedded or as a WAR: one Metro servlet, and the gate before it. The services
 * serve {@code /ce-cream/services/…} of the host whatever the context path is: the root, or {@code /ce-cream} itself.
 * Called once, by the container's start thread.
 */
public final class SoapServices implements ServletContextListener {
    private static final String HOME = "/ce-cream";
    private static final String SERVLET = "soap";

    /** Held, because loggers without a reference forget their level. */
    private static final Logger DISPATCH = Logger.getLogger("com.sun.xml.ws.wsdl.PayloadQNameBasedOperationFinder");

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
        // it warns at each start that JobList and getLeaseList are alike: the gate distinguishes them by SOAPAction
        DISPATCH.setLevel(Level.SEVERE);
        HardenedXml xml = new HardenedXml(limits);
        xml.useForMetro();
        Map<String, SoapService> byPath = new LinkedHashMap<>();
        for (SoapService service : services) {
            byPath.put(path(context, service), service);
        }
        context.setAttribute(WSServlet.JAXWS_RI_RUNTIME_INFO, metro(context, byPath));
        new AsyncExchanges(MemoryBudget.ofHeap(limits.maxBytes()), MinimumRate.Slowest.USUAL, System::nanoTime)
                .addTo(context);
        ServletRegistration.Dynamic servlet = context.addServlet(SERVLET, new WSServlet());
        servlet.setAsyncSupported(true);
        servlet.addMapping(byPath.keySet().toArray(String[]::new));
        FilterRegistration.Dynamic address = context.addFilter("configured-address", new ConfiguredAddress(baseUrl));
        address.setAsyncSupported(true);
        address.addMappingForServletNames(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, SERVLET);
        FilterRegistration.Dynamic gate =
                context.addFilter("soap-gate", new SoapGate(byPath, callers, xml, callLimits, meter));
        gate.setAsyncSupported(true);
        gate.addMappingForServletNames(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, SERVLET);
    }

    private static String path(ServletContext context, SoapService service) {
        return (context.getContextPath().equals(HOME) ? "" : HOME) + "/services/" + service.name();
    }

    private static WSServletDelegate metro(ServletContext context, Map<String, SoapService> byPath) {
        Container home = new ServletHome(context);
        return new LateSoap12(
                adapters(context, home, byPath, SoapVersion.SOAP_11),
                () -> adapters(context, home, byPath, SoapVersion.SOAP_12),
                context);
    }

    /** A list for each version: Metro writes the addresses of all adapters of a list into the WSDL. */
    private static List<ServletAdapter> adapters(
            ServletContext context, Container home, Map<String, SoapService> byPath, SoapVersion version) {
        ServletAdapterList adapters = new ServletAdapterList(context);
        byPath.forEach((path, service) -> adapters.createAdapter(
                service.name() + "-" + version,
                version == SoapVersion.SOAP_11 ? path : SoapGate.soap12(path),
                endpoint(service, version, home)));
        return adapters;
    }

    private static WSEndpoint<?> endpoint(SoapService service, SoapVersion version, Container home) {
        WSBinding binding =
                (version == SoapVersion.SOAP_11 ? BindingID.SOAP11_HTTP : BindingID.SOAP12_HTTP).createBinding();
        service.understoodHeaders().forEach(binding::addKnownHeader);
        URL wsdl = SoapServices.class.getResource(service.wsdl());
        return WSEndpoint.create(
                service.endpointType(),
                false,
                new OperationInvoker(service, version),
                service.wsdlService(),
                service.wsdlPort(),
                home,
                binding,
                SDDocumentSource.create(wsdl),
                List.of(),
                null,
                true);
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        event.getServletContext().removeAttribute(WSServlet.JAXWS_RI_RUNTIME_INFO);
    }
}
