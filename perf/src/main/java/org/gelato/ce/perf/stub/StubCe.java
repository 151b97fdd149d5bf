package org.gelato.ce.perf.stub;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.gelato.ce.ws.boot.Gelato;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.parts.Wiring;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The server of a measurement: the product's own parts, with {@link StubLrms} in the place of the batch system. Serves until
 * it is signalled to stop.
 */
@Command(name = "stub-ce")
public final class StubCe implements Callable<Integer> {
    @Option(names = "--config", required = true)
    private Path config;

    @Option(names = "--slots", required = true)
    private int slots;

    @Option(names = "--stage-in", required = true, description = "milliseconds")
    private long stageIn;

    @Option(names = "--job-time", required = true, description = "milliseconds")
    private long jobTime;

    @Option(names = "--control", description = "file that sets how the batch system behaves; may be absent")
    private Path control;

    private StubCe() {}

    public static void main(String[] args) {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        int status = new CommandLine(new StubCe()).execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        StubSettings settings = new StubSettings(slots, Duration.ofMillis(stageIn), Duration.ofMillis(jobTime));
        Gelato gelato = Gelato.open(
                CeConfig.load(config),
                Clock.systemUTC(),
                foundation -> Wiring.parts(foundation, (f, accounts, clock) -> {
                    StubLrms lrms = new StubLrms(settings, accounts, clock, new StubControl(control, settings));
                    lrms.bind(f.meters());
                    return lrms;
                }));
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            gelato.close();
                            stopped.countDown();
                        },
                        "stop"));
        try {
            gelato.listen();
        } catch (RuntimeException e) {
            gelato.close();
            throw e;
        }
        stopped.await();
        return 0;
    }
}
