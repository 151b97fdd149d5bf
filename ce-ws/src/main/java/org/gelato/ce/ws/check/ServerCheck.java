package org.gelato.ce.ws.check;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.KeyOrigins;

/** All checks of {@code ce server check}: one run reports everything that is found. Functions without state. */
public final class ServerCheck {
    private ServerCheck() {}

    /** Whether the CE of this configuration serves on this host now: its listener has the configured certificate. */
    public static boolean runs(CeConfig config) {
        return config.port() != 0
                && OwnListener.is(config.address(), config.port(), config.tls().hostCertificate());
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
        CredentialCheck.run(config, clock, findings);
        TrustCheck.run(config, clock, findings);
        PlacesCheck.run(config, findings);
        ProgramsCheck.run(config, findings);
        DatabaseCheck.run(config, clock, findings);
        HelperCheck.run(config, findings);
        return findings.all();
    }
}
