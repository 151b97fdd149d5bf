package org.gelato.ce.core.identity;

import java.util.List;
import org.gelato.ce.json.Explanation;

/** Explains why a user would be mapped, refused or banned. Changes nothing; may read the disk. Any thread. */
@FunctionalInterface
public interface Explainer {
    /**
     * A job that the user might register.
     *
     * @param cores that it requests, at least 1
     */
    record Job(String queue, int cores) {}

    /**
     * @param dn in slash form or RFC 2253; for a bearer token {@code ISSUER,SUBJECT}
     * @param fqans in the order of the proxy, as they would stand in it; the groups and capability scopes of a token; empty for none
     * @param job what the site's routes would give it is explained, too; null for none
     * @throws IllegalArgumentException when the DN is none, or a text is no FQAN
     */
    Explanation explain(String dn, List<String> fqans, Job job);

    /** The same without a job. */
    default Explanation explain(String dn, List<String> fqans) {
        return explain(dn, fqans, null);
    }
}
