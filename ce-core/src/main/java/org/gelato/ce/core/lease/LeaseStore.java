package org.gelato.ce.core.lease;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** SQL of leases. All methods work within the caller's transaction or read. */
public final class LeaseStore {
    static final String BY_CLIENT_ID =
            "SELECT client_id, id FROM lease WHERE owner_id = :owner AND client_id IN (<ids>)";

    /**
     * An owner's leases by the id the client gave them, expired ones included; unknown ids are missing. No statement for
     * no ids.
     *
     * @return row numbers, for {@code job.lease_id}
     */
    public Map<String, Integer> find(Handle h, int owner, Collection<String> clientIds) {
        Map<String, Integer> leases = new HashMap<>();
        if (!clientIds.isEmpty()) {
            h.createQuery(BY_CLIENT_ID)
                    .bind("owner", owner)
                    .bindList("ids", List.copyOf(clientIds))
                    .map((r, c) -> Map.entry(r.getString("client_id"), r.getInt("id")))
                    .forEach(e -> leases.put(e.getKey(), e.getValue()));
        }
        return leases;
    }
}
