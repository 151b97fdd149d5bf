package org.gelato.ce.testkit.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Key pairs of the tests, in the directory that {@code -Dgelato.test.keys} names: a process takes one after the other and begins anew at the
 * end, so that those of one grid differ. Whoever finds one missing makes and keeps it. They protect nothing but what tests made: a grid
 * of the demo, which runs without the property, makes its own. A key costs a tenth of a second of CPU, half a second in a JVM that has just
 * started, and tests use a thousand.
 */
final class KeyCache {
    /** More than one grid uses, but for those of very many users, which share keys anyway. */
    private static final int COUNT = 200;

    private static final KeyCache OF_TESTS = of(System.getProperty("gelato.test.keys", ""));

    private final Path directory;
    private final AtomicInteger taken = new AtomicInteger();

    private KeyCache(Path directory) {
        this.directory = directory;
    }

    /** @param directory may be absent; empty for no keys that are kept */
    static KeyCache of(String directory) {
        return directory.isEmpty() ? null : new KeyCache(Path.of(directory));
    }

    /** The next key pair, of the tests' or made. */
    static KeyPair next(Supplier<KeyPair> make) {
        return OF_TESTS == null ? make.get() : OF_TESTS.take(make);
    }

    /** @param make makes an RSA key pair */
    KeyPair take(Supplier<KeyPair> make) {
        Path file = directory.resolve("rsa2048-" + taken.getAndIncrement() % COUNT + ".key");
        try {
            if (Files.exists(file)) {
                return pair(Files.readAllBytes(file));
            }
        } catch (IOException | GeneralSecurityException e) {
            // It is made anew.
        }
        KeyPair made = make.get();
        keep(file, made.getPrivate().getEncoded());
        return made;
    }

    private static KeyPair pair(byte[] encoded) throws GeneralSecurityException {
        KeyFactory keys = KeyFactory.getInstance("RSA");
        RSAPrivateCrtKey secret = (RSAPrivateCrtKey) keys.generatePrivate(new PKCS8EncodedKeySpec(encoded));
        BigInteger exponent = secret.getPublicExponent();
        return new KeyPair(keys.generatePublic(new RSAPublicKeySpec(secret.getModulus(), exponent)), secret);
    }

    /** Whole or not at all; where it cannot be kept the next process makes one, too. */
    private void keep(Path file, byte[] encoded) {
        try {
            Files.createDirectories(directory);
            Path beside = Files.createTempFile(directory, "new", ".key");
            Files.setPosixFilePermissions(beside, PosixFilePermissions.fromString("rw-------"));
            Files.write(beside, encoded);
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // A home that cannot be written to, such as that of an account of the tests.
        }
    }
}
