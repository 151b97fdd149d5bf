package org.gelato.ce.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import org.gelato.ce.cli.ProtocolConnector;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import picocli.CommandLine;

/**
 * Makes man pages and completion, and with them the {@code .deb} packages, {@code Main ROOT DIRECTORY [VERSION LIST]}, or what the RPMs hold,
 * {@code Main rpm ROOT BUILDROOT LISTS VERSION}.
 */
public final class Main {
    private static final String ALL_ARCHITECTURES = "gelato-client";
    private static final int OF_USERS = 1;
    private static final int OF_ADMINISTRATORS = 8;

    private Main() {}

    /**
     * Writes them, in place of what packages are there.
     *
     * @param args {@code rpm}, root of the sources, built, rpmbuild's root for what is installed, directory for the lists of files, version; or
     *     root of the sources, built; directory for the packages, made when absent; another version than that of the
     *     commit; another list than contents.list
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args[0].equals("rpm")) {
            Path root = Path.of(args[1]).toRealPath();
            generate(root, args[4]);
            RpmFiles.install(Contents.files(lines(root, "rpm"), root), Path.of(args[2]), Path.of(args[3]));
            return;
        }
        Path root = Path.of(args[0]).toRealPath();
        Path output = Files.createDirectories(Path.of(args[1]));
        String version = args.length > 2 ? args[2] : ofCommit(root);
        Instant time = Instant.ofEpochSecond(Long.parseLong(ofCommit(root, "--time")));
        removeOthers(output);
        generate(root, version);
        Collection<Contents.Line> files = Contents.files(
                args.length > 3 ? Contents.lines(Files.readAllLines(Path.of(args[3])), "deb") : lines(root, "deb"),
                root);
        for (String name :
                files.stream().map(Contents.Line::packageName).distinct().toList()) {
            String architecture = name.equals(ALL_ARCHITECTURES) ? "all" : "amd64";
            Path deb = output.resolve(name + "_" + version + "_" + architecture + ".deb");
            DebianPackage.write(
                    root.resolve("packaging/src/main/deb").resolve(name),
                    files.stream()
                            .filter(line -> line.packageName().equals(name))
                            .toList(),
                    version,
                    time,
                    deb);
            System.out.println(deb);
        }
        for (Map.Entry<String, String> part :
                Map.of("gelato-ce", "ce-ws", "gelato-client", "ce-cli").entrySet()) {
            Path bill = root.resolve(part.getValue()).resolve("target/bom.json");
            if (Files.exists(bill)) {
                Path beside = output.resolve(part.getKey() + "_" + version + ".cdx.json");
                Files.copy(bill, beside, StandardCopyOption.REPLACE_EXISTING);
                System.out.println(beside);
            }
        }
    }

    private static List<Contents.Line> lines(Path root, String format) throws IOException {
        return Contents.lines(Files.readAllLines(root.resolve("packaging/contents.list")), format);
    }

    /** What dev/version says of the commit. */
    private static String ofCommit(Path root, String... options) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("dev/version").toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String reported = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0 || reported.isEmpty()) {
            throw new IOException(String.join(" ", command) + " does not say a version: run it by hand");
        }
        return reported;
    }

    /** Of another version: what installs packages by a pattern would install both. */
    private static void removeOthers(Path output) throws IOException {
        try (DirectoryStream<Path> packages = Files.newDirectoryStream(output, "gelato-*_*.{deb,cdx.json}")) {
            for (Path old : packages) {
                Files.delete(old);
            }
        }
    }

    private static void generate(Path root, String version) throws IOException {
        Path generated = root.resolve("packaging/target/generated");
        CommandLine users = users();
        CommandLine server = org.gelato.ce.ws.boot.Main.commandLine();
        manPages(pages(users), generated.resolve("man" + OF_USERS), OF_USERS, version);
        manPages(pages(server), generated.resolve("man" + OF_ADMINISTRATORS), OF_ADMINISTRATORS, version);
        CommandLine all = completed(users, server);
        Files.writeString(generated.resolve("ce.bash"), ShellCompletion.bash(all));
        Files.writeString(generated.resolve("_ce"), ShellCompletion.zsh(all));
        Files.writeString(generated.resolve("ce.fish"), ShellCompletion.fish(all));
        compressed(generated.resolve("changelog.gz"), Files.readString(root.resolve("CHANGELOG.md")));
        Files.writeString(generated.resolve("reference.conf"), reference());
        Files.writeString(generated.resolve("version"), version + "\n");
        Files.write(generated.resolve("classes.list"), classes(root.resolve("ce-cli/target")));
    }

    /**
     * Classes for the client's archive: what was recorded of libraries and of Java, and all that are ours, as they change more often than the
     * record.
     *
     * @param built has the client's jar, and in {@code lib} those it needs
     */
    static List<String> classes(Path built) throws IOException {
        List<String> all = new ArrayList<>();
        try (InputStream recorded = Main.class.getResourceAsStream("client-classes.list")) {
            new String(recorded.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(all::add);
        }
        try (Stream<Path> own = Files.list(built);
                Stream<Path> needed = Files.list(built.resolve("lib"))) {
            for (Path jar : Stream.concat(own, needed)
                    .filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList()) {
                try (JarFile opened = new JarFile(jar.toFile())) {
                    opened.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.startsWith("org/gelato/ce/") && name.endsWith(".class"))
                            .map(name -> name.substring(0, name.length() - ".class".length()))
                            .sorted()
                            .forEach(all::add);
                }
            }
        }
        return all;
    }

    /** All keys with their defaults: those of the server, then those of each batch system. */
    private static String reference() throws IOException {
        StringBuilder all = new StringBuilder();
        ClassLoader loader = org.gelato.ce.ws.boot.Main.class.getClassLoader();
        for (URL part : Collections.list(loader.getResources("reference.conf"))) {
            try (InputStream in = part.openStream()) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                // The server's goes first, whatever the class path's order is.
                all.insert(
                        text.contains("gelato.lrms.") && !text.contains("\ngelato {") ? all.length() : 0, text + "\n");
            }
        }
        return all.toString();
    }

    /** All of {@code ce} in one tree, which the launcher makes of two: the server inherits no option of users. */
    static CommandLine completed(CommandLine users, CommandLine server) {
        CommandLine.Model.CommandSpec ce =
                CommandLine.Model.CommandSpec.create().name("ce");
        users.getCommandSpec()
                .options()
                .forEach(option -> ce.addOption(CommandLine.Model.OptionSpec.builder(option)
                        .scopeType(CommandLine.ScopeType.LOCAL)
                        .build()));
        CommandLine all = new CommandLine(ce);
        users.getSubcommands().forEach(all::addSubcommand);
        return all.addSubcommand("server", server);
    }

    /** The commands of users as {@code ce} has them; none of them is executed. */
    static CommandLine users() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return org.gelato.ce.cli.Main.commandLine(new CliContext(
                new StandardStreams(nowhere, nowhere, InputStream.nullInputStream(), false),
                Map.of(),
                Path.of("").toAbsolutePath(),
                Clock.systemUTC(),
                time -> {},
                new ProtocolConnector()));
    }

    /** A command and all below it, by the names of their pages. */
    static Map<String, CommandLine> pages(CommandLine command) {
        Map<String, CommandLine> pages = new LinkedHashMap<>();
        pages.put(ManPage.name(command), command);
        command.getSubcommands().values().forEach(below -> pages.putAll(pages(below)));
        return pages;
    }

    private static void manPages(Map<String, CommandLine> pages, Path directory, int section, String version)
            throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, CommandLine> page : pages.entrySet()) {
            compressed(
                    directory.resolve(page.getKey() + "." + section + ".gz"),
                    ManPage.of(page.getValue(), section, version));
        }
    }

    private static void compressed(Path file, String text) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
