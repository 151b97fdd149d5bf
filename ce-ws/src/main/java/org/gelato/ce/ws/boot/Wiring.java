package org.gelato.ce.ws.boot;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.RestartingChannel;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.accounting.UsagePublisher;
import org.gelato.ce.core.accounting.UsageQueries;
import org.gelato.ce.core.accounting.UsageRetention;
import org.gelato.ce.core.authorization.GridmapAuthorizer;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.delegation.CanlChainValidator;
import org.gelato.ce.core.delegation.DelegationService;
import org.gelato.ce.core.delegation.KeyPool;
import org.gelato.ce.core.delegation.KeyVault;
import org.gelato.ce.core.delegation.VomsAttributeReader;
import org.gelato.ce.core.event.EventQueries;
import org.gelato.ce.core.identity.AccountUseStore;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.core.identity.BanSet;
import org.gelato.ce.core.identity.Mappings;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.lease.LeaseService;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.service.JobService;
import org.gelato.ce.core.service.SiteAdministration;
import org.gelato.ce.core.service.SiteJobs;
import org.gelato.ce.ws.admin.AdminEndpoints;
import org.gelato.ce.ws.arcrest.ArcEndpoints;
import org.gelato.ce.ws.arcrest.InfoDocument;
import org.gelato.ce.ws.audit.AuditLog;
import org.gelato.ce.ws.audit.AuditedAdministration;
import org.gelato.ce.ws.audit.AuditedCallers;
import org.gelato.ce.ws.audit.AuditedControl;
import org.gelato.ce.ws.audit.AuditedDelegations;
import org.gelato.ce.ws.audit.AuditedEnds;
import org.gelato.ce.ws.audit.AuditedJobDelegations;
import org.gelato.ce.ws.audit.AuditedJobs;
import org.gelato.ce.ws.audit.AuditedLeases;
import org.gelato.ce.ws.audit.AuditedLrms;
import org.gelato.ce.ws.audit.RequestContext;
import org.gelato.ce.ws.check.OwnCertificate;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.TlsSettings;
import org.gelato.ce.ws.cream2.ClusterProperties;
import org.gelato.ce.ws.cream2.Cream2Wire;
import org.gelato.ce.ws.credential.HostCredential;
import org.gelato.ce.ws.dashboard.RequestTimes;
import org.gelato.ce.ws.delegation.DelegationWire;
import org.gelato.ce.ws.glue2.Glue2Model;
import org.gelato.ce.ws.glue2.Glue2Publisher;
import org.gelato.ce.ws.glue2.Readings;
import org.gelato.ce.ws.glue2.SiteFacts;
import org.gelato.ce.ws.gridftp.GridFtp;
import org.gelato.ce.ws.gridftp.GridFtpAccess;
import org.gelato.ce.ws.helper.HelperCommand;
import org.gelato.ce.ws.http.CallPlaces;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.http.ProcessMeters;
import org.gelato.ce.ws.http.Readiness;
import org.gelato.ce.ws.sandbox.SandboxEndpoints;
import org.gelato.ce.ws.soap.SoapServices;
import org.gelato.ce.ws.soap.gate.SoapService;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridConnector;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.IssuerTrust;
import org.gelato.ce.ws.tls.TlsCallers;
import org.gelato.ce.ws.tls.TlsConfig;
import org.gelato.ce.ws.token.TokenCallers;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.token.TokenVerifier;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.Version;
import org.gelato.ce.ws.wrapper.WrapperEndpoints;
import org.gelato.ce.ws.xml.XmlLimits;

/**
 * Makes the parts of a Computing Element from its configuration and connects them: the one place that knows them all.
 * Used once, by the thread that opens the CE; what it opens is closed by the foundation in reverse order.
 */
public final class Wiring {
    /** The first callers' handshakes and calls are the JVM's first: they need the processors for themselves. */
    private static final Duration WORK_AFTER = Duration.ofSeconds(1);

    /** The first keys take seconds of the processor. */
    private static final Duration KEYS_AFTER = Duration.ofSeconds(10);

