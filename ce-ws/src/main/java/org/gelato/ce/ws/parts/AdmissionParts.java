package org.gelato.ce.ws.parts;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.gelato.ce.core.admission.AdmissionController;
import org.gelato.ce.core.admission.DiskSpace;
import org.gelato.ce.core.admission.HostReadings;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.parts.monitoring.PartChecks;

/** Whether there is room for new jobs, and whom the administrators let in. */
record AdmissionParts(AdmissionController controller, DiskSpace room, Map<String, Path> disks) {
    private static final Duration SAMPLE = Duration.ofSeconds(5);
    private static final Duration REFRESH = Duration.ofSeconds(1);

    static AdmissionParts open(Opening o, StoreParts stores, AuditTrail audit) {
        CeConfig config = o.config();
        AdmissionController controller = new AdmissionController(
                stores.database(),
                stores.jobs(),
                stores.commands(),
                config.admission(),
                readings(config),
                config.node(),
                audit);
        DiskSpace room =
                DiskSpace.of(config.sandboxRoot(), config.admission().host().disk());
        room.sample();
        controller.sample();
        o.check(PartChecks.admission(controller));
        o.work(() -> {
            o.every(SAMPLE, SAMPLE, () -> {
                // One thread for both, which a file system that hangs may keep.
                room.sample();
                controller.sample();
            });
            o.every(REFRESH, REFRESH, controller::refresh);
        });
        return new AdmissionParts(controller, room, disks(config));
    }

    private static HostReadings readings(CeConfig config) {
        return new HostReadings(Path.of("/proc"), config.gridFtp().port(), disks(config));
    }

    /** Directories whose file systems are watched, by the names in what clients read. */
    private static Map<String, Path> disks(CeConfig config) {
        return Map.of(
                "home",
                config.home(),
                "sandbox",
                config.sandboxRoot(),
                "tmp",
                Path.of(System.getProperty("java.io.tmpdir")));
    }
}
