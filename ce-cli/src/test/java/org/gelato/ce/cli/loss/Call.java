package org.gelato.ce.cli.loss;

/** The calls that change something, in both protocols. */
enum Call {
    NEW_DELEGATION("getProxyReq", "POST", "/delegations\\?action=new"),
    RENEWAL("renewProxyReq", "POST", "/delegations/[^/]+\\?action=renew"),
    PUT_PROXY("putProxy", "PUT", "/delegations/[^/]+"),
    REGISTER("JobRegisterRequest", "POST", "/jobs\\?action=new.*"),
    UPLOAD("", "PUT", "/jobs/[^/]+/session/.*"),
    START("JobStartRequest", "", ""),
    CANCEL("JobCancelRequest", "POST", "/jobs\\?action=kill"),
    PURGE("JobPurgeRequest", "POST", "/jobs\\?action=clean");

    private final String element;
    private final String method;
    private final String path;

    Call(String element, String method, String path) {
        this.element = element;
        this.method = method;
        this.path = path;
    }

    /** Whether a request is this call. */
    boolean is(Http.Request request) {
        if (request.target().startsWith(MemoryCe.ARC)) {
            return request.is(method, MemoryCe.ARC + path);
        }
        return this == UPLOAD
                ? request.method().equals("PUT")
                : !element.isEmpty()
                        && request.method().equals("POST")
                        && request.text().contains(":" + element + " ");
    }
}
