package org.gelato.ce.ws.setup;

/** Someone who answers questions. */
public interface Terminal {
    /**
     * Shows a question and waits for the answer.
     *
     * @param question without the proposal
     * @param proposal what an empty answer means; null for nothing
     * @return the answer, or the proposal; null when there is neither
     */
    String ask(String question, String proposal);

    /** Shows a line. */
    void show(String line);
}
