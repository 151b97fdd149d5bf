package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.gelato.ce.core.command.RestoredDatabase;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.delegation.KeyVault;
import org.gelato.ce.core.delegation.StoredKeys;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Between the restoration of a backup and the next start (docs/admin/upgrade.md). May be repeated. */
@Command(
        name = "restored",
        description = "Prepare a database that was restored from a backup, before the server is started.")
final class Restored extends ServerCommand.Configured {
    @Option(
            names = "--new-key",
            description = "Go on without the delegation.key of the backup: stored delegations cannot be used any more.")
    private boolean newKey;

    @Override
    public Integer call() throws IOException {
        CeConfig read = CeConfig.load(config());
        Path key = read.delegation().keyFile();
        if (!newKey && Files.notExists(key)) {
            throw refused(key + " does not exist: restore it from the same backup as the database");
        }
        PrintWriter out = out();
        try (DatabaseOpening opening = new DatabaseOpening(read.database(), read.node())) {
            Database database = opening.get();
            if (!newKey && !StoredKeys.open(database, KeyVault.open(key, false))) {
                throw refused(key
                        + " does not open the delegations of this database: restore the key file of the same backup");
            }
            RestoredDatabase.Result done = new RestoredDatabase(database, Clock.systemUTC(), read.node()).prepare();
            out.println("last trace of work in the database: " + done.backup());
            out.println("job numbers go on at row " + done.nextJob());
            out.println(done.lookedUp() + " jobs are looked up in the batch system before they are handed over");
            out.println(done.leases() + " leases run for another hour");
        }
        return 0;
    }

    private static ConfigurationException refused(String what) {
        return new ConfigurationException(
                "",
                List.of(what + ", or go on without it by --new-key: then users delegate anew, and what wrappers of"
                        + " running jobs report is refused (" + Manual.page("docs/admin/databases.md") + ")"));
    }
}
