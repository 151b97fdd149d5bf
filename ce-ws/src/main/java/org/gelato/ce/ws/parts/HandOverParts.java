package org.gelato.ce.ws.parts;

import io.micrometer.core.instrument.Gauge;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.command.CommandCompleter;
import org.gelato.ce.core.command.CommandDispatcher;
import org.gelato.ce.core.command.HandOver;
import org.gelato.ce.core.command.LrmsControl;
import org.gelato.ce.core.command.PurgeSandbox;
import org.gelato.ce.core.command.SubmissionBuilder;
import org.gelato.ce.core.command.SubmissionThrottle;
import org.gelato.ce.core.command.TrashRemover;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.lrms.BatchSystemInstance;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.route.RouteQueues;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.sandbox.JobScripts;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.sandbox.SharedScripts;
import org.gelato.ce.core.service.JobCommands;
import org.gelato.ce.core.sweep.WrapperFileSweeper;
import org.gelato.ce.core.wrapper.CommonSettings;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.parts.monitoring.PartChecks;
import org.gelato.ce.ws.parts.monitoring.PauseMeters;
import org.gelato.ce.ws.web.CreamUrls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of commands: jobs on their way to the batch system, and what users want of them.
 *
 * @param throttle how fast jobs are handed over
 * @param commands what users give
 */
