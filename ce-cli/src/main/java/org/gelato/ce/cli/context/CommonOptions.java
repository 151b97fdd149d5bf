package org.gelato.ce.cli.context;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.Protocol;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options of every command, accepted before and after the command's name. Filled in by the parser, then read. */
public final class CommonOptions {
    /** Longest time limit accepted, in seconds: a day. */
    static final int MAX_TIMEOUT = 86_400;

    @Option(
            names = {"-e", "--endpoint"},
            scope = ScopeType.INHERIT,
            paramLabel = "HOST[:PORT]|NAME",
            hideParamSyntax = true,
            description =
                    "The CE to talk to, port 8443 by default, or its name in your configuration file (see 'ce config')."
                            + " Default: $CE_ENDPOINT, else the file's.")
    private String endpoint;

    @Option(
            names = "--proxy",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "Your proxy. Default: $X509_USER_PROXY, else /tmp/x509up_u<uid>.")
    private Path proxy;

    @Option(
            names = "--ca",
            scope = ScopeType.INHERIT,
            paramLabel = "DIR",
            description =
                    "Trusted certificate authorities. Default: $X509_CERT_DIR, else /etc/grid-security/certificates.")
    private Path ca;

    @Option(
            names = "--protocol",
            scope = ScopeType.INHERIT,
            paramLabel = "PROTOCOL",
            description =
                    "cream2, arcrest or auto: the one that the CE's address names (/ce-cream, /arex), else cream2 with a"
                            + " proxy and arcrest with a bearer token alone. Default: $CE_PROTOCOL, else the one of your"
                            + " configuration file, else auto.")
    private String protocol;

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print the result as one JSON object.")
    private boolean json;

    @Option(
            names = "--timeout",
            scope = ScopeType.INHERIT,
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "Longest wait for one connection and for one response. Default: ${DEFAULT-VALUE}.")
    private int timeout;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show where an error came from.")
    private boolean debug;

    private Settings settings;

    /**
     * What the user's configuration file says; read once.
     *
     * @throws CliException for a file that can't be used, naming file and line
     */
    public Settings settings(Map<String, String> environment) {
        if (settings == null) {
            settings = SettingsFile.locate(environment).map(SettingsFile::read).orElse(Settings.NONE);
        }
        return settings;
    }

    /** Whether the command line names a CE. */
    public boolean namesCe() {
        return endpoint != null;
    }

    /** Whether the command line names a protocol, or says that none is named. */
    public boolean namesProtocol() {
        return protocol != null;
    }

    /** The CE named on the command line, else the one of the environment, else the one of the user's file. */
    public Optional<NamedCe> ce(Map<String, String> environment) {
        return Optional.ofNullable(endpoint)
                .or(() -> setting(environment, "CE_ENDPOINT"))
                .map(settings(environment)::find)
                .or(settings(environment)::byDefault);
    }

    /** The address of {@link #ce}. */
    public Optional<Endpoint> endpointOr(Map<String, String> environment) {
        return ce(environment).map(NamedCe::endpoint);
    }

    /** The proxy named on the command line; empty when the option is absent. */
    public Optional<Path> proxy() {
        return Optional.ofNullable(proxy);
    }

    /**
     * The protocol to speak to a CE: the one of the command line, else the one that the address names, else the one of the
     * environment, else the one of the user's file.
     *
     * @throws IllegalArgumentException for a name of none
     */
    public Protocol protocol(Endpoint ce, Map<String, String> environment) {
        Protocol explicit = protocol == null ? Protocol.AUTO : Protocol.parse(protocol);
        if (explicit != Protocol.AUTO) {
            return explicit;
        }
        if (protocol != null || ce.protocol() != Protocol.AUTO) {
            return ce.protocol();
        }
        return setting(environment, "CE_PROTOCOL")
                .map(Protocol::parse)
                .orElseGet(() -> settings(environment).protocol(ce));
    }

    /** The directory of trusted authorities named on the command line; empty when the option is absent. */
    public Optional<Path> ca() {
        return Optional.ofNullable(ca);
    }

    public boolean json() {
        return json;
    }

    public boolean debug() {
        return debug;
    }

    /** @throws IllegalArgumentException when the value is out of range */
    public Duration timeout() {
        if (timeout < 1 || timeout > MAX_TIMEOUT) {
            throw new IllegalArgumentException("--timeout must be 1 to " + MAX_TIMEOUT + " seconds, not " + timeout);
        }
        return Duration.ofSeconds(timeout);
    }

    /** A variable of the environment, where set to the empty text counts as absent. */
    public static Optional<String> setting(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
