package org.gelato.ce.ws.credential;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host certificate and its key in force. Their files are read again by {@link #refresh}, and are taken together, when they
 * match: between the two writes of a renewal, and when one of them is broken, the earlier pair stays in force. So it
 * does while it serves clients and the new one would not. Any thread may call; a handshake never waits for the disk.
 */
public final class HostCredential {
    private static final Logger log = LoggerFactory.getLogger(HostCredential.class);
    private static final int MAX_BYTES = 1 << 20;
    /** Java's stores of keys want a password; this one never leaves the process. */
    private static final char[] IN_MEMORY = "in memory".toCharArray();

    private final Path certificateFile;
    private final Path keyFile;
    private final String host;
    private final Clock clock;
    private final List<Consumer<HostCredential>> followers = new ArrayList<>();
    /** Those that have not taken the pair in force. */
    private final Set<Consumer<HostCredential>> behind = new LinkedHashSet<>();

    private volatile Pair current;
    /** For handshakes that chose it just before it was replaced. */
    private volatile Pair earlier;

    private volatile String trouble;

    /** A certificate and its key, as read from the files at one time. */
    private record Pair(
            long number,
            byte[] certificateText,
            byte[] keyText,
            PemCredential credential,
            HostCertificate certificate,
            X509ExtendedKeyManager keys) {

        boolean isOf(byte[] otherCertificate, byte[] otherKey) {
            return Arrays.equals(certificateText, otherCertificate) && Arrays.equals(keyText, otherKey);
        }
    }

    /**
     * Reads both files.
     *
     * @param certificate PEM: host certificate, then intermediate CAs if there are any
     * @param key PEM, RSA or EC, not encrypted
     * @param host the CE's name, which the certificate should be for; null when it is not known
     * @throws IllegalArgumentException naming the files when they are no certificate and its key
     */
    public HostCredential(Path certificate, Path key, String host, Clock clock) {
        this.certificateFile = certificate;
        this.keyFile = key;
        this.host = host;
        this.clock = clock;
        try {
            current = read(content(certificate), content(key), 1);
        } catch (IOException e) {
            throw new IllegalArgumentException("tls.host-certificate, tls.host-key: " + e.getMessage(), e);
        }
        earlier = current;
    }

    /** Reads the files again, and takes them when they can be used; returns whether another pair is in force. */
    public synchronized boolean refresh() {
        boolean replaced = replace();
        if (!replaced) {
            List.copyOf(behind).forEach(this::tell);
        }
        return replaced;
    }

    private boolean replace() {
        Pair present = current;
        Pair next;
        try {
            byte[] certificate = content(certificateFile);
            byte[] key = content(keyFile);
            if (present.isOf(certificate, key)) {
                recovered();
                return false;
            }
            next = read(certificate, key, present.number + 1);
        } catch (IOException e) {
            complain(e.getMessage());
            return false;
        }
        Optional<String> worse = next.certificate.refusal(host, clock.instant());
        if (worse.isPresent()
                && present.certificate.refusal(host, clock.instant()).isEmpty()) {
            complain(certificateFile + ": " + worse.get());
            return false;
        }
        earlier = present;
        current = next;
        recovered();
        log.info(
                "{} and {} are in force: the host certificate ends at {}",
                certificateFile,
                keyFile,
                next.certificate.end());
        followers.forEach(this::tell);
        return true;
    }

    private void complain(String why) {
        if (!why.equals(trouble)) {
            trouble = why;
            log.error(
                    "{}; the host certificate that was read last stays in force and ends at {}: install certificate and key"
                            + " of one request together, no restart is needed",
                    why,
                    current.certificate.end());
        }
    }

    private void recovered() {
        if (trouble != null) {
            trouble = null;
            log.info("{} and {} can be used again", certificateFile, keyFile);
        }
    }

    /** Calls a part at once and after each change; when it throws, which is logged, at the next {@link #refresh} again. */
    public synchronized void follow(Consumer<HostCredential> follower) {
        followers.add(follower);
        tell(follower);
    }

    private void tell(Consumer<HostCredential> follower) {
        try {
            follower.accept(this);
            behind.remove(follower);
        } catch (RuntimeException e) { // The other parts are to have the new pair.
            behind.add(follower);
            log.error("a part of the CE has not taken the host certificate: {}", Messages.of(e));
        }
    }

    /** The certificate in force. */
    public HostCertificate certificate() {
        return current.certificate;
    }

    /** The file with the certificate, and why it is not in force, or the empty text. */
    public Map<Path, String> fileState() {
        String now = trouble;
        return Map.of(certificateFile, now == null ? "" : now);
    }

    /** The certificates in force, and nothing else that their file may hold. */
    public String certificatePem() {
        return current.credential.chainPem();
    }

    /** The certificates in force and their key, in one text. Secret. */
    public String secretPem() {
        Pair now = current;
        return now.credential.chainPem() + now.credential.keyPem();
    }

    /** For the server's side of TLS; it follows each change. */
    public X509ExtendedKeyManager keyManager() {
        return new Following();
    }

    private byte[] content(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IOException(file + " is not a readable file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
            }
            return bytes;
        }
    }

    private Pair read(byte[] certificate, byte[] key, long number) throws IOException {
        try {
            PemCredential credential = PemCredential.read(certificate, key);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(credential.keyStore(IN_MEMORY), IN_MEMORY);
            for (KeyManager manager : factory.getKeyManagers()) {
                if (manager instanceof X509ExtendedKeyManager keys) {
                    return new Pair(
                            number,
                            certificate,
                            key,
                            credential,
                            new HostCertificate(credential.chain().get(0)),
                            keys);
                }
            }
            throw new IOException("this Java has no key manager for certificates");
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new IOException(
                    certificateFile + " and " + keyFile + " are not a certificate and its unencrypted key in PEM: "
                            + String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}+", " "),
                    e);
        }
    }

    /** A handshake calls several times; the alias carries the pair's number, so that all calls get the same pair. */
    private final class Following extends X509ExtendedKeyManager {
        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            Pair pair = current;
            return alias(pair, pair.keys.chooseEngineServerAlias(type, issuers, engine));
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            Pair pair = current;
            return alias(pair, pair.keys.chooseServerAlias(type, issuers, socket));
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            Pair pair = current;
            String[] aliases = pair.keys.getServerAliases(type, issuers);
            return aliases == null
                    ? null
                    : Arrays.stream(aliases).map(a -> alias(pair, a)).toArray(String[]::new);
        }

        private static String alias(Pair pair, String alias) {
            return alias == null ? null : pair.number + ":" + alias;
        }

        private Pair pair(String alias) {
            for (Pair pair : List.of(current, earlier)) {
                if (alias != null && alias.startsWith(pair.number + ":")) {
                    return pair;
                }
            }
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            Pair pair = pair(alias);
            return pair == null ? null : pair.keys.getCertificateChain(alias.substring(alias.indexOf(':') + 1));
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            Pair pair = pair(alias);
            return pair == null ? null : pair.keys.getPrivateKey(alias.substring(alias.indexOf(':') + 1));
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return null;
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return null;
        }
    }
}
