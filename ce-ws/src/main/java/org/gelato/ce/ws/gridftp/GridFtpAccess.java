package org.gelato.ce.ws.gridftp;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.Consumer;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.web.SandboxAccess;

/** Sandboxes by {@code gsiftp} URIs. The default port is left out: the original client gives its FTP program the host alone. */
public final class GridFtpAccess implements SandboxAccess {
    /** The port that is registered for GridFTP. */
    public static final int DEFAULT_PORT = 2811;

    private final String host;
    private final int port;
    private final Consumer<Caller> admission;
    private final boolean there;

    /**
     * @param host canonical name of the CE
     * @param admission lets a caller in, as {@link SandboxAccess#admit}
     */
    public GridFtpAccess(String host, int port, Consumer<Caller> admission) {
        this(host, port, admission, true);
    }

    private GridFtpAccess(String host, int port, Consumer<Caller> admission, boolean there) {
        this.host = host;
        this.port = port == DEFAULT_PORT ? -1 : port;
        this.admission = admission;
        this.there = there;
    }

    /**
     * Of a CE without a GridFTP server. It has CREAM's URIs too: a client that knows no other way reports that nothing
     * listens there, where for a text that is no URI it looks for a file of that name.
     */
    public static GridFtpAccess without(String host, int port) {
        return new GridFtpAccess(host, port, caller -> {}, false);
    }

    @Override
    public boolean isThere() {
        return there;
    }

    @Override
    public void admit(Caller caller) {
        admission.accept(caller);
    }

    @Override
    public String input(String sandbox) {
        return sandbox == null ? null : uri(sandbox + "/ISB");
    }

    @Override
    public String output(String sandbox) {
        return sandbox == null ? null : uri(sandbox + "/OSB");
    }

    private String uri(String path) {
        try {
            return new URI("gsiftp", null, host, port, path, null, null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no URI for " + path, e);
        }
    }
}
