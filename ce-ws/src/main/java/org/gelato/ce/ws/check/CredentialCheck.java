package org.gelato.ce.ws.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.credential.HostCertificate;
import org.gelato.ce.ws.credential.PemCredential;
import org.gelato.ce.ws.push.Receiver;
import org.gelato.ce.ws.token.KeyProbe;
import org.gelato.ce.ws.token.TokenIssuer;

/** The host's certificate and key, keys of issuers of tokens, and files with secrets. */
final class CredentialCheck {
    private static final String CERTIFICATE = "gelato.tls.host-certificate";
    private static final String KEY = "gelato.tls.host-key";
    private static final String WEBHOOKS = "gelato.events.webhooks";
    private static final Duration SOON = Duration.ofDays(30);

    private CredentialCheck() {}

    /** @param served the certificate of this CE where it runs; null where it does not */
    static void run(CeConfig config, X509Certificate served, Clock clock, Findings findings) {
        Path file = config.tls().hostCertificate();
        X509Certificate certificate = certificate(file, config.tls().hostKey(), findings);
        if (certificate != null) {
            dates(certificate, clock.instant(), findings);
            name(new HostCertificate(certificate), config.host(), findings);
            inForce(served, certificate, file, findings);
        }
        secret("gelato.delegation.key-file", config.delegation().keyFile(), findings);
        Path password = config.database().passwordFile();
        if (password != null && !config.database().isEmbedded()) {
            findings.file("gelato.database.password-file", password);
            secret("gelato.database.password-file", password, findings);
        }
        tokens(config, findings);
        webhooks(config, findings);
    }

    /** Keys that are fetched are asked for by {@code --trace}. */
    private static void tokens(CeConfig config, Findings findings) {
        for (TokenIssuer issuer : config.tokens().issuers()) {
            try {
                if (issuer.keyFile() != null) {
                    KeyProbe.ofFile(issuer);
                }
            } catch (IOException e) {
                findings.error(
                        "gelato.tokens.issuers",
                        "no token of " + issuer.issuer() + " is accepted, as its keys in " + issuer.keyFile()
                                + " can't be used: " + Messages.of(e),
                        "install the issuer's key set there, or correct the path");
            }
        }
    }

    private static void webhooks(CeConfig config, Findings findings) {
        for (Receiver receiver : config.push().receivers()) {
            try {
                receiver.checkSecret();
                secret(WEBHOOKS, receiver.secretFile(), findings);
            } catch (IOException e) {
                findings.error(
                        WEBHOOKS,
                        "nothing is delivered to " + receiver.name() + ", as its secret can't be used: "
                                + Messages.of(e),
                        "write the secret into " + receiver.secretFile() + ", with mode 0600");
            }
        }
    }

    /** That of the key, or else the first one; null when there is none that can be used. */
    static X509Certificate certificate(Path certificateFile, Path keyFile, Findings findings) {
        byte[] certificates = findings.file(CERTIFICATE, certificateFile) ? content(certificateFile) : null;
        byte[] key = findings.file(KEY, keyFile) ? content(keyFile) : null;
        secret(KEY, keyFile, findings);
        List<X509Certificate> all = List.of();
        if (certificates != null) {
            if (PemCredential.holdsKey(certificates)) {
                secret(CERTIFICATE, certificateFile, findings);
            }
            try {
                all = PemCredential.certificates(certificates);
            } catch (IOException e) {
                findings.error(
                        CERTIFICATE,
                        certificateFile + " holds no certificate in PEM form: " + e.getMessage(),
                        "install the host certificate again");
            }
        }
        if (key != null && isKey(keyFile, key, findings) && !all.isEmpty()) {
            try {
                return PemCredential.read(certificates, key).chain().get(0);
            } catch (IOException e) {
                findings.error(
                        KEY,
                        keyFile + " is not the key of the host certificate",
                        "install the certificate and the key of one request together");
            }
        }
        return all.isEmpty() ? null : all.get(0);
    }

    private static boolean isKey(Path file, byte[] text, Findings findings) {
        try {
            PemCredential.key(text);
            return true;
        } catch (IOException e) {
            findings.error(
                    KEY,
                    file + " holds no unencrypted private key in PEM form: " + e.getMessage(),
                    "install an RSA key, or one of an elliptic curve, without a passphrase");
            return false;
        }
    }

    /** Without content where it cannot be read: then nothing is found in it. */
    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static void dates(X509Certificate certificate, Instant now, Findings findings) {
        Instant end = certificate.getNotAfter().toInstant();
        Instant begin = certificate.getNotBefore().toInstant();
        if (now.isBefore(begin)) {
            findings.error(CERTIFICATE, "the certificate is not valid before " + begin, "check the clock of this host");
        } else if (!now.isBefore(end)) {
            findings.error(CERTIFICATE, "the certificate ended at " + end, "get a new host certificate");
        } else if (end.isBefore(now.plus(SOON))) {
            findings.warning(
                    CERTIFICATE,
                    "the certificate ends at " + end + ", in less than 30 days",
                    "get a new host certificate; a CE that runs takes it without a restart");
        }
    }

    private static void name(HostCertificate certificate, String host, Findings findings) {
        if (!certificate.isFor(host)) {
            findings.error(
                    "gelato.host",
                    "the host certificate is for " + String.join(", ", certificate.names()) + " and not for " + host,
                    "set gelato.host to a name of the certificate, or get a certificate for " + host
                            + "; until then the CE is not ready, as every client refuses it");
        }
    }

    /** A renewed certificate counts soon; until then, and while its key does not match, the earlier one does. */
    private static void inForce(X509Certificate served, X509Certificate certificate, Path file, Findings findings) {
        if (served != null && !served.equals(certificate)) {
            findings.warning(
                    CERTIFICATE,
                    "the CE that runs does not serve with " + file + " but with a certificate that ends at "
                            + served.getNotAfter().toInstant(),
                    "wait for gelato.tls.refresh; its log says why it cannot take the file");
        }
    }

    private static void secret(String key, Path file, Findings findings) {
        if (!Files.exists(file)) {
            return;
        }
        try {
            Set<PosixFilePermission> modes = Files.getPosixFilePermissions(file);
            if (modes.contains(PosixFilePermission.OTHERS_READ)
                    || modes.contains(PosixFilePermission.OTHERS_WRITE)
                    || modes.contains(PosixFilePermission.GROUP_WRITE)) {
                findings.error(key, file + " can be read by everybody or written by others", "run: chmod 0600 " + file);
            }
        } catch (IOException e) {
            findings.error(key, file + ": its mode cannot be read", "give the CE's account access to it");
        }
    }
}
