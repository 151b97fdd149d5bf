package org.gelato.ce.core.db;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.Query;
import com.mysql.cj.interceptors.QueryInterceptor;
import com.mysql.cj.log.Log;
import com.mysql.cj.protocol.Resultset;
import com.mysql.cj.protocol.ServerSession;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Keeps the statements that are sent, with their values, as the server gets them: a test of query plans then needs no list that would
 * miss the next one. The driver makes the instances, so there is one record for the whole process.
 */
public final class RecordedStatements implements QueryInterceptor {
    private static final Set<String> RECORD = ConcurrentHashMap.newKeySet();
    private static final List<String> WITH_PLAN = List.of("SELECT", "(SELECT", "UPDATE", "DELETE");

    /** A pool whose statements are recorded. */
    public static Database on(DatabaseConfig config) {
        String url = config.url() + (config.url().contains("?") ? "&" : "?") + "queryInterceptors="
                + RecordedStatements.class.getName();
        return new Database(new DatabaseConfig(
                url, config.user(), config.password(), config.poolSize(), config.connectionTimeout()));
    }

    /** Those that read or change stored rows and were sent since the last call. */
    public static List<String> taken() {
        List<String> taken = List.copyOf(RECORD);
        RECORD.clear();
        return taken;
    }

    @Override
    public QueryInterceptor init(MysqlConnection connection, Properties properties, Log log) {
        return this;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // as the driver has it
    public <T extends Resultset> T preProcess(Supplier<String> sql, Query query) {
        String text = sql.get();
        if (text != null) {
            String begin = text.strip().toUpperCase(Locale.ROOT);
            // The driver's own questions are of no table.
            if (WITH_PLAN.stream().anyMatch(begin::startsWith) && !begin.contains("@@")) {
                RECORD.add(text.strip());
            }
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
