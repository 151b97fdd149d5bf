package org.gelato.ce.cli.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** File names in paths of URIs. */
public final class PathText {
    private PathText() {}

    /** Percent-encodes everything but slashes and what may stand there plainly. */
    public static String encode(String name) {
        return Arrays.stream(name.split("/", -1))
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }
}
