package org.gelato.ce.lrms.torque;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/**
 * Reads a listing of qstat as it arrives. Needs memory for one job and for the jobs that are wanted, whatever the length of
 * the listing. Used by one thread at a time.
 */
abstract class ListingReader {
    private static final int LONGEST_BEGIN = 500;

    final QstatListing.Reading jobs;

    private final ByteArrayOutputStream begin = new ByteArrayOutputStream();
    private boolean blank = true;

    ListingReader(QstatListing.Reading jobs) {
        this.jobs = jobs;
    }

    /** @param wanted which jobs to keep; the others are counted only when they cannot be read */
    static ListingReader of(boolean xml, boolean slurm, Predicate<JobFields> wanted) {
        QstatListing.Reading jobs = new QstatListing.Reading(wanted, slurm);
        return xml ? new XmlListing(jobs) : new TextListing(jobs, slurm ? "\t" : "    ");
    }

    /** The next bytes of the output. */
    final void take(byte[] piece) {
        if (begin.size() < LONGEST_BEGIN) {
            begin.write(piece, 0, Math.min(piece.length, LONGEST_BEGIN - begin.size()));
        }
        for (int i = 0; blank && i < piece.length; i++) {
            blank = piece[i] <= ' ' && piece[i] >= 0;
        }
        read(piece);
    }

    abstract void read(byte[] piece);

    /** Whether the output is complete, with at least one job or a mark that there is none. */
    abstract boolean isWhole();

    /** What was read; no more can be taken. */
    abstract QstatListing end();

    /** Whether the output was blank. */
    final boolean isBlank() {
        return blank;
    }

    /** The first line for messages, bounded in length. */
    final String firstLine() {
        String words = begin.toString(StandardCharsets.UTF_8);
        int end = words.indexOf('\n');
        return end < 0 ? words : words.substring(0, end);
    }
}
