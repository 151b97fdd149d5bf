package org.gelato.ce.ws.config;

import java.util.List;
import org.gelato.ce.ws.http.AddressRange;

/**
 * Who sees metrics and the details of readiness.
 *
 * @param networks beside this host and administrators
 */
public record MonitoringConfig(List<AddressRange> networks) {
    private static final String NETWORKS = "gelato.monitoring.networks";

    static MonitoringConfig read(ConfigReader r) {
        try {
            return new MonitoringConfig(
                    r.texts(NETWORKS).stream().map(AddressRange::parse).toList());
        } catch (IllegalArgumentException e) {
            r.refuse(NETWORKS, "a list of networks: " + e.getMessage());
            return new MonitoringConfig(List.of());
        }
    }
}
