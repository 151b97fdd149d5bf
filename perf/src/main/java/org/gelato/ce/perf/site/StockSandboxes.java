package org.gelato.ce.perf.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.SandboxLayout;

/** Sandboxes of jobs that were stored without running: copies of one a job left, with all its files, owners and modes. */
public final class StockSandboxes {
    private final Path model;
    private final Path home;
    private final SandboxLayout layout;

    private StockSandboxes(Path model, SandboxLayout layout) {
        this.model = model;
        this.layout = layout;
        // home/12/34/CREAM123456789
        home = model.getParent().getParent().getParent();
    }

    /** @throws IllegalStateException when the job has no sandbox */
    public static StockSandboxes like(PerfSite site, JobId job) {
        return new StockSandboxes(site.sandbox(job), new SandboxLayout(site.sandboxes()));
    }

    /** Makes the sandboxes of some jobs of the same owner. */
    public void make(List<JobId> jobs) {
        try {
            for (JobId job : jobs) {
                copy(layout.sandbox(home, job));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("sandboxes could not be made: " + e.getMessage(), e);
        }
    }

    private void copy(Path to) throws IOException {
        for (Path above : List.of(to.getParent().getParent(), to.getParent())) {
            if (!Files.isDirectory(above)) {
                like(
                        above == to.getParent()
                                ? model.getParent()
                                : model.getParent().getParent(),
                        above);
            }
        }
        Files.walkFileTree(model, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs) throws IOException {
                like(dir, to.resolve(model.relativize(dir).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attrs) throws IOException {
                Path copy = to.resolve(model.relativize(file).toString());
                Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                Files.setOwner(copy, Files.getOwner(file));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void like(Path directory, Path copy) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(directory, PosixFileAttributes.class);
        Files.createDirectory(copy);
        Files.setPosixFilePermissions(copy, attributes.permissions());
        Files.setOwner(copy, attributes.owner());
    }

    /** What is renamed away and not removed yet. */
    public long inTrash() {
        Path trash = layout.trash(home);
        if (!Files.isDirectory(trash)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(trash)) {
            return all.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sandboxes of this owner that lie where a job's sandbox belongs. */
    public long inPlace() {
        try (Stream<Path> all = Files.find(
                home,
                3,
                (path, attributes) -> attributes.isDirectory()
                        && JobId.parse(path.getFileName().toString()).isPresent())) {
            return all.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
