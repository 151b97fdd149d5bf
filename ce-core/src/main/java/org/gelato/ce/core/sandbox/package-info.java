/** Where a job's files lie, and which of them its owner may reach. Moves no bytes. */
package org.gelato.ce.core.sandbox;
