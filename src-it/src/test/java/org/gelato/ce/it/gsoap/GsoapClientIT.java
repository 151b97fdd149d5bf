package org.gelato.ce.it.gsoap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.ProxyBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A second client, which knows only the CE's WSDLs, takes jobs through their whole lives: every
 * operation of both services over TLS with a VOMS proxy, and faults read from their typed details. What it saw stays in
 * {@code target/gsoap/run.log}.
 */
@Tag("long")
class GsoapClientIT {
    private static final List<String> SERVICES =
            List.of("/ce-cream/services/CREAM2", "/ce-cream/services/gridsite-delegation");
    private static final Pattern OPERATION = Pattern.compile("operation name=\"(\\w+)\"");
    private static final Pattern DONE = Pattern.compile("(?m)^gSOAP: (\\w+) ok");

    @Test
    void aClientMadeFromTheDescriptionsDoesEverything() throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "gsoap"));
        Optional<String> missing = GsoapClient.missing();
        if (missing.isPresent()) {
            Files.writeString(folder.resolve("run.log"), "gSOAP: skipped: " + missing.get() + "\n");
            Skipped.because("gSOAP", missing.get());
        }
        try (SiteCe ce = new SiteCe("gsoap", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", 1))) {
            GridPki pki = ce.pki();
            Files.writeString(
                    ce.base().resolve("admins"), DnForms.slash(pki.user("Admin").subject()) + "\n");
            ce.start();
            List<String> descriptions = List.of(description(ce, SERVICES.get(0)), description(ce, SERVICES.get(1)));
            GsoapClient client = GsoapClient.build(folder, descriptions);
            int exit = client.run(List.of(
                    "https://localhost:" + ce.port(),
                    "fork",
                    pki.certificates().toString(),
                    proxy(ce, "alice", pki.proxy(pki.user("Alice"))),
                    proxy(ce, "admin", pki.proxy(pki.user("Admin"))),
                    proxy(ce, "stranger", pki.proxy(pki.user("Nora")).fqans())));
            String told = Files.readString(client.log());
            assertThat(exit).as(told).isZero();
            assertThat(told).containsPattern("gSOAP: [0-9]+ operations, 0 failed");
            assertThat(found(DONE, told)).containsAll(found(OPERATION, String.join("\n", descriptions)));
        }
    }

    /** The description as the CE publishes it, over TLS. */
    private static String description(SiteCe ce, String path) throws IOException {
        try (InputStream in = ce.get(path + "?wsdl")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text).contains("location=\"https://localhost:" + ce.port() + path + "\"");
            return text;
        }
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(r -> r.group(1)).collect(Collectors.toSet());
    }

    private static String proxy(SiteCe ce, String name, ProxyBuilder proxy) {
        Path file = ce.base().resolve("gsoap-" + name + ".pem");
        proxy.write(file);
        return file.toString();
    }
}
