package org.gelato.ce.it.gsoap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The client of {@code src/test/cpp}, built on stubs that {@code wsdl2h} and {@code soapcpp2} make from two descriptions.
 * Made anew each time: generating and compiling without optimisation takes some seconds. For one thread.
 */
final class GsoapClient {
    private static final Path SOURCES = Path.of("src", "test", "cpp");
    private static final List<String> PROGRAMS = List.of("wsdl2h", "soapcpp2", "g++");
    private static final List<String> COMPILE = List.of("g++", "-std=c++17", "-O0");
    /** As Debian's library was compiled; code compiled otherwise would see other structures. */
    private static final List<String> DEFINES = List.of("-DWITH_IPV6", "-DWITH_OPENSSL", "-DWITH_GZIP", "-DWITH_DOM");

    private static final List<String> LIBRARIES = List.of("-lgsoapssl++", "-lssl", "-lcrypto", "-lz");

    private static final long LONGEST_MINUTES = 5;

    private final Path folder;

    private GsoapClient(Path folder) {
        this.folder = folder;
    }

    /** What must be installed before a client can be built here; empty when nothing is missing. */
    static Optional<String> missing() throws IOException {
        for (String program : PROGRAMS) {
            if (Stream.of(System.getenv("PATH").split(":"))
                    .noneMatch(directory -> Files.isExecutable(Path.of(directory, program)))) {
                return Optional.of(program + " is not installed (Debian: gsoap, g++)");
            }
        }
        Path source = Files.createTempFile("gsoap", ".cpp");
        Path log = Files.createTempFile("gsoap", ".log");
        try {
            Files.writeString(source, "#include <stdsoap2.h>\n#include <openssl/ssl.h>\n#include <zlib.h>\n");
            List<String> command = new ArrayList<>(COMPILE);
            command.addAll(DEFINES);
            command.addAll(List.of("-fsyntax-only", source.toString()));
            return run(command, log) == 0
                    ? Optional.empty()
                    : Optional.of("the headers of gSOAP, OpenSSL or zlib are not installed"
                            + " (Debian: libgsoap-dev, libssl-dev, zlib1g-dev)");
        } finally {
            Files.delete(source);
            Files.delete(log);
        }
    }

    /**
     * Builds a client.
     *
     * @param folder for all that is made; what is there from before is overwritten
     * @param descriptions WSDL texts of the job service and the delegation service
     * @throws AssertionError with the tool's message when a tool does not take what it gets
     */
    static GsoapClient build(Path folder, List<String> descriptions) throws IOException {
        Path generated = Files.createDirectories(folder.resolve("generated"));
        List<String> read = new ArrayList<>(List.of("wsdl2h", "-o", "services.h"));
        for (String description : descriptions) {
            String name = "service" + read.size() + ".wsdl";
            Files.writeString(generated.resolve(name), description);
            read.add(name);
        }
        GsoapClient client = new GsoapClient(folder);
        client.must(generated, read);
        // -C no server, -j proxy classes, -1 SOAP 1.1, -x no sample messages
        client.must(
                generated,
                List.of("soapcpp2", "-C", "-j", "-1", "-x", "-w", "-I/usr/share/gsoap/import", "services.h"));
        client.must(generated, compile(List.of("-w", "-c", "soapC.cpp")));
        client.must(generated, compile(List.of("-w", "-c", "soapCream2SoapProxy.cpp")));
        client.must(generated, compile(List.of("-w", "-c", "soapDelegationSoapProxy.cpp")));
        List<String> last = new ArrayList<>(List.of("-Wall", "-Wextra", "-Werror", "-isystem", "."));
        try (Stream<Path> sources = Files.list(SOURCES)) {
            sources.filter(p -> p.toString().endsWith(".cpp"))
                    .sorted()
                    .forEach(p -> last.add(p.toAbsolutePath().toString()));
        }
        last.addAll(List.of("soapC.o", "soapCream2SoapProxy.o", "soapDelegationSoapProxy.o"));
        last.addAll(List.of("-o", client.program().toAbsolutePath().toString()));
        last.addAll(LIBRARIES);
        client.must(generated, compile(last));
        return client;
    }

    private Path program() {
        return folder.resolve("client");
    }

    /** Where the lines of the last run are. */
    Path log() {
        return folder.resolve("run.log");
    }

    /** Runs the client; its lines go to {@link #log}. Answers its exit code. */
    int run(List<String> arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(program().toAbsolutePath().toString()));
        command.addAll(arguments);
        return run(command, log());
    }

    private static List<String> compile(List<String> arguments) {
        List<String> command = new ArrayList<>(COMPILE);
        command.addAll(DEFINES);
        command.addAll(arguments);
        return command;
    }

    private void must(Path directory, List<String> command) throws IOException {
        Path log = folder.resolve("build.log");
        int exit = end(new ProcessBuilder(command).directory(directory.toFile()), log);
        if (exit != 0) {
            throw new AssertionError(String.join(" ", command) + " ended with " + exit + ": " + Files.readString(log));
        }
    }

    private static int run(List<String> command, Path log) throws IOException {
        return end(new ProcessBuilder(command), log);
    }

    private static int end(ProcessBuilder builder, Path log) throws IOException {
        Process process = builder.redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError(builder.command().get(0) + " did not end: " + Files.readString(log));
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.destroyForcibly();
        }
    }
}