    private static final Duration LIST_CHECK = Duration.ofSeconds(2);
    private static final Duration DELEGATION_SWEEP = Duration.ofMinutes(10);
    private static final Duration RETENTION_SWEEP = Duration.ofHours(6);
    private static final int SCHEDULER_THREADS = 3;

    /** The batch system's first report should be there. */
    private static final Duration FIRST_DESCRIPTION = Duration.ofSeconds(3);

    private final Gelato.Foundation foundation;
    private final LrmsMaker lrmsMaker;
    private final CeConfig config;
    private final Clock clock;
    private final ScheduledExecutorService scheduler;

    private Wiring(Gelato.Foundation foundation, LrmsMaker lrmsMaker) {
        this.foundation = foundation;
        this.lrmsMaker = lrmsMaker;
        this.config = foundation.config();
        // The database keeps microseconds: a time must read back as it was written.
        this.clock = Clock.tick(foundation.clock(), Duration.ofNanos(1000));
        this.scheduler = Sweeps.scheduler(SCHEDULER_THREADS, r -> daemon(r, "scheduler"));
        foundation.closing().accept(scheduler::shutdownNow);
    }

    /**
     * Makes the parts, with the batch system of the configuration.
     *
     * @throws IllegalStateException when a part cannot be made, with what to do about it
     */
    public static Gelato.Parts parts(Gelato.Foundation foundation) {
        return parts(foundation, ConfiguredLrms::open);
    }

