package org.gelato.ce.core.wrapper.peer;

import java.util.Map;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.wrapper.ServiceUrls;

/** The addresses of a CE that does not exist. */
public final class TestUrls implements ServiceUrls {
    private static final String BASE = "https://ce.example:8443/";

    @Override
    public Map<String, String> names(JobId id, boolean arc) {
        return Map.of(arc ? "ARC" : "CREAM", BASE + id);
    }

    @Override
    public String queue(String lrms, String queue) {
        return "ce.example:8443/" + lrms + "-" + queue;
    }

    @Override
    public String events() {
        return BASE + "events";
    }

    @Override
    public String messages() {
        return BASE + "messages";
    }

    @Override
    public String claims() {
        return BASE + "claims";
    }

    @Override
    public String proxy(JobId id) {
        return BASE + "proxy/" + id;
    }

    @Override
    public String input(JobId id) {
        return BASE + "input/" + id + "/";
    }

    @Override
    public String output(JobId id) {
        return BASE + "output/" + id + "/";
    }
}
