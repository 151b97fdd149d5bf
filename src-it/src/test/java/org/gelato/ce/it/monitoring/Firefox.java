package org.gelato.ce.it.monitoring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.stream.Collectors;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;

/**
 * Debian's Firefox without a window and without a driver: it opens one page, whose scripts do the rest. It believes a CE's authority
 * and gives its user's certificate to each site that wants one, without a question.
 */
final class Firefox implements AutoCloseable {
    static final Path PROGRAM = Path.of("/usr/bin/firefox-esr");

    private static final List<String> PREFERENCES = List.of(
            "'security.default_personal_cert', 'Select Automatically'",
            "'datareporting.policy.dataSubmissionEnabled', false",
            "'browser.shell.checkDefaultBrowser', false",
            "'browser.startup.homepage_override.mstone', 'ignore'",
            "'app.normandy.enabled', false",
            "'network.captive-portal-service.enabled', false",
            "'network.connectivity-service.enabled', false");

    private final Path profile;
    private final Process process;

    Firefox(SiteCe ce, GridCredential user, String page)
            throws IOException, InterruptedException, GeneralSecurityException {
        profile = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-firefox-");
        Path authority = Files.writeString(
                profile.resolve("authority.pem"),
                new GridCredential(user.key(), List.of(ce.pki().authorityCertificate())).chainPem());
        new NssStore(profile).with(user).trusting("test", authority);
        Files.writeString(
                profile.resolve("user.js"),
                PREFERENCES.stream()
                        .map(p -> "user_pref(" + p.replace('\'', '"') + ");\n")
                        .collect(Collectors.joining()));
        ProcessBuilder program = new ProcessBuilder(
                        PROGRAM.toString(), "--headless", "--no-remote", "--profile", profile.toString(), page)
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("firefox.log").toFile());
        program.environment().put("HOME", profile.toString());
        process = program.start();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        SiteCe.remove(profile);
    }
}
