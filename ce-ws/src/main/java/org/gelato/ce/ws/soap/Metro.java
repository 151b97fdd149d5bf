package org.gelato.ce.ws.soap;

import com.sun.xml.ws.api.BindingID;
import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.api.WSBinding;
import com.sun.xml.ws.api.message.Packet;
import com.sun.xml.ws.api.pipe.ClientTubeAssemblerContext;
import com.sun.xml.ws.api.pipe.Codec;
import com.sun.xml.ws.api.pipe.ServerTubeAssemblerContext;
import com.sun.xml.ws.api.pipe.Tube;
import com.sun.xml.ws.api.pipe.TubelineAssembler;
import com.sun.xml.ws.api.pipe.TubelineAssemblerFactory;
import com.sun.xml.ws.api.server.BoundEndpoint;
import com.sun.xml.ws.api.server.Container;
import com.sun.xml.ws.api.server.SDDocumentSource;
import com.sun.xml.ws.api.server.WSEndpoint;
import com.sun.xml.ws.transport.http.servlet.ServletAdapterList;
import com.sun.xml.ws.transport.http.servlet.ServletModule;
import com.sun.xml.ws.transport.http.servlet.WSServletDelegate;
import jakarta.servlet.ServletContext;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceProvider;
import jakarta.xml.ws.soap.SOAPBinding;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.gelato.ce.ws.web.HardenedXml;

/**
 * Metro's endpoints of services: each reads and writes envelopes of both SOAP versions by a codec of ours, and calls the service; between
 * the two is nothing of Metro's.
 */
final class Metro extends Container {
    private final ServletModule module;

    private Metro(ServletContext context) {
        List<BoundEndpoint> endpoints = new CopyOnWriteArrayList<>();
        module = new ServletModule() {
            @Override
            public List<BoundEndpoint> getBoundEndpoints() {
                return endpoints;
            }

            @Override
            public String getContextPath() {
                return context.getContextPath();
            }
        };
    }

    /** @param services by the paths of their adapters */
    static WSServletDelegate serve(ServletContext context, Map<String, SoapService> services, HardenedXml xml) {
        Metro home = new Metro(context);
        ServletAdapterList adapters = new ServletAdapterList(context);
        services.forEach((path, service) ->
                adapters.createAdapter(service.contract().name(), path, home.endpoint(service, xml)));
        return new WSServletDelegate(adapters, context);
    }

    private WSEndpoint<?> endpoint(SoapService service, HardenedXml xml) {
        return WSEndpoint.create(
                Operations.class,
                false,
                new OperationInvoker(service),
                service.contract().wsdlService(),
                service.contract().wsdlPort(),
                this,
                new Binding(new EnvelopeCodec(service, xml)).createBinding(),
                SDDocumentSource.create(
                        Metro.class.getResource(service.contract().wsdl())),
                List.of(),
                null,
                true);
    }

    @Override
    public <S> S getSPI(Class<S> type) {
        if (type == TubelineAssemblerFactory.class) {
            return type.cast(new NoTubes());
        }
        return type.isInstance(module) ? type.cast(module) : super.getSPI(type);
    }

    /** By its annotations Metro knows that a service takes whole messages. */
    @WebServiceProvider
    @ServiceMode(Service.Mode.MESSAGE)
    static final class Operations implements Provider<Packet> {
        @Override
        public Packet invoke(Packet request) {
            throw new IllegalStateException(OperationInvoker.class + " is called in its place");
        }
    }

    /** Of SOAP 1.1, as the WSDLs say; the codec knows both versions. */
    private static final class Binding extends BindingID {
        private final Codec codec;

        Binding(Codec codec) {
            this.codec = codec;
        }

        @Override
        public SOAPVersion getSOAPVersion() {
            return SOAPVersion.SOAP_11;
        }

        @Override
        public Codec createEncoder(WSBinding binding) {
            return codec;
        }

        @Override
        public String toString() {
            return SOAPBinding.SOAP11HTTP_BINDING;
        }
    }

    /** Metro's own would read the list of its tubes by JAXB. */
    private static final class NoTubes extends TubelineAssemblerFactory implements TubelineAssembler {
        @Override
        public TubelineAssembler doCreate(BindingID binding) {
            return this;
        }

        @Override
        public Tube createClient(ClientTubeAssemblerContext context) {
            throw new IllegalStateException("there is no client here");
        }

        @Override
        public Tube createServer(ServerTubeAssemblerContext context) {
            return context.getTerminalTube();
        }
    }
}
