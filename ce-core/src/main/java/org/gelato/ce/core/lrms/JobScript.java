package org.gelato.ce.core.lrms;

import java.util.List;
import java.util.stream.Stream;

/** The script that a batch system is given: the wrapper with directives. Pure. */
public final class JobScript {
    private JobScript() {}

    /**
     * The wrapper with lines behind its first one, by which the node runs it. Directives end there, before anything of the user's.
     *
     * @param directives where two say the same, each batch system has its own rule which counts
     * @param commands that the job runs before its wrapper
     */
    public static String of(String wrapper, List<String> directives, List<String> commands) {
        int end = wrapper.startsWith("#!") ? wrapper.indexOf('\n') : -1;
        StringBuilder text = new StringBuilder(end < 0 ? "#!/bin/bash" : wrapper.substring(0, end)).append('\n');
        Stream.of(directives, List.of(":"), commands)
                .flatMap(List::stream)
                .forEach(line -> text.append(line).append('\n'));
        return text.append(wrapper, end + 1, wrapper.length()).toString();
    }
}
