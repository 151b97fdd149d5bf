package org.gelato.ce.ws.setup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.lrms.type.LrmsType;
import org.gelato.ce.core.lrms.type.LrmsTypes;
import org.gelato.ce.core.lrms.type.SetupOption;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** What the administrator says on the command line; null and empty lists for what is left to be found. */
public final class SetupOptions {
    @Option(names = "--host", paramLabel = "NAME", description = "Canonical host name, part of every job id.")
    String host;

    @Option(names = "--port", paramLabel = "N", defaultValue = "8443", description = "Port of the CE. Default: 8443")
    int port;

    @Option(
            names = "--lrms",
            paramLabel = "KIND",
            description = "Batch system: ${COMPLETION-CANDIDATES}.",
            completionCandidates = Kinds.class)
    String lrms;

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            description = "Queue or partition that may be used; may be repeated, the first is the default one.")
    List<String> queues = new ArrayList<>();

    @Option(
            names = "--bin-directory",
            paramLabel = "DIR",
            description = "Directory of the batch system's commands. Default: where they are found")
    Path binDirectory;

    private final Map<SetupOption, OptionSpec> ofLrms = new LinkedHashMap<>();

    @Option(
            names = "--gridmap",
            paramLabel = "FILE",
            description = "grid-mapfile. Default: grid-mapfile in the directory of --grid-security")
    Path gridmap;

    @Option(names = "--gridmapdir", paramLabel = "DIR", description = "Directory of pool accounts.")
    Path gridmapdir;

    @Option(
            names = "--vo",
            paramLabel = "VO=ACCOUNT",
            description =
                    "Writes a grid-mapfile that maps members of a VO to an account, or with VO=.POOL to a pool; may be repeated.")
    List<String> vos = new ArrayList<>();

    @Option(
            names = "--admin",
            paramLabel = "DN",
            description =
                    "Administrator of the CE, by DN or a token's ISSUER,SUBJECT, who needs a mapping, too; may be repeated.")
    List<String> admins = new ArrayList<>();

    @Option(
            names = "--grid-security",
            paramLabel = "DIR",
            defaultValue = "/etc/grid-security",
            description = "Directory of host certificate, key, certificates and vomsdir. Default: /etc/grid-security")
    Path gridSecurity;

    @Option(
            names = "--sandbox",
            paramLabel = "DIR",
            description =
                    "Directory of job directories, shared with the worker nodes. Default: /var/lib/gelato-sandbox")
    Path sandbox;

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "jdbc:mysql://host/database, or embedded for a MariaDB of the CE's own. Default: embedded")
    String database;

    @Option(names = "--database-user", paramLabel = "NAME", description = "User of that database. Default: gelato")
    String databaseUser;

    @Option(
            names = "--database-password-file",
            paramLabel = "FILE",
            description = "File with that user's password in its first line.")
    Path passwordFile;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "gelato",
            description = "Account of the CE, with a group of the same name. Default: gelato")
    String user;

    @Option(
            names = "--helper",
            paramLabel = "HOW",
            description =
                    "How the helper gets its right to run jobs as their accounts: sudo, capabilities, or own for none "
                            + "(all jobs run as the CE's account).")
    String helper;

    @Option(
            names = "--helper-program",
            paramLabel = "FILE",
            defaultValue = "/usr/libexec/gelato/gelato-helper",
            description = "The helper; put there when it is absent. Default: /usr/libexec/gelato/gelato-helper")
    Path helperProgram;

    @Option(
            names = "--min-uid",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Least user id of accounts that may run jobs. Default: 1000")
    int minUid;

    @Option(
            names = "--allowed-group",
            paramLabel = "NAME",
            description = "Group that accounts of jobs must be in; may be repeated. Default: any")
    List<String> allowedGroups = new ArrayList<>();

    @Option(
            names = "--from-cream",
            paramLabel = "FILE",
            description = "Takes over the values of a CREAM CE's cream-config.xml, and reports what becomes of each.")
    Path fromCream;

    @Option(
            names = "--from-htcondor-ce",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Takes over the routes of an HTCondor-CE's configuration files, and reports what becomes of each "
                            + "statement; in the order in which it reads them.")
    List<Path> fromHtcondorCe = new ArrayList<>();

    @Option(
            names = "--from-arc",
            paramLabel = "FILE",
            description =
                    "Takes over batch system, queues and defaults of an ARC-CE's arc.conf, and reports what becomes of "
                            + "each line.")
    Path fromArc;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            defaultValue = "/etc/gelato",
            description = "Directory of gelato.conf and helper.conf. Default: /etc/gelato")
    Path directory;

    @Option(
            names = "--home",
            paramLabel = "DIR",
            defaultValue = "/var/lib/gelato",
            description = "Directory of what is the CE's own. Default: /var/lib/gelato")
    Path home;

    @Option(
            names = "--log-directory",
            paramLabel = "DIR",
            defaultValue = "/var/log/gelato",
            description = "Directory of the audit and access log. Default: /var/log/gelato")
    Path logDirectory;

    @Option(
            names = "--sudoers-directory",
            paramLabel = "DIR",
            defaultValue = "/etc/sudoers.d",
            description = "Where the sudo rule is written. Default: /etc/sudoers.d")
    Path sudoersDirectory;

    @Option(
            names = "--environment-file",
            paramLabel = "FILE",
            description = "Variables of the service. Default: /etc/sysconfig/gelato-ce where that is there, as on EL, "
                    + "else /etc/default/gelato-ce")
    Path environmentFile = environmentFile(Path.of("/etc"));

    @Option(names = "--dry-run", description = "Shows each file and writes nothing.")
    boolean dryRun;

    @Option(names = "--force", description = "Replaces files with other content; FILE.old holds what was there.")
    boolean force;

    @Option(names = "--yes", description = "Asks nothing: options and what is found count.")
    boolean yes;

    @Option(
            names = "--no-check",
            description = "Writes the files alone: no delegation key, no schema of the database, no check.")
    boolean noCheck;

    /** For picocli, which fills it. */
    public SetupOptions() {}

    /** The file of variables that the package of this host has; the service reads both. */
    static Path environmentFile(Path etc) {
        Path ofRpm = etc.resolve("sysconfig/gelato-ce");
        return Files.exists(ofRpm) ? ofRpm : etc.resolve("default/gelato-ce");
    }

    /** Gives a command the options that each kind of batch system has. */
    public void addTo(CommandSpec command) {
        LrmsTypes.all().stream().flatMap(type -> type.setupOptions().stream()).forEach(option -> {
            OptionSpec spec = OptionSpec.builder(option.name())
                    .paramLabel(option.label())
                    .description(option.description())
                    .type(option.value() == SetupOption.Value.TEXTS ? List.class : String.class)
                    .auxiliaryTypes(String.class)
                    .build();
            ofLrms.put(option, spec);
            command.addOption(spec);
        });
    }

    /** What the options of the kinds of batch systems say; without those that were not given. */
    Map<SetupOption, List<String>> ofLrms() {
        Map<SetupOption, List<String>> texts = new LinkedHashMap<>();
        ofLrms.forEach((option, spec) -> {
            if (spec.getValue() instanceof List<?> all && !all.isEmpty()) {
                texts.put(option, all.stream().map(String::valueOf).toList());
            } else if (spec.getValue() instanceof String text) {
                texts.put(option, List.of(text));
            }
        });
        return texts;
    }

    /** The values of an option of a batch system, in their order; empty when it was not given. */
    List<String> ofLrms(String name) {
        return ofLrms().entrySet().stream()
                .filter(given -> given.getKey().name().equals(name))
                .flatMap(given -> given.getValue().stream())
                .toList();
    }

    /** The names of the kinds of batch systems. */
    static final class Kinds implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return LrmsTypes.all().stream().map(LrmsType::name).iterator();
        }
    }

    /** Whether nothing may be asked. */
    public boolean silent() {
        return yes;
    }

    /** Whether nothing may be written. */
    public boolean isDryRun() {
        return dryRun;
    }

    /** Whether the files alone are wanted. */
    public boolean filesOnly() {
        return noCheck;
    }
}
