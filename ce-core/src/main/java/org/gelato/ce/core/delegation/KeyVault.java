package org.gelato.ce.core.delegation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals private keys and bearer tokens for the database: AES-256-GCM with a random nonce, {@code nonce || ciphertext || tag}. The secret is
 * 32 bytes, base64, in a file of mode 0600. Thread-safe; nothing here is ever logged or printed.
 */
public final class KeyVault {
    private static final Logger log = LoggerFactory.getLogger(KeyVault.class);
    private static final int SECRET_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int MAX_FILE = 1024;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final SecretKeySpec secret;
    private final SecureRandom random = new SecureRandom();

    KeyVault(byte[] secret) {
        if (secret.length != SECRET_BYTES) {
            throw new IllegalArgumentException("a key of " + SECRET_BYTES + " bytes is needed, not " + secret.length);
        }
        this.secret = new SecretKeySpec(secret, "AES");
    }

    /**
     * Reads the secret.
     *
     * @param createIfAbsent whether an absent file is made with a new secret; two nodes may start at once
     * @throws IOException naming the file, when it is absent, readable by others, or not 32 bytes in base64
     */
    public static KeyVault open(Path file, boolean createIfAbsent) throws IOException {
        if (createIfAbsent && Files.notExists(file)) {
            create(file);
        }
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (!OWNER_ONLY.containsAll(mode)) {
                throw new IOException("key file " + file + " has mode " + PosixFilePermissions.toString(mode)
                        + "; only its owner may have access (rw-------)");
            }
            if (Files.size(file) > MAX_FILE) {
                throw new IOException("key file " + file + " is no key: more than " + MAX_FILE + " bytes");
            }
            return new KeyVault(Base64.getDecoder()
                    .decode(Files.readString(file, StandardCharsets.US_ASCII).strip()));
        } catch (NoSuchFileException e) {
            throw new IOException("key file " + file + " does not exist", e);
        } catch (IllegalArgumentException e) {
            // the decoder's message may quote the secret
            throw new IOException("key file " + file + " must hold " + SECRET_BYTES + " bytes in base64");
        }
    }

    /**
     * A further secret of this CE, for one purpose: 32 bytes that reveal nothing about the key file or of other purposes,
     * and are the same for all nodes and after restarts.
     */
    public byte[] derive(String purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getEncoded(), "HmacSHA256"));
            return mac.doFinal(("derive:" + purpose).getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
        }
    }

    /** Seals a private key. */
    byte[] seal(PrivateKey key) {
        return seal(key.getEncoded());
    }

    /** Seals a text of ASCII characters. */
    byte[] seal(String text) {
        return seal(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** @param plain overwritten */
    private byte[] seal(byte[] plain) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce);
            byte[] sealed = Arrays.copyOf(nonce, NONCE_BYTES + cipher.getOutputSize(plain.length));
            cipher.doFinal(plain, 0, plain.length, sealed, NONCE_BYTES);
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    /**
     * Opens what {@link #seal} made.
     *
     * @throws IllegalStateException when it was sealed with another secret or is damaged
     */
    PrivateKey unseal(byte[] sealed) {
        byte[] plain = open(sealed);
        try {
            return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(plain));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("stored private key does not open", e);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    /** The same for a text. */
    String unsealText(byte[] sealed) {
        byte[] plain = open(sealed);
        try {
            return new String(plain, StandardCharsets.US_ASCII);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    /** Throws as {@link #unseal} does, whatever was sealed. */
    void check(byte[] sealed) {
        Arrays.fill(open(sealed), (byte) 0);
    }

    private byte[] open(byte[] sealed) {
        if (sealed.length <= NONCE_BYTES) {
            throw new IllegalStateException("stored private key is damaged: " + sealed.length + " bytes");
        }
        try {
            return cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, NONCE_BYTES))
                    .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        } catch (AEADBadTagException e) {
            throw new IllegalStateException(
                    "stored private key does not open: the key file is not the one it was sealed with, or it is damaged",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("stored private key does not open", e);
        }
    }

    @Override
    public String toString() {
        return "KeyVault";
    }

    private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, secret, new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }

    private static void create(Path file) throws IOException {
        byte[] fresh = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(fresh);
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new IOException("key file " + file + " can't be made: its directory does not exist");
        }
        // made beside and linked: seen whole or not at all
        Path whole = Files.createTempFile(directory, ".key", ".new", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        try {
            Files.writeString(whole, Base64.getEncoder().encodeToString(fresh) + "\n", StandardCharsets.US_ASCII);
            Files.createLink(file, whole); // unlike a rename it never replaces the secret of a node that was faster
        } catch (FileAlreadyExistsException e) {
            log.debug("another node made the key file {} first", file);
        } catch (IOException e) {
            throw new IOException("key file " + file + " can't be made: " + e.getMessage(), e);
        } finally {
            Files.delete(whole);
        }
    }
}
