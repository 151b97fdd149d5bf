package org.gelato.ce.cli.credential;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.gelato.ce.cli.terminal.GivenFile;

/** Why a chain may not be accepted that was accepted before: the revocation list of an authority has ended, for which the library has no words. */
final class EndedList {
    private static final int MAX_BYTES = 64 << 20;

    private EndedList() {}

    /**
     * Looks for an ended list of the authorities that signed a chain.
     *
     * @param authorities the directory, of which all lists are read
     * @return in words, with what is to be done; empty where none has ended
     */
    static Optional<String> of(Path authorities, X509Certificate[] chain, Instant now) {
        Set<X500Principal> issuers = Arrays.stream(chain)
                .map(X509Certificate::getIssuerX500Principal)
                .collect(Collectors.toSet());
        try (DirectoryStream<Path> lists = Files.newDirectoryStream(authorities, "*.r[0-9]")) {
            for (Path file : lists) {
                Optional<X509CRL> list = read(file);
                if (list.isPresent()
                        && list.get().getNextUpdate() != null
                        && issuers.contains(list.get().getIssuerX500Principal())
                        && !list.get().getNextUpdate().toInstant().isAfter(now)) {
                    return Optional.of("the revocation list of its authority, " + file + ", ended at "
                            + list.get().getNextUpdate().toInstant()
                            + ": who runs this machine renews it (fetch-crl)");
                }
            }
        } catch (IOException e) {
            // The chain is refused anyhow, for the reason that is known.
        }
        return Optional.empty();
    }

    private static Optional<X509CRL> read(Path file) {
        try {
            byte[] bytes = GivenFile.read(file, MAX_BYTES);
            return Optional.of(
                    (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(bytes)));
        } catch (IOException | GeneralSecurityException e) {
            return Optional.empty();
        }
    }
}
