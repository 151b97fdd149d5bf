package org.gelato.ce.ws.check;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.authorization.GridmapAuthorizer;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.tls.TrustConfig;
import org.gelato.ce.ws.tls.TrustFileChecks;

/** CAs, their CRLs, and the descriptions of VOMS servers. */
final class TrustCheck {
    private static final String CAS = "gelato.tls.ca-directory";
    private static final String VOMS = "gelato.tls.voms-directory";
    private static final String FETCH = "run fetch-crl, and see that it runs regularly";

    private final CeConfig config;
    private final Clock clock;
    private final Findings findings;

    private TrustCheck(CeConfig config, Clock clock, Findings findings) {
        this.config = config;
        this.clock = clock;
        this.findings = findings;
    }

    static void run(CeConfig config, Clock clock, Findings findings) {
        TrustCheck check = new TrustCheck(config, clock, findings);
        check.authorities();
        check.voms();
    }

    private void authorities() {
        Path directory = config.tls().caDirectory();
        if (!findings.directory(CAS, directory)) {
            return;
        }
        List<Path> anchors = files(directory, "????????.[0-9]");
        if (anchors.isEmpty()) {
            findings.error(
                    CAS,
                    directory + " holds no CA certificate named <hash>.0, so that no user can be accepted",
                    "install the CA certificates (package ca-policy-egi-core)");
        }
        for (Path anchor : anchors) {
            authority(anchor);
            String name = anchor.getFileName().toString();
            String hash = name.substring(0, name.indexOf('.'));
            policy(directory, hash);
            if (config.tls().crl() != CrlCheckingMode.IGNORE) {
                lists(directory, hash);
            }
        }
    }

    private void authority(Path anchor) {
        try (InputStream in = Files.newInputStream(anchor)) {
            X509Certificate ca =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            if (clock.instant().isAfter(ca.getNotAfter().toInstant())) {
                findings.warning(
                        CAS,
                        anchor + " ended at " + ca.getNotAfter().toInstant(),
                        "update the CA certificates; users of this CA are refused");
            }
        } catch (IOException | GeneralSecurityException e) {
            findings.error(CAS, anchor + " holds no certificate", "install the CA certificates again");
        }
    }

    private void policy(Path directory, String hash) {
        if (config.tls().signingPolicy() == TrustConfig.SigningPolicy.REQUIRE
                && files(directory, hash + ".{signing_policy,namespaces}").isEmpty()) {
            findings.warning(
                    CAS,
                    directory.resolve(hash + ".signing_policy") + " is not there: no certificate of the CA " + hash
                            + " is accepted",
                    "install the CA's signing policy, or set gelato.tls.signing-policy = if-present");
        }
    }

    private void lists(Path directory, String hash) {
        List<Path> lists = files(directory, hash + ".r*");
        if (lists.isEmpty()) {
            String what = directory.resolve(hash + ".r0") + " is not there: the CA " + hash + " has no CRL";
            if (config.tls().crl() == CrlCheckingMode.REQUIRE) {
                findings.error(CAS, what + ", and gelato.tls.crl = require", FETCH);
            } else {
                findings.warning(CAS, what, FETCH);
            }
        }
        for (Path file : lists) {
            try {
                X509CRL crl = TrustFileChecks.revocationList(file);
                if (crl.getNextUpdate() != null
                        && clock.instant().isAfter(crl.getNextUpdate().toInstant())) {
                    findings.error(
                            CAS,
                            file + " ended at " + crl.getNextUpdate().toInstant()
                                    + ", so that every certificate of this CA is refused",
                            FETCH);
                }
            } catch (IOException | GeneralSecurityException e) {
                findings.error(
                        CAS,
                        file + " holds no CRL that can be used, so that every certificate of this CA is refused: "
                                + e.getMessage(),
                        FETCH);
            }
        }
    }

    private void voms() {
        Path directory = config.tls().vomsDirectory();
        if (!findings.directory(VOMS, directory)) {
            return;
        }
        for (String vo : GridmapAuthorizer.vos(config.authorization().files())) {
            Path of = directory.resolve(vo);
            List<Path> descriptions = Files.isDirectory(of) ? files(of, "*.{lsc,pem}") : List.of();
            if (descriptions.isEmpty()) {
                findings.warning(
                        VOMS,
                        of + " has no .lsc file, so that no attribute of the VO " + vo + " is valid here",
                        "install the .lsc files of the VO's VOMS servers, or remove the VO from the grid-mapfile");
            }
            descriptions.forEach(file -> description(directory, file));
        }
    }

    private void description(Path directory, Path file) {
        try {
            TrustFileChecks.voms(directory.relativize(file), file);
        } catch (Exception e) {
            findings.error(VOMS, file + ": " + e.getMessage(), "install the file again from the VO's description");
        }
    }

    private List<Path> files(Path directory, String glob) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, glob)) {
            found.forEach(files::add);
        } catch (IOException e) {
            findings.error(
                    directory.startsWith(config.tls().vomsDirectory()) ? VOMS : CAS,
                    directory + " cannot be listed",
                    "give the CE's account the right to read it");
        }
        files.sort(null);
        return files;
    }
}
