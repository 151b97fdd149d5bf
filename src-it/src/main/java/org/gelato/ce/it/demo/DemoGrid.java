package org.gelato.ce.it.demo;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.testkit.site.HostLimitsOff;

/**
 * The grid around the demo's CE: certificates, a user with a VOMS proxy or a bearer token, the mapping to a local account, the CE's
 * configuration.
 *
 * @param port of the CE
 * @param environment what a client needs to know
 * @param tokenEnd when the user's token ends; null where he has a proxy
 */
record DemoGrid(int port, Map<String, String> environment, Instant tokenEnd) {
    static final String HOST = "localhost";
    private static final String QUEUE = "demo";
    private static final String USER = "Demo User";
    private static final String SITE = "DEMO";

    /** Makes everything in the demo's directory, for a user with a VOMS proxy. */
    static DemoGrid make(DemoHome home, LocalAccount account) {
        return make(home, account, null);
    }

    /**
     * The same for a user with a token alone.
     *
     * @param issuer of the token; null for a user with a VOMS proxy
     */
    static DemoGrid make(DemoHome home, LocalAccount account, DemoIssuer issuer) {
        try {
            GridPki pki = GridPki.open(home.pki(), HOST);
            int port = FreePort.choose();
            Map<String, Object> configuration = configuration(home, pki, port);
            Map<String, String> environment = new LinkedHashMap<>();
            // Also where there is none: without it commands take the proxy that this user has for other CEs.
            environment.put("X509_USER_PROXY", home.proxy().toString());
            Instant tokenEnd = null;
            environment.put("CE_GLUE2_FILE", home.glue2().toString());
            configuration.put(
                    "gelato.authorization.admins", home.administrators().toString());
            Files.writeString(home.administrators(), "");
            if (issuer == null) {
                GridCredential user = pki.user(USER);
                pki.proxy(user).write(home.proxy());
                // Who tries a CE also wants to see what its administrators see.
                Files.writeString(home.administrators(), "\"" + DnForms.slash(user.subject()) + "\"\n");
                Files.writeString(
                        home.gridmap(),
                        "\"/" + GridPki.VO + "\" " + account.name() + "\n\"/" + GridPki.VO + "/*\" " + account.name()
                                + "\n");
            } else {
                configuration.put("gelato.tokens.issuers", List.of(issuer.trust(home.issuerKeys())));
                Files.writeString(home.gridmap(), DemoIssuer.mapping(account));
                tokenEnd = issuer.write(home.bearerToken(), serviceUrl(port));
                environment.put("BEARER_TOKEN_FILE", home.bearerToken().toString());
            }
            Files.writeString(home.configuration(), text(configuration));
            environment.put("X509_CERT_DIR", pki.certificates().toString());
            environment.put("X509_VOMS_DIR", pki.vomsdir().toString());
            environment.put("CE_ENDPOINT", HOST + ":" + port);
            environment.put("CE_RESOURCE", HOST + ":" + port + "/cream-fork-" + QUEUE);
            return new DemoGrid(port, environment, tokenEnd);
        } catch (IOException | RuntimeException e) {
            throw new DemoException("can't make the demo's grid: " + e.getMessage(), e);
        }
    }

    String serviceUrl() {
        return serviceUrl(port);
    }

    private static String serviceUrl(int port) {
        return "https://" + HOST + ":" + port;
    }

    /** Writes the environment for a shell to source. */
    void writeEnvironment(Path file) {
        String text = environment.entrySet().stream()
                .map(e -> "export " + e.getKey() + "='" + e.getValue().replace("'", "'\\''") + "'\n")
                .collect(Collectors.joining());
        if (tokenEnd != null) {
            // Of the places where commands look for a token this is the first.
            text = "unset BEARER_TOKEN\n" + text;
        }
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new DemoException("can't write " + file + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, Object> configuration(DemoHome home, GridPki pki, int port) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gelato.home", home.state().toString());
        values.put("gelato.host", HOST);
        values.put("gelato.address", "127.0.0.1");
        values.put("gelato.port", port);
        values.put("gelato.sandbox-root", home.sandbox().toString());
        values.put("gelato.tls.host-certificate", pki.hostCertificate().toString());
        values.put("gelato.tls.host-key", pki.hostKey().toString());
        values.put("gelato.tls.ca-directory", pki.certificates().toString());
        values.put("gelato.tls.voms-directory", pki.vomsdir().toString());
        values.put("gelato.authorization.gridmap", home.gridmap().toString());
        values.put("gelato.database.embedded.cache", home.cache().toString());
        values.put("gelato.lrms.kind", "fork");
        values.put("gelato.lrms.queues", List.of(QUEUE));
        values.put("gelato.lrms.poll-interval", "2 s");
        values.put(
                "gelato.wrapper.transfer-programs",
                Stream.of("srm", "root", "roots", "xroot", "xroots", "rucio")
                        .map(scheme -> scheme + "=" + home.transferProgram())
                        .toList());
        values.put("gelato.information.site", SITE);
        values.put("gelato.information.file", home.glue2().toString());
        values.put("gelato.information.interval", "5 s");
        values.put("gelato.accounting.publish", "ssm");
        values.put("gelato.accounting.site", SITE);
        values.put("gelato.accounting.machine-name", HOST);
        values.put("gelato.accounting.ssm-queue", home.usageMessages().toString());
        values.put("gelato.accounting.interval", "1 minute");
        values.put(
                "gelato.accounting.benchmarks", List.of(Map.of("queue", QUEUE, "kind", "hepscore23", "value", 12.5)));
        HostLimitsOff.in(values);
        return values;
    }

    private static String text(Map<String, Object> values) {
        ConfigRenderOptions readable = ConfigRenderOptions.defaults()
                .setOriginComments(false)
                .setComments(false)
                .setJson(false);
        return ConfigFactory.parseMap(values).root().render(readable);
    }
}
