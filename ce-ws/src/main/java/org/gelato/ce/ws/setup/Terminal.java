package org.gelato.ce.ws.setup;

/** Someone who answers questions. */
public interface Terminal {
    /**
     * Shows a question and waits for the response.
     *
     * @param question without the proposal
     * @param proposal what an empty response means; null for nothing
     * @return the response, or the proposal; null when there is neither
     */
    String ask(String question, String proposal);

    void show(String line);
}
