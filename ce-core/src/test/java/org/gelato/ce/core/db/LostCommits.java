package org.gelato.ce.core.db;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.Query;
import com.mysql.cj.interceptors.QueryInterceptor;
import com.mysql.cj.log.Log;
import com.mysql.cj.protocol.Resultset;
import com.mysql.cj.protocol.ServerSession;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Part of the driver in a pool of {@link #of}: a given number of commits fails for their caller, before or after the
 * server did them. One test at a time.
 */
public final class LostCommits implements QueryInterceptor {
    private static final AtomicInteger UNDONE = new AtomicInteger();
    private static final AtomicInteger DONE = new AtomicInteger();

    /** A pool whose commits can be lost. */
    public static DatabaseConfig of(DatabaseConfig config) {
        String more = (config.url().contains("?") ? "&" : "?") + "queryInterceptors=" + LostCommits.class.getName();
        return new DatabaseConfig(
                config.url() + more, config.user(), config.password(), config.poolSize(), config.connectionTimeout());
    }

    /** The next commits are not made. */
    public static void loseBefore(int commits) {
        UNDONE.set(commits);
    }

    /** The next commits are made, and no response is sent. */
    public static void loseAfter(int commits) {
        DONE.set(commits);
    }

    @Override
    public QueryInterceptor init(MysqlConnection connection, Properties properties, Log log) {
        return this;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // the driver's own
    public <T extends Resultset> T preProcess(Supplier<String> sql, Query query) {
        fail(sql, UNDONE);
        return null;
    }

    @Override
    public boolean executeTopLevelOnly() {
        return false;
    }

    @Override
    public void destroy() {
        // holds nothing
    }

    @Override
    public <T extends Resultset> T postProcess(Supplier<String> sql, Query query, T result, ServerSession session) {
        fail(sql, DONE);
        return null;
    }

    private static void fail(Supplier<String> sql, AtomicInteger left) {
        if (String.valueOf(sql.get()).toLowerCase(Locale.ROOT).startsWith("commit")
                && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new IllegalStateException("the response to the commit is lost");
        }
    }
}
