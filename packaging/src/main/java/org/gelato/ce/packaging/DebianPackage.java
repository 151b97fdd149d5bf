package org.gelato.ce.packaging;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.vafer.jdeb.Compression;
import org.vafer.jdeb.Console;
import org.vafer.jdeb.DataProducer;
import org.vafer.jdeb.DebMaker;
import org.vafer.jdeb.PackagingException;
import org.vafer.jdeb.mapping.Mapper;
import org.vafer.jdeb.mapping.PermMapper;
import org.vafer.jdeb.producers.DataProducerFile;
import org.vafer.jdeb.producers.DataProducerLink;

/** Writes one {@code .deb} by jdeb. */
final class DebianPackage {
    private static final int MODE_OF_DIRECTORIES = 0755;
    private static final Console QUIET = new Console() {
        @Override
        public void debug(String message) {}

        @Override
        public void info(String message) {}

        @Override
        public void warn(String message) {
            System.err.println(message);
        }
    };

    private DebianPackage() {}

    /**
     * Writes it.
     *
     * @param control directory with the file {@code control} and the maintainer scripts
     * @param contents of this package
     * @param time of all that is in the archive: the same contents give the same bytes
     * @throws IOException when a file cannot be read or written
     */
    static void write(Path control, Collection<Contents.Line> contents, String version, Instant time, Path deb)
            throws IOException {
        List<DataProducer> all = new ArrayList<>();
        List<DataProducer> configuration = new ArrayList<>();
        for (Contents.Line line : contents) {
            if (line.kind() == Contents.Kind.SITE) {
                continue;
            }
            DataProducer producer = producer(line);
            all.add(producer);
            if (line.kind() == Contents.Kind.CONFIG) {
                configuration.add(producer);
            }
        }
        DebMaker maker = new DebMaker(QUIET, all, configuration);
        maker.setControl(control.toFile());
        maker.setDeb(deb.toFile());
        maker.setResolver(name -> name.equals("version") ? version : null);
        maker.setTarLongFileMode("gnu");
        maker.setOutputTimestampMs(time.toEpochMilli());
        try {
            maker.validate();
            // The jars are compressed, so a better method gains nothing.
            maker.createDeb(Compression.GZIP);
        } catch (PackagingException e) {
            throw new IOException("cannot write " + deb + ": " + e.getMessage(), e);
        }
    }

    /** All is root's in the archive, directories on the way too; the package's postinst gives files to other groups. */
    private static DataProducer producer(Contents.Line line) {
        String path = "." + line.path();
        if (line.kind() == Contents.Kind.LINK) {
            return new DataProducerLink(path, line.source(), true, null, null, new Mapper[] {
                new PermMapper(0, 0, "root", "root", -1, MODE_OF_DIRECTORIES, 0, null)
            });
        }
        Mapper owner =
                new PermMapper(0, 0, "root", "root", Integer.parseInt(line.mode(), 8), MODE_OF_DIRECTORIES, 0, null);
        return new DataProducerFile(new File(line.source()), path, null, null, new Mapper[] {owner});
    }
}
