package org.gelato.ce.ws.setup.migration;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The configuration of another CE, as it was read; nothing that it names was followed. */
public interface OldConfiguration {
    /** Of what holds here, in this CE's keys; a line of the report for each thing that was there. */
    Migrated migrate(NewSite site);

    /**
     * What a site takes along.
     *
     * @param values by their new keys; a list of routes among them where there are any
     * @param report a line each with its place in the old file, in the order of the files
     */
    record Migrated(Map<String, Object> values, List<String> report) {}

    /** The CE that is set up. */
    interface NewSite {
        /** Its batch system, as in {@code gelato.lrms.kind}. */
        String kind();

        /** Why its reader of the configuration refuses routes; empty for those it takes. */
        Optional<String> refusal(List<Map<String, Object>> routes);
    }
}
