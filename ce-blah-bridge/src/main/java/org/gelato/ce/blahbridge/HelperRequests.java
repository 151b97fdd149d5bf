package org.gelato.ce.blahbridge;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Takes requests for a helper; for any thread. One helper, or a row of them of which the next replaces the one that died. */
public interface HelperRequests {
    /**
     * A command whose result comes later.
     *
     * @param args without the request id, which is put before them
     * @return the words of the result line after the request id; fails with
     *     {@link org.gelato.ce.core.account.AccountCommandException} when the command was not taken, so that nothing was
     *     done, and with {@link org.gelato.ce.core.account.ChannelLostException} when it is unknown what was done
     */
    CompletableFuture<List<String>> request(String verb, List<String> args);
}
