package org.gelato.ce.ws.soap;

import com.sun.xml.ws.api.server.BoundEndpoint;
import com.sun.xml.ws.api.server.Container;
import com.sun.xml.ws.transport.http.servlet.ServletModule;
import jakarta.servlet.ServletContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells Metro which web application its endpoints live in. */
final class ServletHome extends Container {
    private final ServletModule module;

    ServletHome(ServletContext context) {
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

    @Override
    public <S> S getSPI(Class<S> type) {
        return type.isInstance(module) ? type.cast(module) : super.getSPI(type);
    }
}
