package org.gelato.ce.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The RPM spec: one package for each of the list's, with what Debian's control files say in RPM's terms. */
final class RpmSpec {
    private static final String DESCRIPTIONS = "packaging/src/main/rpm";
    private static final List<String> SCRIPTS =
            List.of("pre", "post", "preun", "postun", "posttrans", "transfiletriggerin");

    /** Below these a package's script for file triggers is run. */
    private static final String TRIGGERING = "/usr/lib/jvm";

    /** Summary and dependencies, which have other names among RPMs. */
    private static final Map<String, List<String>> HEADERS = headers();

    private RpmSpec() {}

    private static Map<String, List<String>> headers() {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put(
                "gelato-client",
                List.of(
                        "Summary: command line for Gelato CE and other CREAM Computing Elements",
                        "Requires: java-headless >= 1:17"));
        headers.put(
                "gelato-ce",
                List.of(
                        "Summary: Computing Element, the front door of a batch farm",
                        "Requires: gelato-client = %{version}-%{release}, java-headless >= 1:17, curl",
                        "Requires(pre): shadow-utils",
                        "Recommends: gelato-embedded-database, libcap, logrotate"));
        headers.put(
                "gelato-embedded-database",
                List.of("Summary: MariaDB programs for Gelato CE's own database", "Supplements: gelato-ce"));
        return headers;
    }

    /**
     * The text of the spec. It is built by {@code rpmbuild -bb} without an archive of sources.
     *
     * @param contents of all packages
     */
    static String text(Collection<Contents.Line> contents, String version, Path root) throws IOException {
        StringBuilder spec = new StringBuilder();
        spec.append("# Generated from packaging/contents.list\n")
                .append("Name: gelato\nVersion: ")
                .append(version)
                .append("\nRelease: 1\nSummary: Gelato CE\nLicense: Apache-2.0\nBuildArch: x86_64\nAutoReqProv: no\n")
                .append("%global debug_package %{nil}\n%global __os_install_post %{nil}\n")
                // With SOURCE_DATE_EPOCH in the environment the same contents give the same bytes.
                .append("%global use_source_date_epoch_as_buildtime 1\n%global clamp_mtime_to_source_date_epoch 1\n")
                .append("%global _buildhost localhost\n")
                .append("\n%description\nA lightweight Computing Element.\n");
        HEADERS.forEach((name, header) -> spec.append("\n%package -n ")
                .append(name)
                .append("\n")
                .append(String.join("\n", header))
                .append("\nAutoReqProv: no\n\n%description -n ")
                .append(name)
                .append("\n")
                .append(header.get(0).substring("Summary: ".length()))
                .append(".\n"));
        spec.append("\n%install\n");
        for (Contents.Line line : contents) {
            spec.append(installed(line));
        }
        for (String name : HEADERS.keySet()) {
            spec.append("\n%files -n ").append(name).append("\n");
            contents.stream()
                    .filter(line -> line.packageName().equals(name))
                    .forEach(line -> spec.append(listed(line)));
            for (String script : SCRIPTS) {
                Path file = root.resolve(DESCRIPTIONS).resolve(name + "." + script);
                if (Files.exists(file)) {
                    spec.append("\n%")
                            .append(script)
                            .append(" -n ")
                            .append(name)
                            .append(script.endsWith("triggerin") ? " -- " + TRIGGERING : "")
                            .append("\n");
                    spec.append(Files.readString(file));
                }
            }
        }
        return spec.toString();
    }

    private static String installed(Contents.Line line) {
        String path = "%{buildroot}" + line.path();
        return line.kind() == Contents.Kind.LINK
                ? "mkdir -p '" + path.substring(0, path.lastIndexOf('/')) + "' && ln -s '" + line.source() + "' '"
                        + path + "'\n"
                : "install -D -m " + line.mode() + " '" + line.source() + "' '" + path + "'\n";
    }

    private static String listed(Contents.Line line) {
        return switch (line.kind()) {
            case LINK -> line.path() + "\n";
            case FILE -> attributes(line) + line.path() + "\n";
            case CONFIG, SITE -> attributes(line) + "%config(noreplace) " + line.path() + "\n";
        };
    }

    private static String attributes(Contents.Line line) {
        return "%attr(" + line.mode() + ", " + line.user() + ", " + line.group() + ") ";
    }
}
