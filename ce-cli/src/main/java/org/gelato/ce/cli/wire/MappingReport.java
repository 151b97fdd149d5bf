package org.gelato.ce.cli.wire;

import java.util.List;

/**
 * How a CE would authorize a user. Texts that do not apply are null.
 *
 * @param authorized whether it would take a call
 * @param banned where the ban stands
 * @param admin where the DN is listed as administrator's
 * @param mapping the line of the grid-mapfile that counts
 * @param leased whether the account of a pool is leased already
 * @param refusal the fault that a call would get
 * @param steps what the CE checked, in order
 */
public record MappingReport(
        boolean authorized,
        String dn,
        List<String> fqans,
        String owner,
        String group,
        String banned,
        String admin,
        String mapping,
        String account,
        String pool,
        String lease,
        boolean leased,
        String refusal,
        List<String> steps) {
    public MappingReport {
        fqans = List.copyOf(fqans);
        steps = List.copyOf(steps);
    }
}
