package org.gelato.ce.testkit.database;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Several servers that hold the same data, each of which can be killed and come back. The schema {@code gelato} is there and empty, and
 * the user {@code gelato} has the rights on it that the documentation lists. Used by one thread at a time.
 */
public abstract class DatabaseCluster implements AutoCloseable {
    /** Of the user {@code gelato}. */
    public static final String PASSWORD = "Cluster-4711";

    /** Its schema and its user. */
    public static final String NAME = "gelato";

    private final List<MariaDbServer> servers;

    DatabaseCluster(List<MariaDbServer> servers) {
        this.servers = List.copyOf(servers);
    }

    final MariaDbServer server(int index) {
        return servers.get(index);
    }

    final void makeSchema(MariaDbServer on) {
        on.sql("CREATE DATABASE " + NAME + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;"
                + " CREATE USER '" + NAME + "'@'127.0.0.1' IDENTIFIED BY '" + PASSWORD + "';"
                + " GRANT SELECT, INSERT, UPDATE, DELETE, LOCK TABLES, CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW"
                + " ON " + NAME + ".* TO '" + NAME + "'@'127.0.0.1'");
    }

    /** Servers, killed ones included. */
    public final int size() {
        return servers.size();
    }

    /** JDBC URL of the schema that names these servers in this order. */
    public final String url(int... indices) {
        return "jdbc:mysql://"
                + IntStream.of(indices)
                        .mapToObj(i -> "127.0.0.1:" + servers.get(i).port())
                        .collect(Collectors.joining(","))
                + "/" + NAME;
    }

    /** The port of a server. */
    public final int port(int index) {
        return servers.get(index).port();
    }

    /** The process of a server that was started. */
    public final ProcessHandle process(int index) {
        return servers.get(index).process();
    }

    /** What a statement prints on a server, as its administrator: lines of values with tabs between. */
    public final String sql(int index, String statement) {
        return servers.get(index).sql(statement);
    }

    /** Ends a server by SIGKILL. */
    public final void kill(int index) {
        servers.get(index).kill();
    }

    /** Brings a killed server back, and waits until it is a full member again. */
    public abstract void restart(int index);

    /** Waits until a query returns a value on a server. */
    public final void await(int index, String query, String value) {
        servers.get(index).await(query, value);
    }

    /** Ends all servers; their folder is the caller's. */
    @Override
    public final void close() {
        servers.forEach(MariaDbServer::kill);
    }
}
