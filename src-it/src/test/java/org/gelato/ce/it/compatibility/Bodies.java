package org.gelato.ce.it.compatibility;

/**
 * The contents of the Body of requests, with the prefixes of the original client. Texts are escaped unless noted
 * otherwise.
 */
final class Bodies {
    private Bodies() {}

    /** One job of a registration; null leaves a part out. */
    record Description(String ref, String jdl, String delegation, String proxy, String lease, Boolean autoStart) {
        static Description of(String ref, String jdl, String delegation) {
            return new Description(ref, jdl, delegation, null, null, false);
        }

        Description lease(String id) {
            return new Description(ref, jdl, delegation, proxy, id, autoStart);
        }

        Description autoStart(Boolean start) {
            return new Description(ref, jdl, delegation, proxy, lease, start);
        }

        Description proxy(String pem) {
            return new Description(ref, jdl, delegation, pem, lease, autoStart);
        }

        private String text() {
            String attribute = ref == null ? "" : " jobDescriptionId=\"" + escaped(ref) + "\"";
            return "<CREAMTYPES:jobDescriptionList" + attribute + ">" + optional("JDL", jdl)
                    + optional("delegationId", delegation) + optional("delegationProxy", proxy)
                    + optional("leaseId", lease)
                    + optional("autoStart", autoStart == null ? null : autoStart.toString())
                    + "</CREAMTYPES:jobDescriptionList>";
        }
    }

    /** An element of the job service with content as it stands. */
    static String t(String name, String content) {
        return "<CREAMTYPES:" + name + ">" + content + "</CREAMTYPES:" + name + ">";
    }

    static String leaf(String name, String text) {
        return t(name, escaped(text));
    }

    static String optional(String name, String text) {
        return text == null ? "" : leaf(name, text);
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("\"", "&quot;")
                .replace("\r", "&#13;")
                .replace("\n", "&#10;");
    }

    static String serviceInfo(int verbosity) {
        return leaf("ServiceInfoRequest", Integer.toString(verbosity));
    }

    static String accept(boolean jobs) {
        return leaf("acceptNewJobSubmissions", Boolean.toString(jobs));
    }

    static String register(Description... descriptions) {
        StringBuilder text = new StringBuilder();
        for (Description d : descriptions) {
            text.append(d.text());
        }
        return t("JobRegisterRequest", text.toString());
    }

    static String filter(WireOperation operation, Filter filter) {
        return t(operation.request(), filter.text());
    }

    static String setLeaseId(String lease, Filter filter) {
        return t("JobSetLeaseIdRequest", optional("newLeaseId", lease) + t("jobFilter", filter.text()));
    }

    static String lease(String id, String time) {
        return t("setLeaseRequest", optional("leaseId", id) + leaf("leaseTime", time));
    }

    /** getLease, deleteLease. */
    static String leaseId(WireOperation operation, String id) {
        return leaf(operation.request(), id);
    }

    /** A query by event ids; null leaves a bound out. */
    static String events(String from, String to, int max) {
        return events(optional("fromEventId", from) + optional("toEventId", to), "JOB_STATUS", max, "");
    }

    static String events(String bounds, String type, int max, String properties) {
        return t(
                "QueryEventRequest",
                bounds
                        + optional("eventType", type)
                        + leaf("maxQueryEventResultSize", Integer.toString(max))
                        + leaf("verbosityLevel", "0")
                        + properties);
    }

    static String property(String name, String value) {
        return t("property", leaf("name", name) + leaf("value", value));
    }

    /** A delegation call with unqualified parameters, given as name and text in turn. */
    static String delegation(WireOperation operation, String... parameters) {
        StringBuilder text = new StringBuilder("<delegation2:" + operation.request() + ">");
        for (int i = 0; i < parameters.length; i += 2) {
            String value = parameters[i].equals("proxy") ? parameters[i + 1] : escaped(parameters[i + 1]);
            text.append('<').append(parameters[i]).append('>').append(value);
            text.append("</").append(parameters[i]).append('>');
        }
        return text.append("</delegation2:")
                .append(operation.request())
                .append('>')
                .toString();
    }

    static String putProxy(String id, String chain) {
        return delegation(WireOperation.PUT_PROXY, "delegationID", id, "proxy", chain);
    }
}
