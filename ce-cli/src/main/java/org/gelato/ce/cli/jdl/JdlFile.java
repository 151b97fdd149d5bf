package org.gelato.ce.cli.jdl;

import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ResourceName;

/** Fits a job description in JDL to a queue. */
public final class JdlFile {
    private JdlFile() {}

    /**
     * Reads a description.
     *
     * @param label how messages call it
     * @param resource where it is to run; null when the description contains it
     * @throws CliException naming the description and what is wrong with it
     */
    public static JdlText of(String label, String text, ResourceName resource) {
        try {
            JdlText jdl = JdlText.of(text);
            if (jdl.isEmpty()) {
                throw new CliException(label + ": no job description: it sets no attribute");
            }
            return resource == null ? jdl : jdl.with(attributes(resource));
        } catch (JdlSyntaxException e) {
            throw new CliException(label + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, String> attributes(ResourceName resource) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("BatchSystem", resource.batchSystem());
        attributes.put("QueueName", resource.queue());
        return attributes;
    }
}
