package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.pki.GridCredential;

/** A store of certificates as Chromium and Firefox keep it, made by Debian's libnss3-tools. */
final class NssStore {
    private static final Path STORE_TOOL = Path.of("/usr/bin/certutil");
    private static final Path IMPORT_TOOL = Path.of("/usr/bin/pk12util");
    private static final String PASSWORD = "only-of-this-test";

    private final Path directory;

    /** @param directory that has no store yet; made when absent */
    NssStore(Path directory) throws IOException, InterruptedException {
        this.directory = Files.createDirectories(directory);
        run(STORE_TOOL.toString(), "-N", "-d", "sql:" + directory, "--empty-password");
    }

    /** Skips where a browser or the tools are missing. */
    static void needs(String name, String browsersPackage, Path browser) {
        for (Path needed : List.of(browser, STORE_TOOL, IMPORT_TOOL)) {
            if (!Files.isExecutable(needed)) {
                Skipped.because(
                        name,
                        "there is no " + needed + "; install Debian's packages " + browsersPackage
                                + " and libnss3-tools");
            }
        }
    }

    /** Puts a user's certificate and key into it. */
    NssStore with(GridCredential credential) throws IOException, InterruptedException, GeneralSecurityException {
        Path file = directory.resolve("certificate.p12");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(
                "user",
                credential.key(),
                PASSWORD.toCharArray(),
                credential.chain().toArray(new Certificate[0]));
        try (OutputStream out = Files.newOutputStream(file)) {
            keys.store(out, PASSWORD.toCharArray());
        }
        run(IMPORT_TOOL.toString(), "-d", "sql:" + directory, "-i", file.toString(), "-W", PASSWORD, "-K", "");
        return this;
    }

    /** Has hosts of an authority believed. */
    NssStore trusting(String name, Path authority) throws IOException, InterruptedException {
        run(STORE_TOOL.toString(), "-A", "-d", "sql:" + directory, "-n", name, "-t", "C,,", "-i", authority.toString());
        return this;
    }

    private void run(String... command) throws IOException, InterruptedException {
        Path log = directory.resolve("certificate.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(String.join(" ", command) + ": " + Files.readString(log))
                .isZero();
    }
}
