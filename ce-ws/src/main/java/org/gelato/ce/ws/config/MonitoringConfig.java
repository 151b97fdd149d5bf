package org.gelato.ce.ws.config;

import java.util.List;
import org.gelato.ce.core.authorization.MonitoringReaders;
import org.gelato.ce.ws.http.AddressRange;

/**
 * Who sees metrics and the details of readiness.
 *
 * @param networks see metrics, beside this host and administrators
 * @param readers see all that monitoring shows
 */
public record MonitoringConfig(List<AddressRange> networks, MonitoringReaders readers) {
    private static final String NETWORKS = "gelato.monitoring.networks";
    private static final String READERS = "gelato.monitoring.readers";

    static MonitoringConfig read(ConfigReader r) {
        return new MonitoringConfig(networks(r), readers(r));
    }

    private static List<AddressRange> networks(ConfigReader r) {
        try {
            return r.texts(NETWORKS).stream().map(AddressRange::parse).toList();
        } catch (IllegalArgumentException e) {
            r.refuse(NETWORKS, "a list of networks: " + e.getMessage());
            return List.of();
        }
    }

    private static MonitoringReaders readers(ConfigReader r) {
        try {
            return new MonitoringReaders(r.texts(READERS));
        } catch (IllegalArgumentException e) {
            r.refuse(READERS, "a list of DNs, or ISSUER,SUBJECT of tokens: " + e.getMessage());
            return MonitoringReaders.NONE;
        }
    }
}
