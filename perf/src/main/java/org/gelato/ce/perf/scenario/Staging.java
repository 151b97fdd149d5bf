package org.gelato.ce.perf.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.gelato.ce.cli.wire.InputFile;
import org.gelato.ce.cli.wire.OutputFile;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.site.PlainFiles;

/** Files of a job brought and fetched by HTTPS, in turn with the same files by curl at a plain file server. */
final class Staging {
    private static final int[] FILES = {1, 10, 30};
    private static final long BYTES = 30_000_000;
    private static final int FULL = 10;
    private static final int REPETITIONS = 3;
    private static final double NANOS = 1e9;
    private static final int BUFFER = 1 << 16;

    private final Stage stage;
    private final RunRecord protocol;
    private final long bytes;

    private Staging(Stage stage, boolean full, RunRecord protocol) {
        this.stage = stage;
        this.protocol = protocol;
        bytes = full ? BYTES * FULL : BYTES;
    }

    static void measure(Stage stage, boolean full, RunRecord protocol) {
        Staging staging = new Staging(stage, full, protocol);
        protocol.count("staged_bytes", staging.bytes);
        protocol.note("Staged files are " + staging.bytes / 1_000_000
                + " MB together. The CE takes and gives a checksum, writes"
                + " as the job's account, and authenticates the client; curl and the JDK's file server do none of it.");
        try (PlainFiles plain = PlainFiles.start(stage.site())) {
            for (int number : FILES) {
                staging.files(plain, number);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("files cannot be staged: " + e.getMessage(), e);
        }
    }

    private void files(PlainFiles plain, int number) throws IOException {
        List<Path> files = make(number);
        List<Double> in = new ArrayList<>();
        List<Double> out = new ArrayList<>();
        List<Double> plainIn = new ArrayList<>();
        List<Double> plainOut = new ArrayList<>();
        Client client = stage.clients().get(0);
        Path fetched = Files.createDirectories(stage.site().base().resolve("fetched"));
        for (int i = 0; i < REPETITIONS; i++) {
            String id = client.registerWith(stage.site(), attribute(files));
            in.add(seconds(() -> files.forEach(
                    f -> client.ce().upload(id, new InputFile(f.getFileName().toString(), f), sent -> {}))));
            plainIn.add(seconds(() -> plain.put(files)));
            Client.accept(client.ce().start(List.of(id)));
            stage.awaitEnds();
            leave(id, files);
            out.add(seconds(() -> fetch(client, id, number)));
            plainOut.add(seconds(() -> plain.get(files, fetched)));
            client.purge(List.of(id));
        }
        String name = "." + number + "_files";
        protocol.count("stage_in_seconds" + name, Rates.median(in));
        protocol.count("curl_in_seconds" + name, Rates.median(plainIn));
        protocol.count("stage_in_to_curl" + name, Rates.ratio(Rates.median(in), Rates.median(plainIn)));
        protocol.count("stage_out_seconds" + name, Rates.median(out));
        protocol.count("curl_out_seconds" + name, Rates.median(plainOut));
        protocol.count("stage_out_to_curl" + name, Rates.ratio(Rates.median(out), Rates.median(plainOut)));
        for (Path file : files) {
            Files.delete(file);
        }
        Lives.await("the purge of the staged jobs", () -> stage.counts().openCommands());
    }

    private List<Path> make(int number) throws IOException {
        Path directory = Files.createDirectories(stage.site().base().resolve("staged"));
        byte[] content = new byte[Math.toIntExact(bytes / number)];
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            new Random(i).nextBytes(content);
            files.add(Files.write(directory.resolve("file-" + number + "-" + i), content));
        }
        return files;
    }

    private static String attribute(List<Path> files) {
        return files.stream()
                .map(f -> "\"" + f.getFileName() + "\"")
                .collect(Collectors.joining(", ", "InputSandbox = { ", " }; "));
    }

    /** Leaves them where the wrapper leaves output: simulated payloads have none. */
    private void leave(String id, List<Path> files) throws IOException {
        Path sandbox = stage.site().sandbox(JobId.parse(id).orElseThrow());
        UserPrincipal owner = Files.getOwner(sandbox);
        Path output = Files.createDirectories(sandbox.resolve("OSB"));
        if (!Files.getOwner(output).equals(owner)) {
            Files.setOwner(output, owner);
        }
        for (Path file : files) {
            Path copy = Files.copy(file, output.resolve(file.getFileName()));
            if (!Files.getOwner(copy).equals(owner)) {
                Files.setOwner(copy, owner);
            }
        }
    }

    private void fetch(Client client, String id, int number) {
        List<OutputFile> files = client.ce().outputFiles(id, false);
        long sum = 0;
        byte[] buffer = new byte[BUFFER];
        for (OutputFile file : files) {
            try (InputStream in = client.ce().output(id, file.name())) {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    sum += n;
                }
            } catch (IOException e) {
                throw new UncheckedIOException("output broke off: " + e.getMessage(), e);
            }
        }
        if (files.size() != number || sum != bytes / number * number) {
            throw new IllegalStateException(
                    "fetched " + files.size() + " files of " + sum + " bytes, not " + number + " of " + bytes);
        }
    }

    private static double seconds(Runnable work) {
        long begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / NANOS;
    }
}
