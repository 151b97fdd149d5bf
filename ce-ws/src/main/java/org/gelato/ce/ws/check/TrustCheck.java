package org.gelato.ce.ws.check;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.gelato.ce.core.authorization.GridmapAuthorizer;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.TrustState;
import org.gelato.ce.ws.tls.directory.LscFile;

/** CAs, their CRLs, and VOMS servers: what a CE would decide that starts now with these files, as it is what decides in one. */
final class TrustCheck {
    private static final String CAS = "gelato.tls.ca-directory";
    private static final String VOMS = "gelato.tls.voms-directory";
    private static final String FETCH = "run fetch-crl, and see that it runs regularly";

    /** What is asked of the trust. */
    @FunctionalInterface
    interface Use<T> {
        T of(GridTrust trust) throws IOException;
    }

    private TrustCheck() {}

    static void run(CeConfig config, Findings findings) {
        Path cas = config.tls().caDirectory();
        boolean readable = findings.directory(CAS, cas);
        if (!findings.directory(VOMS, config.tls().vomsDirectory()) || !readable) {
            return;
        }
        if (!hasAuthorities(cas)) {
            findings.error(
                    CAS,
                    cas + " holds no CA certificate named <hash>.0, so that no user can be accepted",
                    "install the CA certificates (package ca-policy-egi-core)");
            return;
        }
        try {
            with(config, trust -> {
                report(config, trust, findings);
                return null;
            });
        } catch (IOException | IllegalArgumentException e) {
            findings.error(
                    CAS, cas + " cannot be read: " + Messages.of(e), "see that the disk of java.io.tmpdir is not full");
        }
    }

    /** Reads the trust of a configuration as a CE does at its start, with copies of its own. */
    static <T> T with(CeConfig config, Use<T> use) throws IOException {
        Path copies = HelperCheck.directory();
        try (GridTrust trust = new GridTrust(config.tls().trust(), copies)) {
            return use.of(trust);
        } finally {
            HelperCheck.remove(copies);
        }
    }

    private static boolean hasAuthorities(Path directory) {
        try (DirectoryStream<Path> anchors = Files.newDirectoryStream(directory, "????????.[0-9]")) {
            return anchors.iterator().hasNext();
        } catch (IOException e) {
            return false;
        }
    }

    private static void report(CeConfig config, GridTrust trust, Findings findings) {
        TrustState state = trust.state();
        String files = config.tls().caDirectory() + "; " + Manual.page("docs/admin/authorization.md");
        state.refused()
                .forEach((ca, why) -> findings.error(
                        CAS,
                        "certificates of the CA " + ca + " are refused: " + why,
                        FETCH + "; or install the CA's files again (" + files + ")"));
        state.limited()
                .forEach((ca, points) -> findings.warning(
                        CAS,
                        "certificates of the CA " + ca + " are accepted only with the distribution point of its CRL: "
                                + points,
                        "see that users' certificates name it; or install the CRL of all certificates"));
        if (config.tls().crl() == CrlCheckingMode.IF_VALID) {
            state.withoutList().stream()
                    .filter(ca -> !state.refused().containsKey(ca))
                    .forEach(ca -> findings.warning(CAS, "the CA " + ca + " has no CRL", FETCH));
        }
        state.files()
                .forEach((file, why) -> findings.error(
                        file.startsWith(config.tls().vomsDirectory()) ? VOMS : CAS,
                        file + ": " + why + "; it is left out",
                        "install the file again"));
        reversed(config.tls().vomsDirectory(), findings);
        for (String vo : GridmapAuthorizer.vos(config.authorization().files())) {
            Path of = config.tls().vomsDirectory().resolve(vo);
            boolean named = state.files().keySet().stream().anyMatch(file -> file.startsWith(of));
            if (!named && !trust.hasVomsServer(vo)) {
                findings.warning(
                        VOMS,
                        noServer(config, vo),
                        "install the .lsc files of the VO's VOMS servers, or remove the VO from the grid-mapfile");
            }
        }
    }

    /** Such a file can be used, and no attribute is ever of its server. */
    private static void reversed(Path directory, Findings findings) {
        try (Stream<Path> files = Files.walk(directory, 2)) {
            files.filter(file -> file.toString().endsWith(".lsc") && isReversed(directory.relativize(file), file))
                    .forEach(file -> findings.warning(
                            VOMS,
                            file + " has the issuer of the server's certificate before its subject",
                            "turn the lines round: the subject first, then its issuer"));
        } catch (IOException | UncheckedIOException e) {
            // A directory that cannot be read is named already.
        }
    }

    private static boolean isReversed(Path relative, Path file) {
        try {
            return relative.getNameCount() == 2 && LscFile.read(relative, file).isReversed();
        } catch (IOException | IllegalArgumentException e) {
            return false; // A file that cannot be used is named already.
        }
    }

    static String noServer(CeConfig config, String vo) {
        return config.tls().vomsDirectory().resolve(vo)
                + " has no .lsc file that can be used, so that no attribute of the VO " + vo + " is valid here";
    }
}
