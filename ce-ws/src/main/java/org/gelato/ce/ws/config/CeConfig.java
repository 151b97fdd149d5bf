package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.gelato.ce.core.admission.AdmissionLimits;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.sweep.PurgePolicy;
import org.gelato.ce.ws.audit.AuditSettings;
import org.gelato.ce.ws.config.ConfigurationException.Problems;
import org.gelato.ce.ws.glue2.SiteFacts;
import org.gelato.ce.ws.gridftp.GridFtpConfig;
import org.gelato.ce.ws.push.PushSettings;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.gelato.ce.ws.server.HttpConfig;
import org.gelato.ce.ws.token.TokenSettings;

/**
 * The whole configuration, checked. Values come from one file over {@code reference.conf}, which holds every key with
 * its default; system properties do not count.
 *
 * @param file from which it was read; null where it was given as a text
 * @param home directory for what is the CE's own
 * @param host canonical name, part of every job id
 * @param node name of this front end among those that share a database
 * @param address to listen on; empty for all
 * @param port to listen on; 0 for any free one
 * @param sandboxRoot below it lie the sandboxes of all jobs
 * @param origins of this CE's pages in browsers: {@code https://host:port}
 * @param audit where the audit log is
 * @param accessLog where the log of requests is
 * @param tokens which bearer tokens are accepted
 * @param push who gets events as they happen
 * @param messages how much running jobs may send
 * @param information what the site publishes about itself in the information system
 * @param accounting how usage is accounted and published
 * @param routes policies of the site
 */
