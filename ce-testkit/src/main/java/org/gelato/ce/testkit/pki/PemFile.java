package org.gelato.ce.testkit.pki;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.interfaces.ECPrivateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** PEM texts and files. A file appears whole or not at all; one with a private key is never readable by others. */
public final class PemFile {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> PUBLIC = PosixFilePermissions.fromString("rw-r--r--");

    private PemFile() {}

    /**
     * Certificates, keys, CRLs one after the other; RSA keys in the traditional form old grid tools read, those on curves as PKCS#8: the writer's
     * traditional form of these does not name the curve.
     */
    public static String encode(Iterable<?> objects) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            for (Object o : objects) {
                writer.writeObject(o instanceof ECPrivateKey key ? new JcaPKCS8Generator(key, null) : o);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** The objects of a PEM text as the parser makes them. */
    static List<Object> decode(String pem) {
        List<Object> objects = new ArrayList<>();
        try (Reader reader = new StringReader(pem);
                PEMParser parser = new PEMParser(reader)) {
            for (Object o = parser.readObject(); o != null; o = parser.readObject()) {
                objects.add(o);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("not PEM: " + e.getMessage(), e);
        }
        return objects;
    }

    static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void writePrivate(Path file, String text) {
        write(file, text, PRIVATE);
    }

    static void writePublic(Path file, String text) {
        write(file, text, PUBLIC);
    }

    private static void write(Path file, String text, Set<PosixFilePermission> mode) {
        try {
            Path parent = file.toAbsolutePath().getParent();
            Files.createDirectories(parent);
            Path fresh = Files.createTempFile(
                    parent, file.getFileName().toString(), ".new", PosixFilePermissions.asFileAttribute(PRIVATE));
            Files.writeString(fresh, text, StandardCharsets.UTF_8);
            Files.setPosixFilePermissions(fresh, mode);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
