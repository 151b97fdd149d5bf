package org.gelato.ce.perf.site;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.HostLimitsOff;

/** The files that a CE of a measurement reads. */
final class SiteFiles {
    private SiteFiles() {}

    /**
     * Writes whom the CE trusts and serves.
     *
     * @param vos served beside {@link GridPki#VO}
     * @param account all jobs run as it
     * @param issuers of tokens
     * @return the keys of the configuration that name the files, and that leave the load of this machine out of the CE's judgement
     */
    static Map<String, Object> write(Path folder, GridPki pki, List<String> vos, String account, List<String> issuers)
            throws IOException {
        vos.forEach(pki::vo);
        String members = Stream.concat(Stream.of(GridPki.VO), vos.stream())
                .map(vo -> "\"/" + vo + "\" " + account + "\n\"/" + vo + "/*\" " + account + "\n")
                .collect(Collectors.joining());
        String holders = issuers.stream()
                .map(issuer -> "\"" + issuer + " scope=compute.read\" " + account + "\n")
                .collect(Collectors.joining());
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gelato.tls.host-certificate", pki.hostCertificate().toString());
        values.put("gelato.tls.host-key", pki.hostKey().toString());
        values.put("gelato.tls.ca-directory", pki.certificates().toString());
        values.put("gelato.tls.voms-directory", pki.vomsdir().toString());
        values.put("gelato.authorization.gridmap", file(folder, "grid-mapfile", members + holders));
        values.put("gelato.authorization.ban", file(folder, "ban", ""));
        values.put("gelato.authorization.admins", file(folder, "admins", ""));
        HostLimitsOff.in(values);
        return values;
    }

    /** The keys that name a database, its password in a file. */
    static Map<String, Object> database(Path folder, DatabaseConfig database) throws IOException {
        String password = file(folder, "password", database.password() + "\n");
        Files.setPosixFilePermissions(Path.of(password), PosixFilePermissions.fromString("rw-------"));
        return Map.of(
                "gelato.database.url", database.url(),
                "gelato.database.user", database.user(),
                "gelato.database.password-file", password);
    }

    private static String file(Path folder, String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    /** Writes a configuration. */
    static Path configuration(Path file, Map<String, Object> values) throws IOException {
        ConfigRenderOptions readable = ConfigRenderOptions.defaults()
                .setOriginComments(false)
                .setComments(false)
                .setJson(false);
        return Files.writeString(file, ConfigFactory.parseMap(values).root().render(readable));
    }
}
