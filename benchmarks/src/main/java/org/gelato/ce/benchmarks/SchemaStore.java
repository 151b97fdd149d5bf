package org.gelato.ce.benchmarks;

import org.jdbi.v3.core.Handle;

/** SQL of a server's schemas, by its administrator. */
final class SchemaStore {
    private static final String MAKE = "CREATE DATABASE <schema> CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
    private static final String GRANT = "GRANT ALL PRIVILEGES ON <schema>.* TO <account>";

    /** Makes an empty schema that a user may do everything in; returns its name. Both names are our own. */
    String make(Handle h, String schema, String user) {
        h.createUpdate(MAKE).define("schema", schema).execute();
        h.createUpdate(GRANT)
                .define("schema", schema)
                .define("account", "'" + user + "'@'localhost'")
                .execute();
        return schema;
    }
}
