package org.gelato.ce.benchmarks;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.command.CommandCompleter;
import org.gelato.ce.core.command.CommandDispatcher;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.command.HandOver;
import org.gelato.ce.core.command.HandOverLimits;
import org.gelato.ce.core.command.LrmsControl;
import org.gelato.ce.core.command.PurgeSandbox;
import org.gelato.ce.core.command.SubmissionBuilder;
import org.gelato.ce.core.command.SubmissionThrottle;
import org.gelato.ce.core.command.TrashRemover;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.intake.SpoolHomes;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.route.RouteQueues;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.wrapper.CommonSettings;
import org.gelato.ce.core.wrapper.MessageSettings;
import org.gelato.ce.core.wrapper.ProxyGuard;
import org.gelato.ce.core.wrapper.WrapperPatience;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.gelato.ce.description.Languages;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.TransferPrograms;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.ws.web.CreamUrls;

/**
 * Our queue, emptied by the product's own dispatchers. Each claimer is a node of the CE with a dispatcher of its own: its
 * thread claims, a second one completes. The batch system takes every job at once.
 */
final class OurQueue implements Queue {
    private static final int MAX_IN_FLIGHT = 200; // as in the product
    private static final WrapperTokens TOKENS =
            new WrapperTokens("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final String SCRIPT = "#!/bin/bash\n";
    private static final long LOOK = TimeUnit.MICROSECONDS.toNanos(100);

    private final Database database;
    private final QueueStore queue;
    private final int commands;
    private final AcceptingLrms lrms = new AcceptingLrms();
    private final List<CommandDispatcher> nodes = new ArrayList<>();

    /**
     * Starts the nodes.
     *
     * @param commands how many each filling queues
     */
    OurQueue(Database database, QueueStore queue, int claimers, int commands) {
        this.database = database;
        this.queue = queue;
        this.commands = commands;
        JobNumbers numbers = JobNumbers.of(database);
        for (int i = 0; i < claimers; i++) {
            CommandDispatcher node = node(numbers, "node" + i);
            nodes.add(node);
            node.start(null);
            node.work();
        }
    }

    private CommandDispatcher node(JobNumbers numbers, String host) {
        Clock clock = CoreParts.clock();
        CommandStore store = new CommandStore(numbers);
        return new CommandDispatcher(
                database,
                store,
                new CommandCompleter(database, store, new JobStore(), new JobStateMachine(), clock),
                new CommandDispatcher.CommandExecutors(
                        new HandOver(
                                Map.of(Scene.LRMS, new BatchSystem(lrms, AuditTrail.NONE)),
                                Map.of(
                                        Scene.LRMS,
                                        new SubmissionThrottle(lrms, HandOverLimits.DEFAULT, System::nanoTime)),
                                new Languages(List.of(Jdl.LANGUAGE)),
                                RuntimeEnvironments.NONE,
                                submissions(),
                                new RouteQueues(Routes.NONE),
                                clock),
                        new LrmsControl(
                                Map.of(Scene.LRMS, new BatchSystem(lrms, AuditTrail.NONE)),
                                database,
                                store,
                                CoreParts.noHelper(),
                                CoreParts.layout(),
                                () -> {}),
                        new PurgeSandbox(
                                CoreParts.noHelper(),
                                CoreParts.layout(),
                                new TrashRemover(CoreParts.noHelper(), CoreParts.layout(), clock))),
                clock,
                host,
                MAX_IN_FLIGHT);
    }

    private SubmissionBuilder submissions() {
        return new SubmissionBuilder(
                CoreParts.layout(),
                new SpoolHomes(database, CoreParts.layout()),
                TOKENS,
                (account, home, request, settings) -> CompletableFuture.completedFuture(SCRIPT),
                new CommonSettings(
                        new CreamUrls(URI.create("https://ce.example.org:8443")),
                        true,
                        null,
                        new ProxyGuard(Duration.ofHours(1), Duration.ofMinutes(1)),
                        true,
                        new WrapperPatience(Duration.ofHours(2), Duration.ofHours(1), null, 0, Duration.ofMinutes(10)),
                        TransferPrograms.NONE,
                        MessageSettings.NONE));
    }

    @Override
    public void fill() {
        lrms.forget();
        database.inTransaction(h -> queue.queueOurs(h));
    }

    @Override
    public void empty() {
        nodes.forEach(CommandDispatcher::wake);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (lrms.accepted() < commands || nodes.stream().anyMatch(node -> node.inFlight() > 0)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("our queue is not empty after " + PATIENCE + " s: " + lrms.accepted()
                        + " of " + commands + " commands were executed");
            }
            LockSupport.parkNanos(LOOK);
        }
    }

    @Override
    public void close() {
        nodes.forEach(CommandDispatcher::close);
    }
}
