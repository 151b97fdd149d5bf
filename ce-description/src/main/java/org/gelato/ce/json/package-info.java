/** The JSON documents that a CE serializes and its client reads: records alone, with one mapper. */
package org.gelato.ce.json;
