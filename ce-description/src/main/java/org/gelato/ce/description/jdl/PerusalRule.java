package org.gelato.ce.description.jdl;

import java.util.Map;
import java.util.Set;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.UriRule;

/** Looking at files of a running job: when it is on, interval and places are needed. */
final class PerusalRule {
    private PerusalRule() {}

    /** @param others gets the attributes when perusal is on */
    static void check(Attributes attributes, Map<String, String> others) throws DescriptionException {
        if (!attributes.flag("PerusalFileEnable")) {
            return;
        }
        Integer interval = attributes.positive("PerusalTimeInterval");
        if (interval == null) {
            throw Attributes.missing("PerusalTimeInterval", "");
        }
        String files = attributes.mandatory("PerusalFilesDestURI");
        UriRule.check("PerusalFilesDestURI", files, Set.of("gsiftp", "https"), "gridFTP and https");
        String list = attributes.mandatory("PerusalListFileURI");
        UriRule.check("PerusalListFileURI", list, Set.of("gsiftp"), "gridFTP");
        others.put("PerusalFileEnable", "true");
        others.put("PerusalTimeInterval", interval.toString());
        others.put("PerusalFilesDestURI", files);
        others.put("PerusalListFileURI", list);
    }
}
