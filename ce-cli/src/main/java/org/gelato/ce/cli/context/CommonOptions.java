package org.gelato.ce.cli.context;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
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
            paramLabel = "HOST[:PORT]",
            description = "The CE to talk to, port 8443 by default. Default: $CE_ENDPOINT.")
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
            defaultValue = "auto",
            description =
                    "cream2, arcrest or auto: the one that the CE's address names (/ce-cream, /arex), else cream2 with a"
                            + " proxy and arcrest with a bearer token alone. Default: ${DEFAULT-VALUE}.")
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

    /** The CE named on the command line; empty when the option is absent. */
    public Optional<Endpoint> endpoint() {
        return Optional.ofNullable(endpoint).map(Endpoint::parse);
    }

    /** The CE named on the command line, else the one of the environment. */
    public Optional<Endpoint> endpointOr(Map<String, String> environment) {
        return endpoint().or(() -> setting(environment, "CE_ENDPOINT").map(Endpoint::parse));
    }

    /** The proxy named on the command line; empty when the option is absent. */
    public Optional<Path> proxy() {
        return Optional.ofNullable(proxy);
    }

    /**
     * The protocol to speak.
     *
     * @throws IllegalArgumentException for a name of none
     */
    public Protocol protocol() {
        return protocol == null ? Protocol.AUTO : Protocol.parse(protocol);
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
