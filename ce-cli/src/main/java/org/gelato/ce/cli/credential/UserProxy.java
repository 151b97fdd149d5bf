package org.gelato.ce.cli.credential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManager;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.FileTrouble;
import org.gelato.ce.cli.terminal.GivenFile;

/**
 * The user's credential from a PEM file: certificate, key, chain. Refuses a file others may read, as every grid tool does, and one that has
 * expired. The key is held in memory only and never shown.
 */
public final class UserProxy {
    private static final String HOW =
            "make one with: voms-proxy-init --voms <your VO>, or name a token in BEARER_TOKEN_FILE";
    /** Far more than a chain with VOMS attributes needs. */
    private static final int MAX_BYTES = 1 << 20;

    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final Path file;
    private final PrivateKey key;
    private final X509Certificate[] chain;
    private final Instant expiry;

    private UserProxy(Path file, PrivateKey key, X509Certificate[] chain) {
        this.file = file;
        this.key = key;
        this.chain = chain;
        this.expiry = Arrays.stream(chain)
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /**
     * Where the proxy is: the option, else {@code X509_USER_PROXY}, else {@code /tmp/x509up_u<uid>}.
     *
     * @throws CliException when the user's number can't be found out
     */
    public static Path locate(Optional<Path> option, Map<String, String> environment) {
        return option.or(() ->
                        CommonOptions.setting(environment, "X509_USER_PROXY").map(Path::of))
                .orElseGet(() -> Path.of("/tmp/x509up_u" + uid()));
    }

    static Object uid() {
        try {
            // The process has no name for its own number in Java; its entry in /proc belongs to it.
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            throw new CliException("can't find out your user number: name your proxy with --proxy", e);
        }
    }

    /**
     * Reads a proxy.
     *
     * @throws CliException naming the file, what is wrong with it, and how to make one
     */
    public static UserProxy load(Path file, Clock clock) {
        UserProxy proxy = read(file);
        Instant now = clock.instant();
        if (!proxy.expiry.isAfter(now)) {
            throw new CliException("the proxy " + file + " expired at " + proxy.expiry + "; " + HOW);
        }
        Instant begin = proxy.chain[0].getNotBefore().toInstant();
        if (begin.isAfter(now)) {
            throw new CliException(
                    "the proxy " + file + " is not valid before " + begin + ": is the clock of this machine right?");
        }
        return proxy;
    }

    private static UserProxy read(Path file) {
        try {
            requirePrivate(file);
            byte[] pem = GivenFile.read(file, MAX_BYTES);
            if (pem.length > MAX_BYTES) {
                throw new CliException("the proxy " + file + " is larger than " + MAX_BYTES + " bytes");
            }
            try {
                X509Certificate[] chain = PemChain.certificates(pem);
                PrivateKey key = PemChain.key(pem);
                requireOf(chain[0], key);
                return new UserProxy(file, key, chain);
            } finally {
                Arrays.fill(pem, (byte) 0);
            }
        } catch (NoSuchFileException e) {
            throw new CliException("no proxy: " + file + " does not exist; " + HOW, e);
        } catch (IOException | RuntimeException e) {
            if (e instanceof CliException known) {
                throw known;
            }
            throw new CliException("can't use the proxy " + file + ": " + FileTrouble.reason(e), e);
        }
    }

    private static void requireOf(X509Certificate certificate, PrivateKey key) throws IOException {
        boolean match = certificate.getPublicKey().getAlgorithm().equals(key.getAlgorithm())
                && ((certificate.getPublicKey() instanceof RSAKey known && key instanceof RSAKey own)
                        ? known.getModulus().equals(own.getModulus())
                        : verifies(certificate, key));
        if (!match) {
            throw new IOException("its key is not that of its first certificate");
        }
    }

    private static boolean verifies(X509Certificate certificate, PrivateKey key) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static void requirePrivate(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new CliException("the proxy " + file + " is a directory");
        }
        if (view == null) {
            return;
        }
        if (view.readAttributes().permissions().stream().anyMatch(OTHERS::contains)) {
            throw new CliException("the proxy " + file + " is open to other users: chmod 600 it, or make a new one");
        }
    }

    public Path file() {
        return file;
    }

    KeyManager keyManager() {
        return new ProxyKeyManager(key, chain);
    }

    PrivateKey key() {
        return key;
    }

    /** The proxy first. */
    X509Certificate[] chain() {
        return chain.clone();
    }

    /** The end of the certificate in the chain that ends first. */
    public Instant expiry() {
        return expiry;
    }

    @Override
    public String toString() {
        return "UserProxy[" + file + ", expires " + expiry + "]";
    }
}
