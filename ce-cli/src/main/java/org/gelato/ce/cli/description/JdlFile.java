package org.gelato.ce.cli.description;

import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ResourceName;

/** Fits a job description in JDL to a queue. */
public final class JdlFile {
    private static final String QUEUE = "QueueName";

    private JdlFile() {}

    /**
     * Reads a description.
     *
     * @param label how messages call it
     * @param resource where it is to run; null when the description contains it
     * @param byDefault whether a queue of the description counts before it
     * @throws CliException naming the description and what is wrong with it
     */
    public static JdlText of(String label, String text, ResourceName resource, boolean byDefault) {
        try {
            JdlText jdl = JdlText.of(text);
            if (jdl.isEmpty()) {
                throw new CliException("no job description: it sets no attribute");
            }
            return resource == null || (byDefault && jdl.has(QUEUE)) ? jdl : jdl.with(attributes(resource));
        } catch (CliException e) {
            throw new CliException(label + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, String> attributes(ResourceName resource) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("BatchSystem", resource.batchSystem());
        attributes.put(QUEUE, resource.queue());
        return attributes;
    }
}