record HandOverParts(
        SubmissionThrottle throttle, TrashRemover trash, CommandDispatcher dispatcher, JobCommands commands)
        implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HandOverParts.class);
    private static final int MAX_IN_FLIGHT = 200;
    private static final Duration TRASH_SWEEP = Duration.ofHours(1);
    private static final Duration WRAPPER_FILE_SWEEP = Duration.ofDays(1);
    /** For the batch system to say which one it is. */
    private static final Duration WHICH = Duration.ofSeconds(30);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(30);

    static HandOverParts open(
            Opening o,
            StoreParts stores,
            HelperParts helper,
            DescriptionParts descriptions,
            FollowParts follow,
            AuditTrail audit) {
        CeConfig config = o.config();
        Clock clock = o.clock();
        Lrms lrms = helper.lrms();
        SubmissionThrottle throttle = new SubmissionThrottle(lrms, config.lrms().handOver(), System::nanoTime);
        RouteQueues queues = new RouteQueues(Routes.NONE);
        o.routes().follow(queues::replace);
        TrashRemover trash = new TrashRemover(helper.accounts(), stores.places().layout(), clock);
        CommandDispatcher dispatcher = new CommandDispatcher(
                stores.database(),
                stores.commands(),
                new CommandCompleter(stores.database(), stores.commands(), stores.jobs(), stores.machine(), clock),
                new CommandDispatcher.CommandExecutors(
                        new HandOver(
                                Map.of(lrms.name(), helper.system()),
                                Map.of(lrms.name(), throttle),
                                descriptions.languages(),
                                descriptions.environments(),
                                submissions(o, stores, helper, follow),
                                queues,
                                clock),
                        new LrmsControl(
                                Map.of(lrms.name(), helper.system()),
                                stores.database(),
                                stores.commands(),
                                helper.accounts(),
                                stores.places().layout(),
                                follow.poller()::wake),
                        new PurgeSandbox(helper.accounts(), stores.places().layout(), trash)),
                clock,
                config.node(),
                MAX_IN_FLIGHT);
        HandOverParts parts = o.opened(new HandOverParts(
                throttle,
                trash,
                dispatcher,
                new JobCommands(
                        stores.database(),
                        stores.jobs(),
                        stores.commands(),
                        stores.owners(),
                        stores.numbers(),
                        stores.machine(),
                        clock,
                        new JobCommands.Listeners(dispatcher::wake, dispatcher, audit))));
        // This node's place among those that share the database: requests need it.
        parts.enter(o, stores, helper.system());
        follow.poller().pauseWhile(() -> dispatcher.lostName().isPresent());
        parts.register(o, stores, helper, follow);
        return parts;
    }

    /** Starts the dispatcher. Where the batch system does not say now which one it is, it is taken for the one that has the jobs until it does. */
    private void enter(Opening o, StoreParts stores, BatchSystem system) {
        CompletableFuture<Optional<BatchSystemInstance>> asked =
                o.config().lrms().instance(system.name(), system.same().learn());
        try {
            dispatcher.start(asked.copy()
                    .orTimeout(WHICH.toSeconds(), TimeUnit.SECONDS)
                    .join()
                    .orElse(null));
        } catch (CompletionException e) {
            log.warn(
                    "Which {} this is cannot be told yet: a CE with another one is not refused on this database until then: {}",
                    system.name(),
                    Messages.of(e));
            dispatcher.start(null);
            stores.database()
                    .read(h -> BatchSystemInstance.stored(h, system.name()))
                    .ifPresent(system.same()::expectInDoubt);
            o.scheduler().schedule(() -> ask(o, system), ASK_AGAIN.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void ask(Opening o, BatchSystem system) {
        o.config().lrms().instance(system.name(), system.same().learn()).whenComplete((instance, e) -> {
            if (e == null) {
                instance.ifPresent(
                        one -> dispatcher.learnt(one, () -> system.same().expect(one.identity())));
            } else if (!o.scheduler().isShutdown()) {
                o.scheduler().schedule(() -> ask(o, system), ASK_AGAIN.toSeconds(), TimeUnit.SECONDS);
            }
        });
    }

    private static SubmissionBuilder submissions(Opening o, StoreParts stores, HelperParts helper, FollowParts follow) {
        CeConfig config = o.config();
        boolean shared = config.sandbox().shared();
        return new SubmissionBuilder(
                stores.places().layout(),
                follow.homes(),
                stores.secrets().tokens(),
                shared ? new SharedScripts(helper.accounts(), stores.places().layout(), o.clock()) : JobScripts.WHOLE,
                new CommonSettings(
                        new CreamUrls(config.baseUrl()),
                        FollowParts.bySpool(config),
                        config.wrapper().caDirectory(),
                        config.wrapper().proxyGuard(),
                        shared,
                        config.wrapper().patience(),
                        config.wrapper().programs(),
                        config.messages().job()));
    }

    private void register(Opening o, StoreParts stores, HelperParts helper, FollowParts follow) {
        Lrms lrms = helper.lrms();
        o.check(PartChecks.lrms(helper.system(), throttle, dispatcher, follow.polls()));
        o.check(HealthCheck.ofState(
                "node",
                () -> dispatcher
                        .lostName()
                        .map(why -> new HealthCheck.Outcome(false, why))
                        .orElseGet(() -> new HealthCheck.Outcome(true, "works under its name"))));
        o.check(PartChecks.trash(trash));
        o.work(dispatcher::work);
        o.work(() -> o.scheduler().execute(() -> emptyTrash(stores.places().sandboxes(), true)));
        o.sweep(
                TRASH_SWEEP,
                "removal of purged sandboxes",
                () -> emptyTrash(stores.places().sandboxes(), false));
        o.sweep(
                WRAPPER_FILE_SWEEP,
                "removal of old common parts of job wrappers",
                new WrapperFileSweeper(
                        stores.database(),
                        stores.places().sandboxes(),
                        stores.places().layout(),
                        helper.accounts(),
                        o.clock())::sweep);
        PauseMeters.register(o.meters(), lrms.name(), throttle, dispatcher.pauses());
        PartChecks.meterTrash(trash, o.meters());
        Gauge.builder("ce.commands.in.flight", dispatcher, CommandDispatcher::inFlight)
                .description("Commands claimed and not completed")
                .register(o.meters());
    }

    /** Sandboxes that were renamed away and not removed: the process died before, or could not. */
    private void emptyTrash(SandboxStore sandboxes, boolean start) {
        try {
            trash.sweep(sandboxes.homes(), start);
        } catch (RuntimeException | Error e) {
            log.warn("trash of purged sandboxes not emptied: {}", Messages.of(e));
        }
    }

    @Override
    public void close() {
        dispatcher.close();
    }
}
