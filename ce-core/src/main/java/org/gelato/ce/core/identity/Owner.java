package org.gelato.ce.core.identity;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Whose a job is: a subject, what it acted for, and its VO. The account that runs the job is no part of it: a site may map one owner to
 * another account, and the job stays the owner's.
 *
 * @param subject DN by RFC 2253, or issuer and name of a token ({@link Identity#subject()})
 * @param group primary FQAN or group of a token; empty for none
 * @param vo null for none
 */
public record Owner(String subject, String group, String vo) {
    /** What is selected for {@link #of}, of {@code subject s} and {@code owner o}. */
    public static final String COLUMNS = "s.dn, o.fqan, o.vo";

    /** The primary FQAN; empty without one, and for a token. */
    public String fqan() {
        return TokenIdentity.isSubject(subject) ? "" : group;
    }

    /** The VO; where the credential names none, that of its primary FQAN; null without either. */
    public String namedVo() {
        return vo == null && fqan().startsWith("/") ? fqan().split("/", 3)[1] : vo;
    }

    /** Reads the current row of a query with these columns. */
    public static Owner of(ResultSet row) throws SQLException {
        return new Owner(row.getString("dn"), row.getString("fqan"), row.getString("vo"));
    }
}
