package org.gelato.ce.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;

/**
 * How a user would be authorized, for an administrator.
 *
 * @param dn RFC 2253
 * @param slashDn slash form, as the site's files have it
 * @param fqans in order, empty role and capability cut
 * @param owner the subject that owns the jobs
 * @param group the group under which it does, the primary FQAN of a proxy or what the token gives; empty for none
 * @param authorized whether the CE would take a call
 * @param banned where the ban stands, {@code file:line}; null without one
 * @param admin where the DN is listed as administrator's, {@code file:line}; null when it is not
 * @param mapping the line of the grid-mapfile that counts, {@code file:line: text}; null when none fits
 * @param account the local account; null without one
 * @param pool the pool the account is of; null without one
 * @param lease file of the lease; null without a pool
 * @param leased whether the lease is there; false when the account is only what a first call would try
 * @param refusal the fault that a call would get; null when it would be accepted
 * @param steps what was checked, in order
 * @param routes what the site's routes would give the job that was described; null for none described, or a refused user
 */
public record Explanation(
        String dn,
        String slashDn,
        @JsonInclude(JsonInclude.Include.ALWAYS) List<String> fqans,
        String owner,
        String group,
        @JsonProperty(required = true) boolean authorized,
        String banned,
        String admin,
        String mapping,
        String account,
        String pool,
        String lease,
        boolean leased,
        String refusal,
        @JsonInclude(JsonInclude.Include.ALWAYS) List<String> steps,
        Routed routes) {
    public Explanation {
        Objects.requireNonNull(dn, "an explanation without dn");
        fqans = fqans == null ? List.of() : List.copyOf(fqans);
        steps = steps == null ? List.of() : List.copyOf(steps);
    }

    /**
     * What routes would give a job.
     *
     * @param names of those that match, in their order
     * @param values limits among them
     */
    public record Routed(List<String> names, List<Value> values) {}

    /**
     * One value.
     *
     * @param key in a route, such as {@code set.account}
     * @param value a text, a number, true or false
     * @param route from which it comes
     */
    public record Value(String key, Object value, String route) {}
}
