package org.gelato.ce.core.job;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.ParsedParameters;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.TemplateEngine;

/**
 * Queries for very many rows by their numbers, which are written into the text: thousands of parameters cost Jdbi and the driver more
 * than the rows cost the server. For whole numbers alone, which cannot break out of the text.
 */
final class IdsInText {
    private static final String IDS = "<ids>";
    private static final SqlParser NO_PARAMETERS = new SqlParser() {
        @Override
        public ParsedSql parse(String sql, StatementContext context) {
            return ParsedSql.of(sql, ParsedParameters.positional(0));
        }

        @Override
        public String nameParameter(String name, StatementContext context) {
            throw new UnsupportedOperationException("no parameter can be bound here: " + name);
        }
    };

    private IdsInText() {}

    /**
     * A query without parameters.
     *
     * @param sql has {@code <ids>} once
     * @param ids not empty, some thousands at most
     */
    static Query query(Handle h, String sql, Collection<Integer> ids) {
        String numbers = ids.stream().map(String::valueOf).collect(Collectors.joining(","));
        return h.createQuery(sql.replace(IDS, numbers))
                .setTemplateEngine(TemplateEngine.NOP)
                .setSqlParser(NO_PARAMETERS);
    }
}
