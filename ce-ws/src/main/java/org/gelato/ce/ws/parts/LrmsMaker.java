package org.gelato.ce.ws.parts;

import java.io.IOException;
import java.time.Clock;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.Lrms;

/** Opens the batch system of a CE. Called once, while the CE is opened; what it returns is closed with the CE. */
@FunctionalInterface
public interface LrmsMaker {
    /**
     * @param accounts the helper
     * @throws IOException when the batch system's adapter cannot be opened, with what to do about it
     */
    Lrms make(Foundation foundation, AccountCommands accounts, Clock clock) throws IOException;
}
