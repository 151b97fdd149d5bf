/** What a CE writes and its client reads: JSON documents, records with one mapper, the names of what is shown of a job, and the codes of refusals. */
package org.gelato.ce.json;
