package org.gelato.ce.ws.soap.gate;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request as Metro is to see it: the checked body, a plain address, and no header but those that carry what the gate
 * found out. So no client can talk Metro into attachments, compression or binary XML.
 */
final class GatedRequest extends HttpServletRequestWrapper {
    private final String path;
    private final byte[] body;
    private final SoapVersion version;
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** A GET for metadata. */
    GatedRequest(HttpServletRequest request, String path) {
        super(request);
        this.path = path;
        this.body = new byte[0];
        this.version = SoapVersion.SOAP_11;
        keepHost(request);
    }

    /**
     * A call.
     *
     * @param path of Metro's adapter, below the context
     * @param charset null lets the document decide
     */
    GatedRequest(
            HttpServletRequest request, String path, SoapVersion version, String action, byte[] body, String charset) {
        super(request);
        this.path = path;
        this.body = body;
        this.version = version;
        keepHost(request);
        String type = version.mediaType() + (charset == null ? "" : "; charset=" + charset);
        if (version == SoapVersion.SOAP_11) {
            headers.put("SOAPAction", '"' + action + '"');
        } else {
            type += "; action=\"" + action + '"';
        }
        headers.put("Content-Type", type);
        headers.put("Content-Length", Integer.toString(body.length));
    }

    /** The version of SOAP that the call came in. */
    SoapVersion version() {
        return version;
    }

    private void keepHost(HttpServletRequest request) {
        String host = request.getHeader("Host");
        if (host != null) {
            headers.put("Host", host);
        }
    }

    @Override
    public String getRequestURI() {
        return getContextPath() + path;
    }

    @Override
    public StringBuffer getRequestURL() {
        String host = headers.getOrDefault("Host", getServerName() + ":" + getServerPort());
        return new StringBuffer(getScheme()).append("://").append(host).append(getRequestURI());
    }

    @Override
    public String getContextPath() {
        return getServletContext().getContextPath();
    }

    @Override
    public String getServletPath() {
        return path;
    }

    @Override
    public String getQueryString() {
        return headers.containsKey("Content-Type") ? null : "wsdl";
    }

    @Override
    public String getPathInfo() {
        return null;
    }

    @Override
    public String getHeader(String name) {
        return headers.get(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        String value = headers.get(name);
        return value == null ? Collections.emptyEnumeration() : Collections.enumeration(Collections.singleton(value));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(headers.keySet());
    }

    @Override
    public String getContentType() {
        return headers.get("Content-Type");
    }

    @Override
    public int getContentLength() {
        return body.length;
    }

    @Override
    public long getContentLengthLong() {
        return body.length;
    }

    @Override
    public BufferedReader getReader() {
        return new BufferedReader(new InputStreamReader(new ByteArrayInputStream(body), StandardCharsets.UTF_8));
    }

    @Override
    public ServletInputStream getInputStream() {
        return new Body(body);
    }

    /** Metro would complete the exchange itself, and send its response from a thread of its own. */
    @Override
    public boolean isAsyncSupported() {
        return false;
    }

    @Override
    public String toString() {
        return getMethod().toUpperCase(Locale.ROOT) + " " + path;
    }

    private static final class Body extends ServletInputStream {
        private final ByteArrayInputStream in;

        Body(byte[] body) {
            in = new ByteArrayInputStream(body);
        }

        @Override
        public int read() {
            return in.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            return in.read(buffer, offset, length);
        }

        @Override
        public boolean isFinished() {
            return in.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("the body is there already");
        }
    }
}
