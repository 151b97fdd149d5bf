package org.gelato.ce.core.db;

import com.mysql.cj.jdbc.Driver;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.gelato.ce.core.fault.Manual;
import org.slf4j.LoggerFactory;

/**
 * Connections to the one server of a cluster that may be written to (docs/developer/decisions/0074). A single server that is in no cluster is
 * connected to and nothing more.
 *
 * <p>Ids whose order means something, locks of tables and rows, and what a CE has just written are the writer's alone. So all CEs have
 * to write through the same server, and a new one must have everything that the last one confirmed:
 *
 * <ul>
 *   <li>Galera: the row of {@link WriterTerm} names the writer. Another node succeeds it only when the named one is no member of the
 *       cluster any more, as this node sees it; a node that was put out of the cluster cannot commit. Before, the node has
 *       applied all that the cluster had decided.
 *   <li>Source and replicas: the writer is the server that is not read-only. Two that are not are refused, and so is one whose row is
 *       older than one seen before: a source that came back. That a promoted replica has applied all is up to the tool that promotes.
 * </ul>
 *
 * <p>A connection that was idle is checked anew before its next use, by its {@code isValid}, and is not valid when its server has
 * ceased to be the writer. Thread-safe.
 */
final class WriterSource implements DataSource {
    private static final org.slf4j.Logger log = LoggerFactory.getLogger(WriterSource.class);
    /** SQL state of a server that does not respond. */
    private static final String UNABLE = "08001";

    private static final String SYNCED = "4";
    private static final String DONOR = "2";
    private static final int TRIES = 3;

    private final WriterHosts hosts;
    private final Properties properties;
    private final boolean succeeds;
    private final SessionBounds bounds;
    private final Driver driver;
    private final AtomicLong known = new AtomicLong();
    private volatile int last;

    /**
     * @param properties of each connection, with user and password
     * @param succeeds whether a new writer is written down; false for a reader, which changes nothing
     * @param bounds of each connection
     */
    WriterSource(WriterHosts hosts, Properties properties, boolean succeeds, SessionBounds bounds) {
        this.hosts = hosts;
        this.properties = bounds.with(properties);
        this.succeeds = succeeds;
        this.bounds = bounds;
        try {
            driver = new Driver();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot load the database driver", e);
        }
    }

    /** Connections to the same servers with other bounds. */
    WriterSource within(SessionBounds others) {
        return new WriterSource(hosts, properties, succeeds, others);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (hosts.size() == 1) {
            return connect(0);
        }
        List<SQLException> failures = new ArrayList<>();
        int first = last;
        for (int i = 0; i < hosts.size(); i++) {
            int at = (first + i) % hosts.size();
            try {
                Connection connection = connect(at);
                last = at;
                return connection;
            } catch (SQLException e) {
                failures.add(e);
            }
        }
        throw none(failures, first);
    }

