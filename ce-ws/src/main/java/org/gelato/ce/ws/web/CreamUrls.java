package org.gelato.ce.ws.web;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.wrapper.ServiceUrls;

/**
 * The names and paths of a CREAM CE.
 *
 * @param baseUrl {@code https://host:port}, without a slash at the end
 */
public record CreamUrls(URI baseUrl) implements ServiceUrls {
    /** By those of A-REX, DIRAC's pilots know what runs them, and what their jobs are called there: the base of its jobs, and not that of ARC REST. */
    @Override
    public Map<String, String> names(JobId id, boolean arc) {
        Map<String, String> names = new LinkedHashMap<>();
        if (!arc) {
            names.put("CREAM_JOBID", baseUrl + "/" + id);
            return names;
        }
        names.put("GRID_GLOBAL_JOBID", id.toString());
        names.put("GRID_GLOBAL_JOBURL", baseUrl + "/arex/" + id);
        names.put("GRID_GLOBAL_JOBINTERFACE", "org.nordugrid.arcrest");
        names.put("GRID_GLOBAL_JOBHOST", baseUrl.getHost());
        return names;
    }

    /** {@code host:port/cream-lrms-queue}. */
    @Override
    public String queue(String lrms, String queue) {
        return baseUrl.getAuthority() + "/cream-" + lrms + "-" + queue;
    }

    @Override
    public String events() {
        return at("wrapper-events");
    }

    @Override
    public String messages() {
        return at("wrapper-messages");
    }

    @Override
    public String claims() {
        return at("wrapper-claims");
    }

    @Override
    public String proxy(JobId id) {
        return at("proxy/" + id);
    }

    @Override
    public String input(JobId id) {
        return at("input/" + id + "/");
    }

    @Override
    public String output(JobId id) {
        return at("output/" + id + "/");
    }

    private String at(String path) {
        return baseUrl + ServicePath.CE_CREAM + "/" + path;
    }
}
