package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.gelato.ce.blahbridge.blahp.BlahpConfig;
import org.gelato.ce.blahbridge.blahp.BlahpLrms;
import org.gelato.ce.blahbridge.fork.ForkLrms;
import org.gelato.ce.blahbridge.fork.ForkLrmsConfig;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.slurm.SlurmLrms;
import org.gelato.ce.lrms.torque.TorqueConfig;
import org.gelato.ce.lrms.torque.TorqueLrms;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.LrmsConfig;
import org.gelato.ce.ws.config.TorqueSettings;

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
            case SLURM -> new SlurmLrms(slurm(config), accounts, work(foundation));
            case BLAHP -> BlahpLrms.open(blahp(l), accounts, work(foundation), clock);
            case TORQUE -> new TorqueLrms(torque(config), accounts, work(foundation));
        };
    }

    /** How Slurm is reached, also for the helper's limits. */
    static SlurmConfig slurm(CeConfig config) {
        LrmsConfig l = config.lrms();
        return new SlurmConfig(
                l.slurmBinDirectory(),
                l.slurmConf(),
                l.commandTimeout(),
                SlurmConfig.Accounting.valueOf(l.slurmHistory().accounting().name()),
                l.slurmHistory().window(),
                l.slurmHistory().jobCompletionLog(),
                config.sandbox().shared() ? null : l.slurmNodeOutput());
    }

    private static BlahpConfig blahp(LrmsConfig l) {
        return new BlahpConfig(
                l.blahp().command(),
                l.blahp().gridType(),
                l.blahp().sudo(),
                System.getProperty("user.name"),
                l.blahp().hostSmpSize(),
                l.blahp().accountingLog(),
                l.commandTimeout());
    }

    /** How Torque is reached, also for the helper's limits. */
    static TorqueConfig torque(CeConfig config) {
        LrmsConfig l = config.lrms();
        TorqueSettings t = l.torque();
        return new TorqueConfig(
                t.binDirectory(),
                TorqueConfig.Dialect.valueOf(t.dialect().name()),
                t.accountingDirectory(),
                t.submitAttributes(),
                t.hostSmpSize(),
                TorqueConfig.GpuStyle.valueOf(t.gpuStyle().name()),
                t.server(),
                l.commandTimeout(),
                config.sandbox().shared(),
                l.slurmConf());
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
