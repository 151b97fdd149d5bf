package org.gelato.ce.it.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;

/**
 * Makes a grid for localhost in a directory, laid out as in {@code /etc/grid-security}, with a user's proxy, and prints a
 * free port: {@code PackageTestGrid DIRECTORY ACCOUNT}.
 */
public final class PackageTestGrid {
    private PackageTestGrid() {}

    /** @param args directory, made when absent; local account of the VO's members */
    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[0]));
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        pki.proxy(pki.user("Package User")).write(directory.resolve("proxy.pem"));
        String vo = "\"/" + GridPki.VO;
        Files.writeString(
                directory.resolve("grid-mapfile"), vo + "\" " + args[1] + "\n" + vo + "/*\" " + args[1] + "\n");
        Files.copy(pki.hostCertificate(), directory.resolve("hostcert.pem"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(pki.hostKey(), directory.resolve("hostkey.pem"), StandardCopyOption.REPLACE_EXISTING);
        link(directory.resolve("certificates"), pki.certificates());
        link(directory.resolve("vomsdir"), pki.vomsdir());
        System.out.println(FreePort.choose());
    }

    private static void link(Path link, Path target) throws IOException {
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, target);
    }
}
