package org.gelato.ce.ws.sandbox;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.ws.web.Refusal;

/**
 * Which bytes of a file a PUT brings.
 *
 * @param whole whether it brings the file anew, whatever is there
 * @param first offset of the first byte; -1 for a request that brings none and only ends the upload
 * @param end offset after the last byte; -1 when not announced
 * @param total size of the file; -1 when not announced
 */
record UploadPart(boolean whole, long first, long end, long total) {
    private static final Pattern RANGE =
            Pattern.compile("bytes (?:([0-9]{1,18})-([0-9]{1,18})|\\*)/([0-9]{1,18})", Pattern.CASE_INSENSITIVE);

    /**
     * Reads the headers of an upload.
     *
     * @param contentRange null for a whole file; {@code bytes a-b/total}, or <code>bytes &#42;/total</code> when nothing is left to
     *     bring
     * @param contentLength bytes of the body; -1 when not announced
     * @throws Refusal 400 for a range that is none or has another length than the body
     */
    static UploadPart of(String contentRange, long contentLength) {
        if (contentRange == null) {
            return new UploadPart(true, 0, contentLength, contentLength);
        }
        Matcher m = RANGE.matcher(contentRange.strip());
        if (!m.matches()) {
            throw bad("Content-Range: expected bytes <first>-<last>/<total>");
        }
        long total = Long.parseLong(m.group(3));
        if (m.group(1) == null) {
            if (contentLength > 0) {
                throw bad("Content-Range without bytes, but a body of " + contentLength);
            }
            return new UploadPart(false, -1, -1, total);
        }
        long first = Long.parseLong(m.group(1));
        long end = Long.parseLong(m.group(2)) + 1;
        if (end <= first || end > total) {
            throw bad("Content-Range: " + contentRange.strip() + " is no range");
        }
        if (contentLength >= 0 && contentLength != end - first) {
            throw bad("Content-Range of " + (end - first) + " bytes, but a body of " + contentLength);
        }
        return new UploadPart(false, first, end, total);
    }

    private static Refusal bad(String words) {
        return new Refusal(400, words);
    }
}
