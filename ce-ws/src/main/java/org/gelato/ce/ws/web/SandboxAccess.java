package org.gelato.ce.ws.web;

import org.gelato.ce.core.identity.Caller;

/**
 * How a client reaches the sandboxes of its jobs by itself ({@code CREAMInputSandboxURI} and {@code CREAMOutputSandboxURI},
 * docs/developer/protocol/cream2-wire.md section 7). Thread-safe.
 */
public interface SandboxAccess {
    /** Whether clients can bring and fetch files so. */
    boolean isThere();

    /**
     * Gives a caller access; called before JobRegister returns a URI. Quick for a caller that had access before.
     *
     * @throws org.gelato.ce.core.fault.ServiceException INTERNAL when it can't be done: the client could not upload
     */
    void admit(Caller caller);

    /**
     * Where input files go.
     *
     * @param sandbox absolute path; null where a job has none
     * @return a URI without a slash at its end, or null when there is none
     */
    String input(String sandbox);

    /** Where output files are; as {@link #input}. */
    String output(String sandbox);
}
