package org.gelato.ce.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Standard output, whose first failure is an {@link OutputLost}: a {@link java.io.PrintStream} would keep it to itself. */
public final class ResultStream extends FilterOutputStream {
    private final BooleanSupplier pipe;

    /** @param pipe asked at a failure: whether the stream is a pipe or socket, which fails only when its reader has gone */
    public ResultStream(OutputStream out, BooleanSupplier pipe) {
        super(out);
        this.pipe = pipe;
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw new OutputLost(e, pipe.getAsBoolean());
        }
    }

    @Override
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw new OutputLost(e, pipe.getAsBoolean());
        }
    }

    /** Whether the standard output of this process is one. Not by the text of an error, which is in the user's language. */
    public static boolean isPipe() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().matches("(pipe|socket):.*");
        } catch (IOException e) {
            return false;
        }
    }
}
