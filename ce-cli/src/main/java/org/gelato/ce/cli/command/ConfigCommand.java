package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.NamedCe;
import org.gelato.ce.cli.context.Settings;
import org.gelato.ce.cli.context.SettingsFile;
import org.gelato.ce.cli.credential.BearerToken;
import org.gelato.ce.cli.credential.TrustedAuthorities;
import org.gelato.ce.cli.credential.UserProxy;
import org.gelato.ce.cli.submission.Destination;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.Protocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ce config}: what the commands will use, and why. */
@Command(
        name = "config",
        description = {
            "Shows what the commands use, and where each value comes from: the command line, the environment, your"
                    + " configuration file, or a default. The first of them counts.",
            "The file is gelato/ce.conf below $XDG_CONFIG_HOME, else below ~/.config."
        },
        footer = {
            "",
            "Keys: endpoint, HOST[:PORT] or the name of a CE; queue, cream-LRMS-QUEUE; protocol, cream2, arcrest or auto;",
            "ces.NAME.endpoint, ces.NAME.queue and ces.NAME.protocol of a CE that -e NAME then takes."
        })
public final class ConfigCommand extends CeCommand {
    private static final String DEFAULT = "default";

    private final List<Row> rows = new ArrayList<>();

    private ConfigCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    /** {@code ce config} with its commands. */
    public static CommandLine all(CliContext context, CommonOptions options) {
        return new CommandLine(new ConfigCommand(context, options))
                .addSubcommand(new Set(context, options))
                .addSubcommand(new Unset(context, options));
    }

    private record Row(String key, String value, String from) {}

    @Override
    public Integer call() {
        Map<String, String> environment = context.environment();
        Optional<SettingsFile> file = SettingsFile.locate(environment);
        Settings settings = options.settings(environment);
        ce(settings, file.map(SettingsFile::path).orElse(null));
        row(
                "proxy",
                UserProxy.locate(options.proxy(), environment).toString(),
                from(options.proxy(), "--proxy", "X509_USER_PROXY"));
        row(
                "ca",
                TrustedAuthorities.locate(options.ca(), environment).toString(),
                from(options.ca(), "--ca", "X509_CERT_DIR"));
        BearerToken.find(environment).ifPresent(token -> row("token", "present", token.source()));
        for (NamedCe ce : settings.named()) {
            for (String key : List.of(Settings.ENDPOINT, Settings.QUEUE, Settings.PROTOCOL)) {
                String full = "ces." + ce.name() + "." + key;
                settings.value(full)
                        .ifPresent(value -> row(
                                full,
                                value,
                                line(settings, full, file.orElseThrow().path())));
            }
        }
        print(file.map(SettingsFile::path));
        return ExitCode.OK;
    }

    private void ce(Settings settings, Path file) {
        Map<String, String> environment = context.environment();
        Optional<String> given = CommonOptions.setting(environment, "CE_ENDPOINT");
        Optional<NamedCe> ce = options.ce(environment);
        String from = options.namesCe()
                ? "--endpoint"
                : given.isPresent()
                        ? "CE_ENDPOINT"
                        : ce.isPresent() ? line(settings, Settings.ENDPOINT, file) : "nowhere";
        row(Settings.ENDPOINT, ce.map(known -> known.endpoint() + named(known)).orElse("-"), from);
        Optional<Destination> destination = Destination.choose(null, options, environment);
        Optional<String> queue = destination.map(Destination::queue).map(Object::toString);
        row(Settings.QUEUE, queue.orElse("-"), queue(destination, ce, settings, file));
        Protocol protocol =
                ce.map(known -> options.protocol(known.endpoint(), environment)).orElse(Protocol.AUTO);
        row(Settings.PROTOCOL, protocol.toString(), protocol(ce, protocol, settings, file));
    }

    private static String named(NamedCe ce) {
        return ce.name() == null ? "" : " (" + ce.name() + ")";
    }

