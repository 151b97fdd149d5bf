package org.gelato.ce.ws.boot;

import io.micrometer.core.instrument.FunctionCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
        Lrms lrms = open(config, config.home().resolve("fork"), accounts, clock, foundation.closing());
        if (lrms instanceof SlurmLrms slurm) {
            FunctionCounter.builder("ce.slurm.api.fallbacks", slurm, SlurmLrms::fallbacks)
                    .description("Requests to Slurm by a command though slurmrestd was to be used")
                    .register(foundation.meters());
        }
        return lrms;
    }

    /** For a command beside a CE that may run: a fork batch system gets a directory of its own. */
    static Lrms openAlone(CeConfig config, AccountCommands accounts, Consumer<AutoCloseable> closing)
            throws IOException {
        Path fork = Files.createTempDirectory("gelato-check");
        closing.accept(() -> remove(fork));
        return open(config, fork.resolve("fork"), accounts, Clock.systemUTC(), closing);
    }

    private static void remove(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static Lrms open(
            CeConfig config, Path fork, AccountCommands accounts, Clock clock, Consumer<AutoCloseable> closing)
            throws IOException {
        LrmsConfig l = config.lrms();
        return switch (l.kind()) {
            case FORK -> ForkLrms.open(ForkLrmsConfig.of(fork, l.forkSlots()), accounts, clock);
            case SLURM -> new SlurmLrms(l.slurm(), accounts, work(closing));
            case BLAHP -> BlahpLrms.open(l.blahp(), accounts, work(closing), clock);
            case TORQUE -> new TorqueLrms(l.torque(), accounts, work(closing));
        };
    }

    private static Executor work(Consumer<AutoCloseable> closing) {
        var executor = Executors.newFixedThreadPool(2, r -> {
            Thread thread = new Thread(r, "lrms-work");
            thread.setDaemon(true);
            return thread;
        });
        closing.accept(executor::shutdown);
        return executor;
    }
}
