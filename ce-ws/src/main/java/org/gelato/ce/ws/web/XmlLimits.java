package org.gelato.ce.ws.web;

/**
 * How much a request may be. Anything above is refused before it is understood.
 *
 * @param maxBytes of the body of an authorized caller
 * @param maxStrangerBytes of the body of an unauthorized caller: enough to name the operation in the refusal
 * @param maxDepth of nested elements
 * @param maxElements in the document
 * @param maxAttributes of one element
 * @param maxAttributeLength characters of one attribute's value
 */
public record XmlLimits(
        int maxBytes, int maxStrangerBytes, int maxDepth, int maxElements, int maxAttributes, int maxAttributeLength) {
    /** 10 MiB, which is some thousand job descriptions in one call. */
    public static XmlLimits defaults() {
        return new XmlLimits(10 << 20, 64 << 10, 100, 200_000, 64, 8192);
    }
}
