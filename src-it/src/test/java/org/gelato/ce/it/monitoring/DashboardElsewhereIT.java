package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.Relay;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteIssuer;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debian's Chromium shows the page of a CE that takes it for a browser on another host: by a certificate, by a token, and not without. */
@Tag("long")
class DashboardElsewhereIT {
    private static final String SHOWN = "document.body && document.body.dataset.shown === 'hour'";
    private static final String FORM = "document.querySelector('#token-form')";
    private static final String OPERATOR = "/DC=test/DC=gelato/O=People/CN=Operator of the site";
    private static final SiteIssuer ISSUER = new SiteIssuer("cms");

    private static SiteCe ce;
    private static Relay way;
    private static GridCredential operator;

    @BeforeAll
    static void start() throws IOException {
        NssStore.needs("Chromium", "chromium", Chromium.PROGRAM);
        InetAddress address = Relay.addressOfHost().orElse(null);
        if (address == null) {
            Skipped.because("network", "this host has no address but the loopback's");
        }
        Map<String, Object> settings = new HashMap<>(ISSUER.trust());
        settings.put("gelato.monitoring.readers", List.of(SiteIssuer.owner("watcher"), OPERATOR));
        ce = new SiteCe("dashboard-elsewhere", "fork", JobAccount.name(), settings);
        operator = ce.pki().user("Operator of the site");
        assertThat(DnForms.slash(operator.subject())).isEqualTo(OPERATOR);
        ce.start();
        way = Relay.from(address, ce.port());
    }

    @AfterAll
    static void stop() {
        if (way != null) {
            way.close();
        }
        if (ce != null) {
            ce.close();
        }
    }

    private static String page() {
        return "https://localhost:" + way.port() + "/";
    }

    @Test
    void aReaderGivesAToken() throws Exception {
        try (Chromium browser = new Chromium()) {
            browser.open(page());
            browser.await(FORM + " && !" + FORM + ".hidden");
            browser.await("document.querySelector('#notice').textContent.includes('gelato.monitoring.readers')");
            assertThat(browser.value("document.body.dataset.shown || ''").asText())
                    .isEmpty();

            use(browser, ISSUER.token(ce, "somebody"));
            browser.await("document.querySelector('#token').value === '' && !" + FORM + ".hidden");
            use(browser, ISSUER.token(ce, "watcher"));
            browser.await(SHOWN);
            browser.await(FORM + ".hidden");
        }
    }

    private static void use(Chromium browser, String token) {
        browser.value("(() => { document.querySelector('#token').value = '" + token
                + "'; document.querySelector('#token-form button').click(); })()");
    }

    @Test
    void aReaderHasACertificate(@TempDir Path home) throws Exception {
        try (BrowserCertificate certificate = new BrowserCertificate(home, operator, page());
                Chromium browser = new Chromium(certificate.environment())) {
            browser.open(page());
            browser.await(SHOWN);
            assertThat(browser.value(FORM + ".hidden").asBoolean()).isTrue();
            assertThat(browser.complaints()).as("console").isEmpty();
        }
    }
}
