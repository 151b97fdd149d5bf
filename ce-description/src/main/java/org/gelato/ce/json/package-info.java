/** What a CE writes and its client reads: JSON documents, records with one mapper, and the names of what is shown of a job. */
package org.gelato.ce.json;
