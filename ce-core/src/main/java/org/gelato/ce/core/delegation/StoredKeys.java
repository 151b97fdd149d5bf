package org.gelato.ce.core.delegation;

import java.util.Optional;
import org.gelato.ce.core.db.Database;

/** Whether a key file belongs to a database: for the time after a backup was restored. */
public final class StoredKeys {
    static final String NEWEST = "SELECT private_key FROM delegation ORDER BY id DESC LIMIT 1";

    private StoredKeys() {}

    /** Whether the newest stored private key or token opens; true where none is stored. */
    public static boolean open(Database database, KeyVault vault) {
        Optional<byte[]> sealed =
                database.read(h -> h.createQuery(NEWEST).mapTo(byte[].class).findOne());
        if (sealed.isEmpty()) {
            return true;
        }
        try {
            vault.check(sealed.get());
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