    /**
     * Makes the parts, with a batch system of the caller's: for benchmarks.
     *
     * @throws IllegalStateException when a part cannot be made, with what to do about it
     */
    public static Gelato.Parts parts(Gelato.Foundation foundation, LrmsMaker lrms) {
        try {
            return new Wiring(foundation, lrms).assemble();
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private Gelato.Parts assemble() throws IOException {
        SandboxLayout layout = new SandboxLayout(config.sandboxRoot());

        RestartingChannel channel = opened(RestartingChannel.start(new HelperCommand(config).line(), clock));
        AccountCommands accounts = new HelperAccountCommands(channel);
        ProcessStarts.meter(channel, foundation.meters(), scheduler);
        String kind = config.lrms().kind();
        AuditLog audit = opened(new AuditLog(config.audit(), clock));
        scheduler.scheduleWithFixedDelay(audit::tick, 1, 1, TimeUnit.MINUTES);
        counter(foundation.meters(), "ce.audit.lost", "Lines of the audit log not written", audit, AuditLog::lost);
        Lrms lrms = new AuditedLrms(
                opened(lrmsMaker.make(foundation, new CountedCommands(accounts, foundation.meters(), kind), clock)),
                audit);

        TlsConfig tls = tls();
        GridTrust trust = opened(new GridTrust(tls.trust(), config.home().resolve("trust")));
        HostCredential host = new HostCredential(tls.hostCertificate(), tls.hostKey(), config.host(), clock);
        host.follow(now -> OwnCertificate.write(config.home(), now.certificatePem()));
        long refresh = tls.trust().refresh().toMillis();
        scheduler.scheduleWithFixedDelay(host::refresh, refresh, refresh, TimeUnit.MILLISECONDS);
        ChainIdentities identities = new ChainIdentities(trust, clock);
        TokenVerifier tokens = config.tokens().enabled()
                ? opened(new TokenVerifier(
                        config.tokens(), IssuerTrust.context(trust.validator()), clock, foundation.meters()))
                : null;
        // Known before the first caller: nothing is served before the parts are returned.
        AtomicReference<Supplier<BanSet>> bans = new AtomicReference<>(() -> BanSet.NONE);
        GridmapAuthorizer authorizer = new GridmapAuthorizer(
                config.authorization().files(), scheduler, () -> bans.get().get());

        KeyVault vault = KeyVault.open(config.delegation().keyFile(), true);
        Database database = foundation.database().get();
        OwnerStore owners = new OwnerStore(database, config.accounting().groups());
        JobNumbers numbers = JobNumbers.of(database);
        JobEngine engine = opened(new JobEngine(
                config,
                lrms,
                vault.derive("wrapper-events"),
                database,
                owners,
                layout,
                accounts,
                clock,
                scheduler,
                new AuditedEnds(numbers, audit)));
        KeyPool keys = opened(new KeyPool(config.delegation().keyPool()));
        DelegationService delegations = new DelegationService(
                database,
                owners,
                layout,
                accounts,
                keys,
                vault,
                new CanlChainValidator(trust.clients()),
                new VomsAttributeReader(trust.attributeValidator(), trust::refusal),
                engine.jobCommands()::cancelJobsOf,
                config.delegation().quota(),
                clock);
        JobService jobs = engine.jobs(new AuditedJobDelegations(delegations, audit));
        engine.start();
        bans.set(engine.admission().restrictions()::bans);
        engine.meter(foundation.meters(), lrms.name());
        counter(
                foundation.meters(),
                "ce.chains.validated",
                "Certificate chains validated; those known already are not counted",
                identities,
                ChainIdentities::validations);
        ProcessMeters.bind(engine.expansions(), foundation.meters());
        StoredMeters stored = new StoredMeters(
                foundation.meters(),
                database,
                engine.store(),
                engine.commands(),
                engine.admission(),
                engine.throttle(),
                engine.dispatcher().pauses(),
                lrms.name(),
                clock);
        Duration between = StoredMeters.INTERVAL;
        scheduler.scheduleWithFixedDelay(stored::read, 0, between.toMillis(), TimeUnit.MILLISECONDS);
        HostCertificateState hostCertificate = new HostCertificateState(host, config.host(), clock);
        hostCertificate.register(foundation.meters());
        ConfigurationFiles files = new ConfigurationFiles(
                foundation.meters(), List.of(authorizer::fileState, trust::broken, host::fileState));
        RevocationState revocation = new RevocationState(trust, clock, foundation.meters());
        Runnable version = ClusterMeters.register(
                foundation.meters(), lrms.name(), config.lrms().queues(), engine.cluster());
        QueueState queues = new QueueState(lrms.name(), config.lrms().queues(), engine.cluster()::status);
        Runnable meters = () -> {
            files.meter();
            revocation.meter();
            hostCertificate.report();
            queues.report();
            version.run();
        };
        scheduler.scheduleWithFixedDelay(meters, 0, LIST_CHECK.toMillis(), TimeUnit.MILLISECONDS);

        AccountingSettings accounting = config.accounting().settings();
        UsagePublisher publisher = publisher(database, accounting);
        GridFtp gridFtp = gridFtp(accounts, authorizer, host, database);
        CallerResolver callers =
                new AuditedCallers(callers(tokens, identities, authorizer), authorizer::isBanned, audit, clock);
        CallerResolver monitored =
                callers(tokens, identities, config.monitoring().readers().beside(authorizer));
        AuditedAdministration administration =
                new AuditedAdministration(engine.admission(), authorizer.explainer(), audit);
        CeInstance ce = new CeInstance(config.baseUrl(), Version.text(), clock.instant());
        AuditedJobs audited = new AuditedJobs(jobs, audit);
        EventQueries events = new EventQueries(database, owners, numbers, clock);
        PushParts push = opened(PushParts.of(
                config,
                database,
                events,
                engine.messageFeed(),
                owners,
                authorizer,
                callers,
                administration::jobsRequested,
                IssuerTrust.context(trust.validator()),
                clock));
        push.meter(foundation.meters());
        engine.messages().onStored(push.messages()::stored);
        SoapService cream2 = new Cream2Wire(
                ce,
                audited,
                administration,
                new AuditedLeases(
                        new LeaseService(database, owners, clock, config.jobs().maxLeaseTime()), audit),
                events,
                gridFtp == null
                        ? GridFtpAccess.without(
                                config.gridFtp().host(), config.gridFtp().port())
                        : gridFtp.access(),
                new ClusterProperties(lrms.name(), config.lrms().queues(), engine.cluster()::status),
                clock);
        AuditedDelegations auditedDelegations = new AuditedDelegations(delegations, audit);
        SoapService delegation = new DelegationWire(auditedDelegations, Version.text());
        CallPlaces places = places();
        RequestTimes requests = new RequestTimes(new RequestMeters(foundation.meters()));
        DashboardParts dashboard = new DashboardParts(
                new DashboardParts.Sources(
                        foundation.meters(),
                        database,
                        engine,
                        stored,
                        requests,
                        lrms.name(),
                        config.node(),
                        ce.version(),
                        ce.startedAt(),
                        hostCertificate::end,
                        trust::revocationListEnds,
                        foundation.databasePid(),
                        () -> channel.channel() == null ? 0 : channel.channel().pid()),
                clock);
        SandboxEndpoints sandboxes = new SandboxEndpoints(engine.sandboxes(), callers, accounts, config.transfers());
        List<HealthCheck> checks = checks(
                PartChecks.helper(accounts),
                PartChecks.lrms(lrms, engine.throttle(), engine.dispatcher().pauses(), engine.polls()),
                files.check(),
                revocation.check(),
                hostCertificate,
                queues,
                PartChecks.admission(engine.admission()),
                PartChecks.trash(engine.trash()),
                tokens == null ? null : PartChecks.tokens(tokens),
                gridFtp);
        ReadHealth health = new ReadHealth(new Readiness(checks, clock), stored::jobsPresent);
        Glue2Model glue2 = new Glue2Model(
                config.baseUrl(),
                Version.text(),
                lrms.name(),
                config.lrms().queues(),
                ce.startedAt(),
                () -> host.certificate().issuer(),
                config.information(),
                new Readings(
                        engine.cluster()::status,
                        stored::jobsPresent,
                        this::vos,
                        engine.environments()::names,
                        () -> engine.admission().state().accepting(),
                        engine.admission().restrictions()::drains,
                        health::latest,
                        names -> accounting.benchmarks().common(names, clock.instant())));
        publish(glue2, health);
        ArcEndpoints arcRest = new ArcEndpoints(
                config.baseUrl(),
                new ArcEndpoints.Services(
                        callers,
                        audited,
                        auditedDelegations,
                        engine.descriptions(),
                        engine.languages(),
                        engine.expansions(),
                        sandboxes.sessions(),
                        new InfoDocument(glue2)),
                limits(),
                places,
                requests,
                clock);
        return new Gelato.Parts(
                monitored,
                checks,
                List.of(
                        new RequestContext(),
                        new WrapperEndpoints(engine.events(), engine.claims(), engine.messages()),
                        new AdminEndpoints(
                                callers,
                                administration,
                                new SiteJobs(database, numbers),
                                administration::jobsRequested,
                                new AuditedControl(
                                        new SiteAdministration(
                                                database,
                                                engine.admission(),
                                                engine.store(),
                                                engine.jobCommands(),
                                                engine.cluster()::status),
                                        audit),
                                Set.copyOf(config.lrms().queues()),
                                new AdminEndpoints.Accounting(
                                        new UsageQueries(database, owners, accounting),
                                        publisher,
                                        accounting,
                                        administration::usagePublished)),
                        new SoapServices(
                                config.baseUrl(), callers, List.of(cream2, delegation), limits(), places, requests),
                        arcRest,
                        push.events(),
                        push.messages(),
                        dashboard.endpoints(
                                new MonitoringAccess(
                                        config.monitoring().networks(),
                                        monitored,
                                        config.monitoring().readers()::contains),
                                new JobSearch(database, numbers)),
                        sandboxes),
                connector -> GridConnector.secure(
                        connector, host, identities, e -> audit.refusedChain(e.subject(), e.getMessage())),
                () -> scheduler.schedule(
                        () -> work(
                                engine,
                                delegations,
                                keys,
                                List.of(
                                        push.events()::work,
                                        () -> dashboard.recorder().start(scheduler),
                                        () -> account(publisher, new UsageRetention(database, accounting, clock)))),
                        WORK_AFTER.toMillis(),
                        TimeUnit.MILLISECONDS));
    }

    /** Reads the CE's health, and describes it for a BDII where the site has a name there. */
    private void publish(Glue2Model model, ReadHealth health) {
        SiteFacts site = config.information();
        Duration interval = site.interval();
        Glue2Publisher publisher = site.site().isEmpty() ? null : new Glue2Publisher(model, site.file(), clock);
        Runnable round = () -> health.read().thenRun(publisher == null ? () -> {} : publisher::write);
        scheduler.scheduleWithFixedDelay(
                round, FIRST_DESCRIPTION.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void account(UsagePublisher publisher, UsageRetention retention) {
        Sweeps sweeps = new Sweeps(scheduler);
        sweeps.every(RETENTION_SWEEP, "removal of old usage records", retention::sweep);
        if (config.accounting().settings().publishes()) {
            sweeps.every(config.accounting().interval(), "publishing of usage", () -> publisher.publish(false));
        }
    }

    /** @param further what other parts do by themselves */
    private void work(JobEngine engine, DelegationService delegations, KeyPool keys, List<Runnable> further) {
        engine.work();
        further.forEach(Runnable::run);
        scheduler.execute(delegations::repair);
        new Sweeps(scheduler).every(DELEGATION_SWEEP, "sweep of delegations", delegations.sweeper()::sweep);
        scheduler.schedule(keys::start, KEYS_AFTER.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** @param tokens null when none are accepted */
    private static CallerResolver callers(TokenVerifier tokens, ChainIdentities identities, Authorizer authorizer) {
        CallerResolver certificates = new TlsCallers(identities, authorizer);
        return tokens == null ? certificates : new TokenCallers(tokens, authorizer, certificates);
    }

    private UsagePublisher publisher(Database database, AccountingSettings accounting) {
        UsagePublisher publisher = new UsagePublisher(database, accounting, clock);
        counter(
                foundation.meters(),
                "ce.usage.published",
                "Usage records published, by this node",
                publisher,
                UsagePublisher::published);
        counter(
                foundation.meters(),
                "ce.usage.unmapped",
                "Usage records published without a VO, by this node",
                publisher,
                UsagePublisher::unmapped);
        Gauge.builder("ce.usage.publish.failed", publisher, p -> p.failure() == null ? 0 : 1)
                .description("Whether the last attempt to publish usage failed")
                .register(foundation.meters());
        return publisher;
    }

    /** Null when it is not enabled. */
    private GridFtp gridFtp(
            AccountCommands accounts, GridmapAuthorizer authorizer, HostCredential host, Database database)
            throws IOException {
        if (!config.gridFtp().enabled()) {
            GridFtp.logThatThereIsNone();
            return null;
        }
        GridFtp gridFtp = opened(new GridFtp(config.gridFtp(), accounts, () -> present(authorizer), scheduler, clock));
        host.follow(now -> gridFtp.credential(now.secretPem()));
        gridFtp.start(new AccountUseStore(database), scheduler);
        counter(
                foundation.meters(),
                "ce.gridftp.restarts",
                "Starts of the GridFTP server after it had ended",
                gridFtp,
                GridFtp::restarts);
        return gridFtp;
    }

    private static Mappings present(GridmapAuthorizer authorizer) {
        authorizer.refresh();
        return authorizer.mappings();
    }

    private static List<HealthCheck> checks(HealthCheck... all) {
        return Stream.of(all).filter(Objects::nonNull).toList();
    }

    /** Whose members come here, by certificate or by token: clients look for a share of their own. */
    private Set<String> vos() {
        Set<String> vos =
                new TreeSet<>(GridmapAuthorizer.allVos(config.authorization().files()));
        config.tokens().issuers().stream()
                .map(TokenIssuer::vo)
                .filter(Objects::nonNull)
                .forEach(vos::add);
        return vos;
    }

    private CallPlaces places() {
        return CallPlaces.of(config.http().callsPerUser(), config.http().maxConnections());
    }

    private XmlLimits limits() {
        XmlLimits usual = XmlLimits.defaults();
        return new XmlLimits(
                (int) Math.min(Integer.MAX_VALUE, config.http().maxBody()),
                usual.maxStrangerBytes(),
                usual.maxDepth(),
                usual.maxElements(),
                usual.maxAttributes(),
                usual.maxAttributeLength());
    }

    private TlsConfig tls() {
        TlsSettings t = config.tls();
        return new TlsConfig(t.hostCertificate(), t.hostKey(), t.trust());
    }

    static <T> void counter(MeterRegistry meters, String name, String description, T of, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, of, value).description(description).register(meters);
    }

    private <T extends AutoCloseable> T opened(T part) {
        foundation.closing().accept(part);
        return part;
    }

    private static Thread daemon(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        return t;
    }
}
