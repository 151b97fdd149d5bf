package org.gelato.ce.ws.soap;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;

/**
 * Has a description that is read name the CE's own address, whatever address the client connected to: a Host header is
 * the client's own text, and a cache between them would hand it to others.
 */
final class ConfiguredAddress implements Filter {
    private final URI base;

    /** @param base {@code https://host:port}; port 0 stands for the one the server found */
    ConfiguredAddress(URI base) {
        this.base = base;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest http = (HttpServletRequest) request;
        chain.doFilter(http.getMethod().equals("GET") ? new Addressed(http) : http, response);
    }

    private final class Addressed extends HttpServletRequestWrapper {
        Addressed(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getScheme() {
            return base.getScheme();
        }

        @Override
        public String getServerName() {
            return base.getHost();
        }

        @Override
        public int getServerPort() {
            return base.getPort() > 0 ? base.getPort() : getLocalPort();
        }

        /** Metro takes scheme, host and port from headers, those of proxies first. */
        @Override
        public String getHeader(String name) {
            if (name.equalsIgnoreCase("Host")) {
                return getServerName() + ":" + getServerPort();
            }
            return name.toLowerCase(Locale.ROOT).startsWith("x-forwarded-") ? null : super.getHeader(name);
        }
    }
}
