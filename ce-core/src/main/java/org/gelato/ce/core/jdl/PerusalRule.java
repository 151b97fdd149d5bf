package org.gelato.ce.core.jdl;

import java.util.Map;

/** Looking at files of a running job: when it is on, interval and places are needed. */
final class PerusalRule {
    private PerusalRule() {}

    /** @param others gets the attributes when perusal is on */
    static void check(Attributes attributes, Map<String, String> others) throws JdlException {
        if (!attributes.flag("PerusalFileEnable")) {
            return;
        }
        Integer interval = attributes.positive("PerusalTimeInterval");
        if (interval == null) {
            throw new JdlException("mandatory attribute \"PerusalTimeInterval\" not defined!");
        }
        String files = attributes.mandatory("PerusalFilesDestURI");
        String scheme = UriRule.scheme(UriRule.check("PerusalFilesDestURI", files));
        if (!scheme.equals("gsiftp") && !scheme.equals("https")) {
            throw new JdlException("PerusalFilesDestURI: wrong protocol (just gridFTP and https URIs are supported)");
        }
        String list = attributes.mandatory("PerusalListFileURI");
        if (!UriRule.scheme(UriRule.check("PerusalListFileURI", list)).equals("gsiftp")) {
            throw new JdlException("PerusalListFileURI: wrong protocol (just gridFTP URIs are supported)");
        }
        others.put("PerusalFileEnable", "true");
        others.put("PerusalTimeInterval", interval.toString());
        others.put("PerusalFilesDestURI", files);
        others.put("PerusalListFileURI", list);
    }
}
