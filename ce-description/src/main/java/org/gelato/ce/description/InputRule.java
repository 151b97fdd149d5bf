package org.gelato.ce.description;

import java.util.List;

/** Where input files may come from (docs/developer/protocol/jdl.md section 3, first table). */
public final class InputRule {
    private InputRule() {}

    /**
     * The files of an input sandbox.
     *
     * @param base null when absent
     */
    public static List<JobRequest.InputFile> check(List<String> items, String base) throws DescriptionException {
        if (base != null) {
            UriRule.check("InputSandboxBaseURI", base);
        }
        SandboxRule.joined("InputSandbox", items, "InputSandboxBaseURI", base);
        for (String item : items) {
            if (item.contains("://")) {
                UriRule.check("InputSandbox", item);
            }
        }
        return items.stream()
                .map(item -> new JobRequest.InputFile(
                        SandboxItem.baseName(item), SandboxItem.isUploaded(item, base) ? null : item, base, false))
                .toList();
    }
}
