package org.gelato.ce.ws.parts;

import java.io.IOException;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.RestartingChannel;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.SameBatchSystem;
import org.gelato.ce.ws.config.HelperCommand;
import org.gelato.ce.ws.parts.monitoring.PartChecks;
import org.gelato.ce.ws.parts.monitoring.ProcessStarts;

/**
 * Work as local accounts: the helper, and the batch system that is reached through it.
 *
 * @param channel to the helper's process
 */
record HelperParts(RestartingChannel channel, AccountCommands accounts, BatchSystem system) {
    static HelperParts open(Opening o, LrmsMaker maker, AuditTrail audit) throws IOException {
        RestartingChannel channel = o.opened(RestartingChannel.start(new HelperCommand(o.config()).line(), o.clock()));
        AccountCommands accounts = new HelperAccountCommands(channel);
        ProcessStarts.meter(channel, o.meters(), o.scheduler());
        o.check(PartChecks.helper(accounts));
        CountedCommands counted =
                new CountedCommands(accounts, o.meters(), o.config().lrms().kind());
        Lrms lrms = o.opened(maker.make(o.foundation(), counted, o.clock()));
        SameBatchSystem same =
                new SameBatchSystem(o.config().lrms().identity(o.config().home(), counted));
        return new HelperParts(channel, accounts, new BatchSystem(lrms, audit, same));
    }

    /** The port to the batch system. */
    Lrms lrms() {
        return system.port();
    }

    /** The helper's process; 0 while there is none. */
    long pid() {
        return channel.channel() == null ? 0 : channel.channel().pid();
    }
}
