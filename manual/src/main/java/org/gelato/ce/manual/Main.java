package org.gelato.ce.manual;

import java.io.IOException;
import java.nio.file.Path;

/** {@code Main SOURCES DIRECTORY}: makes the manual of the sources in a directory. Fails, naming each, when links lead nowhere. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        new HtmlManual(Path.of(arguments[0]).normalize()).write(Path.of(arguments[1]));
    }
}