    private String queue(Optional<Destination> destination, Optional<NamedCe> ce, Settings settings, Path file) {
        if (destination.isEmpty() || destination.get().queue() == null) {
            return "nowhere";
        }
        if (!destination.get().byDefault()) {
            return "CE_RESOURCE";
        }
        String own = "ces." + ce.map(NamedCe::name).orElse(null) + "." + Settings.QUEUE;
        return line(settings, settings.value(own).isPresent() ? own : Settings.QUEUE, file);
    }

    private String protocol(Optional<NamedCe> ce, Protocol protocol, Settings settings, Path file) {
        if (options.namesProtocol()) {
            return "--protocol";
        }
        if (ce.isPresent() && ce.get().endpoint().protocol() != Protocol.AUTO) {
            return "the CE's address";
        }
        if (CommonOptions.setting(context.environment(), "CE_PROTOCOL").isPresent()) {
            return "CE_PROTOCOL";
        }
        if (protocol == Protocol.AUTO) {
            return DEFAULT;
        }
        return settings.named().stream()
                .filter(known -> ce.isPresent() && known.isAt(ce.get().endpoint()) && known.protocol() == protocol)
                .map(known -> "ces." + known.name() + "." + Settings.PROTOCOL)
                .filter(key -> settings.value(key).isPresent())
                .findFirst()
                .map(key -> line(settings, key, file))
                .orElseGet(() -> line(settings, Settings.PROTOCOL, file));
    }

    private String from(Optional<Path> option, String name, String variable) {
        if (option.isPresent()) {
            return name;
        }
        return CommonOptions.setting(context.environment(), variable).isPresent() ? variable : DEFAULT;
    }

    private static String line(Settings settings, String key, Path file) {
        return file + ", line " + settings.line(key);
    }

    private void row(String key, String value, String from) {
        rows.add(new Row(key, value, from));
    }

    private void print(Optional<Path> file) {
        if (options.json()) {
            ObjectNode root = JsonResult.object();
            file.ifPresent(path -> root.put("file", path.toString()));
            ArrayNode values = root.putArray("values");
            rows.forEach(row -> values.addObject()
                    .put("key", row.key)
                    .put("value", row.value)
                    .put("from", row.from));
            JsonResult.print(context.out(), root);
            return;
        }
        int keys = rows.stream().mapToInt(row -> row.key.length()).max().orElse(0);
        int values = rows.stream().mapToInt(row -> row.value.length()).max().orElse(0);
        String form = "%-" + keys + "s  %-" + values + "s  %s%n";
        rows.forEach(row -> context.out().printf(form, row.key, Printable.line(row.value), Printable.line(row.from)));
        file.filter(path -> !Files.exists(path))
                .ifPresent(path -> summarize("there is no " + path + "; ce config set KEY VALUE makes it"));
    }

    /** A change of the file. */
    private abstract static class Change extends CeCommand {
        @Parameters(
                index = "0",
                paramLabel = "KEY",
                description = "endpoint, queue, protocol or ces.NAME.endpoint, ...")
        private String key;

        Change(CliContext context, CommonOptions options) {
            super(context, options);
        }

        final int change(String value) {
            SettingsFile file = SettingsFile.locate(context.environment())
                    .orElseThrow(() -> new CliException("neither HOME nor XDG_CONFIG_HOME says where your files are"));
            boolean changed = file.set(key, value);
            if (options.json()) {
                JsonResult.print(
                        context.out(),
                        JsonResult.object().put("file", file.path().toString()).put("changed", changed));
            } else {
                summarize(
                        changed
                                ? file.path() + " is changed"
                                : Printable.line(key)
                                        + (value == null ? " is not set in " : " is so already in ")
                                        + file.path());
            }
            return ExitCode.OK;
        }
    }

    /** {@code ce config set}. */
    @Command(
            name = "set",
            description = "Sets a key of your configuration file, and makes the file when it is not there.")
    static final class Set extends Change {
        @Parameters(index = "1", paramLabel = "VALUE", description = "The value.")
        private String value;

        Set(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            return change(value);
        }
    }

    /** {@code ce config unset}. */
    @Command(name = "unset", description = "Takes a key out of your configuration file.")
    static final class Unset extends Change {
        Unset(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            return change(null);
        }
    }
}