    /** All hosts' reasons in one; it is final only when every host answered and refused. */
    private SQLException none(List<SQLException> failures, int first) {
        StringBuilder text = new StringBuilder("no server of the database can be written to");
        boolean refused = true;
        for (int i = 0; i < failures.size(); i++) {
            SQLException e = failures.get(i);
            refused &= e instanceof NoWriterException;
            text.append("; ")
                    .append(hosts.get((first + i) % hosts.size()).name())
                    .append(": ")
                    .append(String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " "));
            if (String.valueOf(e.getSQLState()).startsWith("28")) {
                return e; // a wrong password is wrong everywhere
            }
        }
        return refused
                ? new NoWriterException(text.toString())
                : new SQLTransientConnectionException(text.toString(), UNABLE);
    }

    private Connection connect(int at) throws SQLException {
        Connection connection = driver.connect(hosts.get(at).url(), properties);
        if (connection == null) {
            throw new SQLException("the driver does not know " + hosts.get(at).name(), UNABLE);
        }
        try {
            bounds.set(connection);
            return admit(connection, at);
        } catch (SQLException | RuntimeException e) {
            try {
                connection.close();
            } catch (SQLException failed) {
                e.addSuppressed(failed);
            }
            throw e;
        }
    }

    private Connection admit(Connection connection, int at) throws SQLException {
        ServerFacts server = ServerFacts.of(connection);
        if (server.isGalera()) {
            requirePrimary(server);
            keepRules(server, at);
            galera(connection, server);
            return watched(connection, server.identity(), true);
        }
        if (hosts.size() > 1) {
            if (server.isReadOnly()) {
                throw silence("it is read-only, as a replica is");
            }
            keepRules(server, at);
            source(connection, server, at);
            return watched(connection, server.identity(), false);
        }
        return connection;
    }

    private static SQLException silence(String message) {
        return new SQLTransientConnectionException(message, UNABLE);
    }

    private void keepRules(ServerFacts server, int at) throws SQLException {
        for (ClusterRules.Broken broken : ClusterRules.brokenBy(server, hosts.size())) {
            if (broken.fatal()) {
                throw new NoWriterException(broken.text());
            }
            log.debug("{}: {}", hosts.get(at).name(), broken.text());
        }
    }

    private static void requirePrimary(ServerFacts server) throws SQLException {
        String state = server.status("wsrep_local_state");
        if (!server.isStatusOn("wsrep_ready")
                || !server.status("wsrep_cluster_status").equalsIgnoreCase("Primary")
                || !(state.equals(SYNCED) || state.equals(DONOR))) {
            throw silence("the node is not ready: wsrep_ready " + server.status("wsrep_ready") + ", cluster status "
                    + server.status("wsrep_cluster_status") + ", state "
                    + server.status("wsrep_local_state_comment"));
        }
        Set<String> distinct = new HashSet<>(server.members());
        String own = server.identity();
        if (own.isEmpty()
                || own.equalsIgnoreCase("AUTO")
                || distinct.size() < server.members().size()) {
            throw new NoWriterException(
                    "rule node-address: the nodes of the cluster cannot be distinguished by where they take"
                            + " connections, which are " + server.members()
                            + "; set wsrep_node_incoming_address=HOST:PORT on every node, each its own ("
                            + Manual.page("docs/admin/scale.md") + ")");
        }
    }

    /** Lets a node of Galera be written to, or does not. */
    private void galera(Connection connection, ServerFacts server) throws SQLException {
        String own = server.identity();
        try (Statement statement = connection.createStatement()) {
            // What the cluster has decided is applied here before the next statement is done.
            statement.execute("SET SESSION wsrep_sync_wait = 7");
            for (int tries = 1; ; tries++) {
                Optional<WriterTerm> written = WriterTerm.read(connection);
                if (written.isEmpty() || written.get().server().equals(own)) {
                    break;
                }
                if (tries > TRIES) {
                    throw silence("other nodes became the writer at the same time");
                }
                // Read after the row: a node that has become the writer by then is a member in it.
                ServerFacts now = ServerFacts.of(connection);
                requirePrimary(now);
                if (now.members().contains(written.get().server())) {
                    throw new NoWriterException("rule one-writer: node " + own + " is not written to while node "
                            + written.get().server()
                            + " of the cluster is, through which other CEs write; name all nodes in"
                            + " gelato.database.url of every CE, and let each CE reach the writer ("
                            + Manual.page("docs/admin/scale.md") + ")");
                }
                if (now.status("wsrep_local_state").equals(DONOR)) {
                    throw silence("the node is busy with the transfer of its data to another one");
                }
                if (!succeeds || succeed(connection, written.get(), own)) {
                    break;
                }
            }
            statement.execute("SET SESSION wsrep_sync_wait = DEFAULT");
        }
    }

    private boolean succeed(Connection connection, WriterTerm written, String own) throws SQLException {
        boolean done;
        try {
            done = written.succeed(connection, own);
        } catch (SQLException e) {
            if (!Database.isDeadlock(e)) {
                throw e;
            }
            done = false; // another node's change of the row was first
        }
        if (done) {
            log.info(
                    "The database is written through {} from now on{}",
                    own,
                    written.server().isEmpty() ? "" : ", no longer through " + written.server());
        }
        return done;
    }

    /** Lets a server that is not read-only be written to, or does not. */
    private void source(Connection connection, ServerFacts server, int at) throws SQLException {
        String own = server.identity();
        for (int tries = 1; ; tries++) {
            Optional<WriterTerm> written = WriterTerm.read(connection);
            if (written.isEmpty()) {
                return;
            }
            if (tries > TRIES) {
                throw silence("other servers became the source at the same time");
            }
            long term = written.get().term();
            if (term < known.get()) {
                throw new NoWriterException("rule old-source: server " + own + " has not the changes of the source that"
                        + " followed it, and accepts changes; make it a replica of that one, and set read_only=ON in its"
                        + " configuration file, so that it starts as one (" + Manual.page("docs/admin/scale.md") + ")");
            }
            if (written.get().server().equals(own)) {
                known.accumulateAndGet(term, Math::max);
                return;
            }
            refuseTwoSources(own, at);
            if (!succeeds) {
                return;
            }
            if (succeed(connection, written.get(), own)) {
                known.accumulateAndGet(term + 1, Math::max);
                return;
            }
        }
    }

    /** Before a server succeeds: no other one that is reached may take changes. */
    private void refuseTwoSources(String own, int at) throws SQLException {
        for (int other = 0; other < hosts.size(); other++) {
            if (other == at) {
                continue;
            }
            boolean writable = false;
            try (Connection connection = driver.connect(hosts.get(other).url(), properties)) {
                ServerFacts facts = ServerFacts.of(connection);
                writable = !facts.isReadOnly() && !facts.identity().equals(own);
            } catch (SQLException e) {
                log.debug("{} is not reached: {}", hosts.get(other).name(), e.getMessage());
            }
            if (writable) {
                throw new NoWriterException("rule one-source: " + hosts.get(at).name() + " and "
                        + hosts.get(other).name()
                        + " both accept changes; set read_only=ON on the one that is to be the replica ("
                        + Manual.page("docs/admin/scale.md") + ")");
            }
        }
    }

    /** A connection whose {@code isValid} includes that its server is the writer still. */
    private static Connection watched(Connection connection, String own, boolean galera) {
        return (Connection) Proxy.newProxyInstance(
                WriterSource.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isValid")) {
                        return isWriter(connection, own, galera);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static boolean isWriter(Connection connection, String own, boolean galera) {
        try {
            Optional<WriterTerm> written = WriterTerm.read(connection);
            boolean writer = written.isEmpty() || written.get().server().equals(own);
            if (!connection.getAutoCommit()) {
                connection.rollback(); // or the connection would be idle in a transaction, which the server ends
            }
            return writer && (galera || !ServerFacts.of(connection).isReadOnly());
        } catch (SQLException e) {
            log.debug("a connection is given up: {}", e.getMessage());
            return false;
        }
    }

    int servers() {
        return hosts.size();
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("user and password are those of the configuration");
    }

    @Override
    public PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        // the driver has its own log
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // Where the driver reads it: a server that stands still takes connections and sends nothing.
        DriverManager.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() {
        return DriverManager.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("logged by slf4j");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("no " + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
