/** Where fetched job output may be written. */
package org.gelato.ce.cli.output;
