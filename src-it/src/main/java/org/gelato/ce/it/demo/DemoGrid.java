package org.gelato.ce.it.demo;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.testkit.site.HostLimitsOff;

/**
 * The grid around the demo's CE: certificates, a user with a VOMS proxy, the mapping to a local account, the CE's configuration.
 *
 * @param port of the CE
 * @param environment what a client needs to know
 */
record DemoGrid(int port, Map<String, String> environment) {
    static final String HOST = "localhost";
    private static final String QUEUE = "demo";
    private static final String USER = "Demo User";

    /** Makes everything in the demo's directory. */
    static DemoGrid make(DemoHome home, LocalAccount account) {
        try {
            GridPki pki = GridPki.open(home.pki(), HOST);
            pki.proxy(pki.user(USER)).write(home.proxy());
            Files.writeString(
                    home.gridmap(),
                    "\"/" + GridPki.VO + "\" " + account.name() + "\n\"/" + GridPki.VO + "/*\" " + account.name()
                            + "\n");
            int port = FreePort.choose();
            Files.writeString(home.configuration(), configuration(home, pki, port));
            Map<String, String> environment = new LinkedHashMap<>();
            environment.put("X509_USER_PROXY", home.proxy().toString());
            environment.put("X509_CERT_DIR", pki.certificates().toString());
            environment.put("X509_VOMS_DIR", pki.vomsdir().toString());
            environment.put("CE_ENDPOINT", HOST + ":" + port);
            environment.put("CE_RESOURCE", HOST + ":" + port + "/cream-fork-" + QUEUE);
            return new DemoGrid(port, environment);
        } catch (IOException | RuntimeException e) {
            throw new DemoException("can't make the demo's grid: " + e.getMessage(), e);
        }
    }

    String serviceUrl() {
        return "https://" + HOST + ":" + port;
    }

    /** Writes the environment for a shell to source. */
    void writeEnvironment(Path file) {
        String text = environment.entrySet().stream()
                .map(e -> "export " + e.getKey() + "='" + e.getValue().replace("'", "'\\''") + "'\n")
                .collect(Collectors.joining());
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new DemoException("can't write " + file + ": " + e.getMessage(), e);
        }
    }

    private static String configuration(DemoHome home, GridPki pki, int port) {
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
        HostLimitsOff.in(values);
        ConfigRenderOptions readable = ConfigRenderOptions.defaults()
                .setOriginComments(false)
                .setComments(false)
                .setJson(false);
        return ConfigFactory.parseMap(values).root().render(readable);
    }
}
