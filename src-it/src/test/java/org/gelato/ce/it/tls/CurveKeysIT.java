package org.gelato.ce.it.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.bouncycastle.asn1.x509.GeneralName;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.pki.CertificateForm;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Host and user have keys on elliptic curves, as some authorities issue them. Wrappers report by HTTPS, so that curl is a client, too. */
@Tag("long")
class CurveKeysIT {
    private static final String PEOPLE = "/DC=test/DC=gelato/O=People/CN=";
    private static final String HOSTS = "/DC=test/DC=gelato/O=Hosts/CN=";

    @Test
    void aJobIsSubmittedWithADelegationReportsByHttpsAndReturnsItsOutput() throws IOException {
        try (SiteCe ce = new SiteCe("curves", "fork", JobAccount.name(), Map.of("gelato.wrapper.events", "https"))) {
            GridCredential host = ce.pki()
                    .issue(
                            CertificateForm.host(HOSTS + "localhost").name(GeneralName.dNSName, "localhost"),
                            CertificateForm.curve("secp384r1"));
            host.write(ce.pki().hostCertificate());
            host.write(ce.pki().hostKey());
            GridCredential elisa =
                    ce.pki().issue(CertificateForm.person(PEOPLE + "Elisa"), CertificateForm.curve("secp256r1"));
            Files.writeString(
                    ce.gridmap(),
                    "\"" + DnForms.slash(elisa.subject()) + "\" " + JobAccount.name() + "\n",
                    StandardOpenOption.APPEND);
            ce.start();
            SiteUser user = new SiteUser(ce, elisa.write(ce.base().resolve("elisa.pem")));

            String id = user.submit(SiteUser.shellJob("sleep 1; echo slept"));
            user.await(id, "DONE-OK");

            // Only the wrapper knows when the payload runs, and it has no other way to report it.
            assertThat(user.info(id).path("history").findValuesAsText("status"))
                    .containsSubsequence("PENDING", "REALLY-RUNNING", "DONE-OK");
            Path output = ce.base().resolve("output");
            user.must("", "output", "-d", output.toString(), id);
            assertThat(output.resolve("env.out")).hasContent("slept");
            assertThat(Files.readString(ce.log())).doesNotContain(" ERROR ");
        }
    }
}
