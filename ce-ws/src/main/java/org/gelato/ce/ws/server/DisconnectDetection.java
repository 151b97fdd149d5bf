package org.gelato.ce.ws.server;

import org.apache.coyote.ActionCode;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.gelato.ce.ws.web.ClientConnection;

/** Sees that the client of a request has gone which waits for something of the CE's own: nobody else reads its connection meanwhile. */
final class DisconnectDetection {
    private DisconnectDetection() {}

    /** Runs what the request wants run when its client has gone ({@link ClientConnection#departure}). */
    static void check(TrackedConnection connection) {
        SocketWrapperBase<NioChannel> socket = connection.socket();
        if (!(socket.getCurrentProcessor() instanceof Processor waiting) || !waiting.isAsync()) {
            return;
        }
        if (!socket.getLock().tryLock()) {
            return;
        }
        Runnable gone = null;
        try {
            if (socket.getCurrentProcessor() == waiting
                    && !connection.waitsForClient()
                    && waiting.getRequest().getAttribute(ClientConnection.ATTRIBUTE) instanceof ClientConnection client
                    && client.departure() != null
                    && hasEnded(waiting.getRequest())) {
                gone = client.departure();
            }
        } finally {
            socket.getLock().unlock();
        }
        if (gone != null) {
            gone.run();
        }
    }

    /** Tomcat counts one byte where a read finds the end, again at each read, and none without one; a next request is there after the first. */
    private static boolean hasEnded(Request request) {
        int first = available(request, true);
        int again = first == 0 ? 0 : available(request, true);
        return again > 0 && available(request, false) == 0;
    }

    private static int available(Request request, boolean read) {
        request.action(ActionCode.AVAILABLE, read);
        return request.getAvailable();
    }
}
