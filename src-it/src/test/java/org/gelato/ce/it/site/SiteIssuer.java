package org.gelato.ce.it.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.token.TestIssuer;

/** An issuer of bearer tokens that a CE knows by the file of its keys. Its tokens permit everything with jobs unless a test says less. */
public final class SiteIssuer {
    /** Its {@code iss}. */
    public static final String NAME = "https://iam.example.org/";

    private final TestIssuer issuer = TestIssuer.create(NAME, Clock.systemUTC());
    private final String vo;

    /** @param vo of its tokens */
    public SiteIssuer(String vo) {
        this.vo = vo;
    }

    /** The key of a CE's configuration that makes it accept these tokens. */
    public Map<String, Object> trust() {
        try {
            String keys =
                    issuer.writeJwks(Files.createTempFile("issuer", ".json")).toString();
            return Map.of("gelato.tokens.issuers", List.of(Map.of("issuer", NAME, "vo", vo, "keys", keys)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Maps everybody who may read. Before the CE's start. */
    public void map(SiteCe ce) {
        line(ce, "\"" + NAME + " scope=compute.read\" " + ce.account());
    }

    /** Declares a subject to be the user of a certificate, with an attribute of the VO. Before the CE's start. */
    public void declare(SiteCe ce, String subject, GridCredential person, String fqan) {
        String dn = DnForms.slash(DnForms.rfc2253(person.certificate().getSubjectX500Principal()));
        line(ce, "\"" + owner(subject) + "\" \"" + dn + "\" " + fqan);
    }

    private static void line(SiteCe ce, String line) {
        try {
            Files.writeString(ce.gridmap(), Files.readString(ce.gridmap()) + line + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The owner of jobs that a subject registers. */
    public static String owner(String subject) {
        return NAME + "," + subject;
    }

    /** A token for the CE of a host on any port, until then, in whole seconds. */
    public String token(String host, String subject, Instant until) {
        return issuer.token(subject, "https://" + host)
                .claim("exp", until.getEpochSecond())
                .sign();
    }

    /** A token for a CE, valid for an hour. */
    public String token(SiteCe ce, String subject) {
        return issuer.token(subject, "https://localhost:" + ce.port()).sign();
    }

    /** The same with these scopes. */
    public String token(SiteCe ce, String subject, String scopes) {
        return issuer.token(subject, "https://localhost:" + ce.port())
                .claim("scope", scopes)
                .sign();
    }
}
