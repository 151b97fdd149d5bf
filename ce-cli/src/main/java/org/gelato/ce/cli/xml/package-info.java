/** XML from elsewhere. */
package org.gelato.ce.cli.xml;
