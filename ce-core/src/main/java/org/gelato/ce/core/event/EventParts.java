package org.gelato.ce.core.event;

import java.time.Instant;
import java.util.Iterator;
import java.util.List;

/**
 * Result of an event query, a slice at a time. Each slice is read on request and none is kept; it may be empty.
 *
 * @param slices events ordered by id
 * @param databaseMade when the database was made: ids seen in a database of another time mean nothing in this one
 */
public record EventParts(Iterator<List<JobEvent>> slices, Instant databaseMade) {}
