/** A client that shares no code with the CE: stubs of gSOAP made from the descriptions the CE publishes. */
package org.gelato.ce.it.gsoap;
