package org.gelato.ce.cli.credential;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.OCSPCheckingMode;
import eu.emi.security.authn.x509.OCSPParametes;
import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.ValidatorParams;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;

/** A directory of certificate authorities as OpenSSL lays it out, with CRLs and signing policies. */
public final class TrustedAuthorities {
    private static final Path DEFAULT = Path.of("/etc/grid-security/certificates");
    private static final String AUTHORITIES = "*.0";

    private TrustedAuthorities() {}

    /** Where they are: the option, else {@code X509_CERT_DIR}, else {@code /etc/grid-security/certificates}. */
    public static Path locate(Optional<Path> option, Map<String, String> environment) {
        return option.or(() ->
                        CommonOptions.setting(environment, "X509_CERT_DIR").map(Path::of))
                .orElse(DEFAULT);
    }

    /**
     * A validator over the directory. It reads only what a chain needs: a grid's directory holds hundreds of authorities.
     *
     * @throws CliException when the directory holds no authority
     */
    public static X509CertChainValidatorExt load(Path directory) {
        boolean hashOfOpenssl1 = usesHashOfOpenssl1(directory);
        RevocationParameters revocation =
                new RevocationParameters(CrlCheckingMode.IF_VALID, new OCSPParametes(OCSPCheckingMode.IGNORE));
        return new OpensslCertChainValidator(
                directory.toString(),
                hashOfOpenssl1,
                NamespaceCheckingMode.EUGRIDPMA_GLOBUS,
                -1,
                new ValidatorParams(revocation, ProxySupport.ALLOW),
                true);
    }

    /** OpenSSL changed the hash in file names with 1.0.0; directories have the new form, the old one, or both. */
    private static boolean usesHashOfOpenssl1(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, AUTHORITIES)) {
            for (Path file : files) {
                if (hash(file)
                        .filter(h -> file.getFileName().toString().startsWith(h))
                        .isPresent()) {
                    return true;
                }
            }
        } catch (IOException e) {
            throw unreadable(directory, e);
        }
        return false;
    }

    /**
     * Makes sure that a directory holds authorities, without a look into them.
     *
     * @throws CliException when it holds none
     */
    static void require(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, AUTHORITIES)) {
            if (!files.iterator().hasNext()) {
                throw new CliException("no trusted authorities: " + directory
                        + " holds no <hash>.0 file: name their directory with --ca or in X509_CERT_DIR");
            }
        } catch (IOException e) {
            throw unreadable(directory, e);
        }
    }

    private static CliException unreadable(Path directory, IOException e) {
        return new CliException(
                "no trusted authorities: can't read " + directory
                        + ": name their directory with --ca or in X509_CERT_DIR",
                e);
    }

    private static Optional<String> hash(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate certificate = CertificateUtils.loadCertificate(in, CertificateUtils.Encoding.PEM);
            return Optional.of(OpensslTruststoreHelper.getOpenSSLCAHash(certificate.getSubjectX500Principal(), true));
        } catch (IOException | RuntimeException e) {
            // One broken file must not hide the others.
            return Optional.empty();
        }
    }
}