public record CeConfig(
        Path file,
        Path home,
        String host,
        String node,
        String address,
        int port,
        TlsSettings tls,
        AuthorizationConfig authorization,
        DatabaseSettings database,
        Path sandboxRoot,
        HelperConfig helper,
        DelegationConfig delegation,
        LrmsConfig lrms,
        WrapperConfig wrapper,
        HttpConfig http,
        List<String> origins,
        JobsConfig jobs,
        GridFtpConfig gridFtp,
        SandboxConfig sandbox,
        AdmissionLimits admission,
        MonitoringConfig monitoring,
        AuditSettings audit,
        AuditSettings accessLog,
        TokenSettings tokens,
        PushSettings push,
        MessagesConfig messages,
        SiteFacts information,
        AccountingConfig accounting,
        Routes routes) {
    private static final int JOBS_PER_CALL = 5000;
    /** What a request to the CE of this host needs. */
    private static final List<String> REACHED_BY =
            List.of("gelato.home", "gelato.host", "gelato.address", "gelato.port", "gelato.tls.host-certificate");

    private static final String HOST =
            "(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*";

    /**
     * Reads and checks a file.
     *
     * @throws ConfigurationException with every problem found
     */
    public static CeConfig load(Path file) {
        return of(file, parse(file));
    }

    /**
     * What a CE that runs is reached by, of a file with mistakes elsewhere.
     *
     * @param mistakes of that file
     * @throws ConfigurationException these, when they concern what is needed
     */
    public static CeConfig ofRunning(Path file, ConfigurationException mistakes) {
        try {
            Config site = parse(file);
            Config merged = resolve(file, site, reference());
            Config least = ConfigFactory.empty();
            for (String key : REACHED_BY) {
                least = least.withValue(key, merged.getValue(key));
            }
            return of(file, least);
        } catch (ConfigException | ConfigurationException e) {
            mistakes.addSuppressed(e);
            throw mistakes;
        }
    }

    /**
     * Checks a text as if it were the content of a file that need not exist.
     *
     * @throws ConfigurationException with every problem found
     */
    public static CeConfig of(Path file, String text) {
        try {
            return of(
                    file,
                    ConfigFactory.parseString(
                            text, ConfigParseOptions.defaults().setOriginDescription(file.toString())),
                    new TreeMap<>(),
                    false);
        } catch (ConfigException e) {
            throw KeyOrigins.unusable(file, e);
        }
    }

    /**
     * The durations and sizes that a file sets, as they are understood, by key: {@code 10 h} for {@code "36000 s"}.
     *
     * @throws ConfigurationException with every problem found
     */
    public static Map<String, String> measures(Path file) {
        Map<String, String> measures = new TreeMap<>();
        of(file, parse(file), measures, true);
        return measures;
    }

    /**
     * The keys of a file that {@link #load} accepts which counted in the version before, with what holds now.
     *
     * @throws ConfigurationException with every problem found
     */
    public static Map<String, String> retired(Path file) {
        Config site = parse(file);
        Config reference = reference();
        KeyNames names = new KeyNames(reference);
        names.check(site.resolveWith(resolve(file, site, reference)), new Problems(new KeyOrigins(file, site)));
        return new TreeMap<>(names.retired());
    }

    static Config reference() {
        return ConfigFactory.parseResources(CeConfig.class.getClassLoader(), "reference.conf")
                .resolve();
    }

    private static CeConfig of(Path file, Config unresolved) {
        return of(file, unresolved, new TreeMap<>(), true);
    }

    private static CeConfig of(Path file, Config unresolved, Map<String, String> measures, boolean isFile) {
        Config reference = reference();
        Config merged = resolve(file, unresolved, reference);
        Problems problems = new Problems(new KeyOrigins(file, unresolved));
        new KeyNames(reference).check(unresolved.resolveWith(merged), problems);
        boolean misspelt = !problems.isEmpty();
        Binder reader = new Binder(merged, reference, file.toAbsolutePath().getParent(), problems);
        CeConfig config;
        try {
            config = read(isFile ? file : null, reader);
        } catch (RuntimeException e) {
            // A section that is a value, for example, has no keys to be read: it is named already.
            if (!misspelt) {
                throw e;
            }
            throw new ConfigurationException(problems.all(), file.toString());
        }
        measures.putAll(reader.measures());
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems.all(), file.toString());
        }
        return config;
    }

    /**
     * A file and those that it includes.
     *
     * @throws ConfigurationException when one cannot be read
     */
    public static Set<Path> files(Path file) {
        RequiredIncludes includes = new RequiredIncludes(file);
        parse(file, includes);
        return includes.files();
    }

    static Config parse(Path file) {
        return parse(file, new RequiredIncludes(file));
    }

    private static Config parse(Path file, RequiredIncludes includes) {
        if (!Files.isReadable(file)) {
            throw new ConfigurationException(file.toString(), List.of(file + ": no such file, or it can't be read"));
        }
        try {
            return ConfigFactory.parseFile(
                    file.toFile(),
                    ConfigParseOptions.defaults().setAllowMissing(false).setIncluder(includes));
        } catch (ConfigException e) {
            throw KeyOrigins.unusable(file, e);
        }
    }

    private static Config resolve(Path file, Config site, Config reference) {
        try {
            // A line with a retired key has no effect, also one that names another of them as its value.
            return site.withFallback(reference).withFallback(KeyNames.RETIRED).resolve();
        } catch (ConfigException e) {
            throw KeyOrigins.unusable(file, e);
        }
    }

    private record Home(@Key Path home) {}

    private record Place(
            @Key(form = HOST, accepted = "a host name", optional = true)
            String host,

            @Key(form = HOST, accepted = "empty or a host name", optional = true)
            String node,

            @Key(form = "[0-9A-Fa-f.:]+|localhost", accepted = "empty or an IP address", optional = true)
            String address,

            @Key(min = "0", max = "65535") int port,
            @Key Path sandboxRoot) {}

    private static CeConfig read(Path file, Binder beside) {
        Path home = beside.read("gelato", Home.class).home();
        Binder r = beside.from(home);
        Place place = r.read("gelato", Place.class);
        String host = place.host.isEmpty() ? machineName(r) : place.host.toLowerCase(Locale.ROOT);
        int port = place.port;
        TlsSettings tls = r.read("gelato.tls", TlsSettings.class);
        SandboxConfig sandbox = r.read("gelato.sandbox", SandboxConfig.class);
        LrmsConfig lrms = LrmsConfig.read(r, sandbox.shared());
        TokenSettings tokens = TokenKeys.read(r, home, host, port);
        SiteFacts information = InformationKeys.read(r);
        GridFtpConfig gridFtp = GridFtpKeys.read(r, host, place.address, home, place.sandboxRoot, tls);
        return new CeConfig(
                file,
                home,
                host,
                NodeName.configured(place.node.toLowerCase(Locale.ROOT), host, Pattern.compile(HOST)),
                place.address,
                port,
                tls,
                r.read("gelato.authorization", AuthorizationConfig.class),
                r.read("gelato.database", DatabaseSettings.class, home.resolve("database")),
                place.sandboxRoot,
                r.read("gelato.helper", HelperConfig.class),
                r.read("gelato.delegation", DelegationConfig.class, DelegationConfig.MAX_PER_USER),
                lrms,
                WrapperConfig.read(r, sandbox.shared(), tls.caDirectory()),
                HttpKeys.read(r),
                HttpKeys.origins(r, host, port),
                r.read("gelato.jobs", JobsConfig.class, r.parsed("gelato.jobs.purge-policy", PurgePolicy::parse)),
                gridFtp,
                sandbox,
                admission(r, gridFtp.enabled()),
                MonitoringConfig.read(r),
                r.read("gelato.audit", AuditSettings.class, AuditSettings.MAX_FILE),
                r.read("gelato.http.access-log", AuditSettings.class, AuditSettings.MAX_FILE),
                tokens,
                PushKeys.read(r),
                MessagesConfig.read(r),
                information,
                AccountingKeys.read(r, host, port, lrms, tokens, information.site()),
                RouteKeys.read(r, lrms, tokens));
    }

    private static AdmissionLimits admission(Binder r, boolean gridFtp) {
        AdmissionLimits limits = r.read("gelato.admission", AdmissionLimits.class, JOBS_PER_CALL);
        return gridFtp ? limits : limits.withoutFtp();
    }

    private static String machineName(Binder r) {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
        } catch (UnknownHostException e) {
            r.problem("gelato.host", "gelato.host is empty and this machine's name is unknown: " + e.getMessage());
            return "localhost";
        }
    }

    /** {@link #http} and {@link #sandbox} as the transfers need them. */
    public TransferLimits transfers() {
        return new TransferLimits(
                http.downloads(),
                http.uploads(),
                sandbox.maxInput(),
                sandbox.maxOutput(),
                sandbox.maxBytesPerUser(),
                sandbox.maxFiles());
    }

    /** {@code https://host:port}, with which job ids start. */
    public URI baseUrl() {
        return URI.create("https://" + host + ":" + port);
    }
}
