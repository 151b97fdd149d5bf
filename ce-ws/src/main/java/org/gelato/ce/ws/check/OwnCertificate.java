package org.gelato.ce.ws.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.LinkedHashSet;
import java.util.Set;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.credential.PemCredential;

/**
 * The certificates by which a CE that runs on this host can be known: that of the configured file, and the one in force, which
 * is another one while the file is being renewed or is broken. The running CE keeps the latter in a file of its home.
 */
public final class OwnCertificate {
    private static final String FILE = "host-certificate-in-force.pem";

    private OwnCertificate() {}

    /**
     * Notes the certificate in force.
     *
     * @param home of the CE
     * @param pem the certificate, with intermediate CAs
     * @throws UncheckedIOException when it cannot be written
     */
    public static void write(Path home, String pem) {
        Path file = home.resolve(FILE);
        Path next = home.resolve(FILE + ".next");
        try {
            Files.createDirectories(home);
            Files.writeString(next, pem);
            Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Those that can be read; empty when none can. */
    static Set<X509Certificate> of(CeConfig config) {
        Set<X509Certificate> certificates = new LinkedHashSet<>();
        for (Path file :
                new Path[] {config.tls().hostCertificate(), config.home().resolve(FILE)}) {
            try {
                certificates.addAll(PemCredential.certificates(Files.readAllBytes(file)));
            } catch (IOException unreadable) {
                // What is wrong with the configured one is a finding of its own.
            }
        }
        return certificates;
    }
}
