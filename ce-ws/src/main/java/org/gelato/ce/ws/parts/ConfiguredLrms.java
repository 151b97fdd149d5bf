package org.gelato.ce.ws.parts;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.type.LrmsOpening;
import org.gelato.ce.ws.config.CeConfig;

/** The batch system that {@code gelato.lrms} names. */
public final class ConfiguredLrms {
    private ConfiguredLrms() {}

    /** A {@link LrmsMaker}. */
    static Lrms open(Foundation foundation, AccountCommands accounts, Clock clock) throws IOException {
        CeConfig config = foundation.config();
        return open(
                config, config.lrms().state(config.home()), accounts, clock, foundation.meters(), foundation.closing());
    }

    /**
     * For a command beside a CE that may run: the batch system gets a directory of its own.
     *
     * @param closing takes what is to be closed after it, in reverse order
     * @throws IOException when it cannot be opened, with what to do about it
     */
    public static Lrms openAlone(CeConfig config, AccountCommands accounts, Consumer<AutoCloseable> closing)
            throws IOException {
        Path alone = Files.createTempDirectory("gelato-check");
        closing.accept(() -> remove(alone));
        return open(config, alone.resolve("state"), accounts, Clock.systemUTC(), new SimpleMeterRegistry(), closing);
    }

    private static void remove(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static Lrms open(
            CeConfig config,
            Path state,
            AccountCommands accounts,
            Clock clock,
            MeterRegistry meters,
            Consumer<AutoCloseable> closing)
            throws IOException {
        return config.lrms().site().open(new LrmsOpening(accounts, work(closing), state, meters, clock));
    }

    private static Executor work(Consumer<AutoCloseable> closing) {
        // Threads are made when there is work, so that a batch system that needs none has none.
        var executor = Executors.newFixedThreadPool(2, r -> {
            Thread thread = new Thread(r, "lrms-work");
            thread.setDaemon(true);
            return thread;
        });
        closing.accept(executor::shutdown);
        return executor;
    }
}
