package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.gelato.ce.blahbridge.blahp.BlahpLrms;
import org.gelato.ce.blahbridge.fork.ForkLrms;
import org.gelato.ce.blahbridge.fork.ForkLrmsConfig;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.lrms.slurm.SlurmLrms;
import org.gelato.ce.lrms.torque.TorqueLrms;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.LrmsConfig;

/** The batch system that {@code gelato.lrms} names: the one place that knows every kind. */
final class ConfiguredLrms {
    private ConfiguredLrms() {}

    /** A {@link LrmsMaker}. */
    static Lrms open(Gelato.Foundation foundation, AccountCommands accounts, Clock clock) throws IOException {
        CeConfig config = foundation.config();
        LrmsConfig l = config.lrms();
        return switch (l.kind()) {
            case FORK ->
                ForkLrms.open(ForkLrmsConfig.of(config.home().resolve("fork"), l.forkSlots()), accounts, clock);
            case SLURM -> new SlurmLrms(l.slurm(), accounts, work(foundation));
            case BLAHP -> BlahpLrms.open(l.blahp(), accounts, work(foundation), clock);
            case TORQUE -> new TorqueLrms(l.torque(), accounts, work(foundation));
        };
    }

    private static Executor work(Gelato.Foundation foundation) {
        var executor = Executors.newFixedThreadPool(2, r -> {
            Thread thread = new Thread(r, "lrms-work");
            thread.setDaemon(true);
            return thread;
        });
        foundation.closing().accept(executor::shutdown);
        return executor;
    }
}
