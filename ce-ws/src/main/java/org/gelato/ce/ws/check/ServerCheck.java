package org.gelato.ce.ws.check;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.KeyOrigins;

/** All checks of {@code ce server check}: one run reports everything that is found. Functions without state. */
public final class ServerCheck {
    private ServerCheck() {}

    /** What makes a configuration unusable, as findings. */
    public static List<Finding> findings(ConfigurationException unusable) {
        return unusable.found().stream()
                .map(problem -> new Finding(
                        Finding.Level.ERROR,
                        problem.key(),
                        problem.where(),
                        problem.text(),
                        "correct it; the CE does not start, and nothing else is checked"))
                .toList();
    }

    /** Whether the CE of this configuration serves on this host now: its listener has a certificate of this CE's. */
    public static boolean runs(CeConfig config) {
        return OwnListener.served(config).isPresent();
    }

    /**
     * Checks a configuration and what it names. Starts a helper and commands of the batch system, and ends them.
     *
     * @return what was found; empty when the CE should start and work
     * @throws ConfigurationException when the file itself cannot be used
     */
    public static List<Finding> findings(Path file, Clock clock) {
        CeConfig config = CeConfig.load(file);
        Findings findings = new Findings(KeyOrigins.of(file));
        CeConfig.retired(file).forEach((key, what) -> findings.warning(key, what, "remove the line"));
        X509Certificate served = OwnListener.served(config).orElse(null);
        CredentialCheck.run(config, served, clock, findings);
        TrustCheck.run(config, findings);
        PlacesCheck.run(config, served != null, findings);
        ProgramsCheck.run(config, findings);
        DatabaseCheck.run(config, clock, findings);
        HelperCheck.run(config, findings);
        return findings.all();
    }
}
