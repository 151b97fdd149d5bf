package org.gelato.ce.ws.soap.gate;

/** The object that serves a call, where the response may be of any size: what Metro gets of it then is not sent. */
public interface StreamingEndpoint {
    /** The answer to the call's operation, with its first slice read; null when Metro has it. */
    StreamedResponse response();
}
