package org.gelato.ce.perf.trivial;

import com.sun.xml.ws.api.BindingID;
import com.sun.xml.ws.api.server.WSEndpoint;
import com.sun.xml.ws.transport.http.servlet.ServletAdapterList;
import com.sun.xml.ws.transport.http.servlet.WSServlet;
import com.sun.xml.ws.transport.http.servlet.WSServletDelegate;
import jakarta.servlet.ServletContext;
import java.util.List;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/** {@link TrivialService} over TLS. Serves until the process is killed; keeps nothing. */
public final class TrivialServer {
    /** Where the service is. */
    public static final String PATH = "/trivial";

    private TrivialServer() {}

    /** @param args port, directory for Tomcat, certificate file, key file */
    public static void main(String[] args) throws LifecycleException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[1]);
        tomcat.setSilent(true);
        tomcat.setConnector(connector(Integer.parseInt(args[0]), args[2], args[3]));
        Context context = tomcat.addContext("", args[1]);
        context.addServletContainerInitializer((classes, servlets) -> add(servlets), Set.of());
        tomcat.start();
        tomcat.getServer().await();
    }

    private static Connector connector(int port, String certificate, String key) {
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(port);
        connector.setProperty("address", "127.0.0.1");
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig tls = new SSLHostConfig();
        SSLHostConfigCertificate pair = new SSLHostConfigCertificate(tls, SSLHostConfigCertificate.Type.UNDEFINED);
        pair.setCertificateFile(certificate);
        pair.setCertificateKeyFile(key);
        tls.addCertificate(pair);
        connector.addSslHostConfig(tls);
        return connector;
    }

    private static void add(ServletContext context) {
        WSEndpoint<?> endpoint = WSEndpoint.create(
                TrivialService.class,
                true,
                null,
                null,
                null,
                null,
                BindingID.SOAP11_HTTP.createBinding(),
                null,
                List.of(),
                null,
                true);
        ServletAdapterList adapters = new ServletAdapterList(context);
        adapters.createAdapter("trivial", PATH, endpoint);
        context.setAttribute(WSServlet.JAXWS_RI_RUNTIME_INFO, new WSServletDelegate(adapters, context));
        context.addServlet("soap", new WSServlet()).addMapping(PATH);
    }
}
