package org.gelato.ce.ws.web;

import java.net.URI;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.wrapper.ServiceUrls;

/**
 * The names and paths of a CREAM CE.
 *
 * @param baseUrl {@code https://host:port}, without a slash at the end
 */
public record CreamUrls(URI baseUrl) implements ServiceUrls {
    @Override
    public String job(JobId id) {
        return baseUrl + "/" + id;
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
