/** Where a job's files lie. */
package org.gelato.ce.core.sandbox;
