package org.gelato.ce.core.db;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.Query;
import com.mysql.cj.interceptors.QueryInterceptor;
import com.mysql.cj.log.Log;
import com.mysql.cj.protocol.Resultset;
import com.mysql.cj.protocol.ServerSession;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Lets something happen right before a statement is sent, as another node would do it: open a pool with {@link #on} and
 * arm it by {@link #first}. The driver makes the instances, so what is armed is kept for the whole process.
 */
public final class BeforeStatement implements QueryInterceptor {
    private static final AtomicReference<Event> ARMED = new AtomicReference<>();

    private record Event(String part, Runnable what) {}

    /** A pool on whose connections events can happen. */
    public static Database on(DatabaseConfig config) {
        String url = config.url() + (config.url().contains("?") ? "&" : "?") + "queryInterceptors="
                + BeforeStatement.class.getName();
        return new Database(new DatabaseConfig(
                url, config.user(), config.password(), config.poolSize(), config.connectionTimeout()));
    }

    /** Something happens once, before the first statement that holds a text. */
    public static void first(String part, Runnable what) {
        ARMED.set(new Event(part, what));
    }

    /** Whether what was armed has happened. */
    public static boolean happened() {
        return ARMED.get() == null;
    }

    @Override
    public QueryInterceptor init(MysqlConnection connection, Properties properties, Log log) {
        return this;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // as the driver has it
    public <T extends Resultset> T preProcess(Supplier<String> sql, Query query) {
        Event event = ARMED.get();
        String text = sql.get();
        if (event != null && text != null && text.contains(event.part()) && ARMED.compareAndSet(event, null)) {
            event.what().run();
        }
        return null;
    }

    @Override
    public boolean executeTopLevelOnly() {
        return false;
    }

    @Override
    public void destroy() {}

    @Override
    public <T extends Resultset> T postProcess(Supplier<String> sql, Query query, T result, ServerSession session) {
        return null;
    }
}
